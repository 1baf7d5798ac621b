import type { SignedIn } from '../../../access/caller.ts'
import type { GroupGraph } from '../../../access/visibility/group-graph.ts'
import { aboutField } from '../../../platform/about-field.ts'
import type { Settings } from '../../../platform/config/settings.ts'
import type { BugTransaction } from '../../../platform/database/db.ts'
import { type FlagHolder, readFlagsOf } from '../existing-flag-store.ts'
import { findRequestees } from '../find-requestees.ts'
import type { WantedFlag } from '../flag.ts'
import { changesOfSteps, type FlagChanges, NO_CHANGES } from '../flag-changes.ts'
import { flagsThatAsk } from '../questions/wanted-questions.ts'
import { saveSteps } from './flag-step-store.ts'
import { planFlags } from './plan-flags.ts'

/** What the rules of flags need, besides the bug or attachment. */
export interface FlagContext {
  caller: SignedIn
  settings: Settings
  groups: GroupGraph
}

/** A bug or an attachment whose flags are changed. */
export interface FlaggedItem extends FlagHolder {
  /** Whether the attachment is private. */
  isPrivate?: boolean
  /** Whether the caller has canconfirm or editbugs in the product of the bug. */
  mayConfirm: boolean
  /** The login names of users who are asked a question on the bug; one empty text for one to anyone. */
  asked?: readonly string[]
}

/**
 * Sets, changes and clears flags as requested, or throws the error of the first broken rule. Runs after the rest of the change is
 * written, because a requestee must see the changed bug. The caller writes the history, the CC list and the event.
 */
export async function applyFlags(
  tx: BugTransaction,
  flagContext: FlagContext,
  target: FlaggedItem,
  wanted: readonly WantedFlag[],
  at: string,
): Promise<FlagChanges> {
  const [changes = NO_CHANGES] = await applyFlagsToAll(tx, flagContext, [target], wanted, at)
  return changes
}

/** The same for several bugs or attachments, with as many queries as for one. Returns the changes of each, in their order. */
export function applyFlagsToAll(...flags: Parameters<typeof changeFlags>): Promise<FlagChanges[]> {
  return aboutField('flags', () => changeFlags(...flags))
}

async function changeFlags(
  tx: BugTransaction,
  flagContext: FlagContext,
  targets: readonly FlaggedItem[],
  wanted: readonly WantedFlag[],
  at: string,
): Promise<FlagChanges[]> {
  if (targets.every(({ asked = [] }) => wanted.length + asked.length === 0)) return targets.map(() => NO_CHANGES)
  const { caller } = flagContext
  const flagsOf = await readFlagsOf(tx, targets)
  const requests = targets.map((target) => [...wanted, ...flagsThatAsk(flagsOf(target).types, target.asked ?? [])])
  const logins = requests.flat().flatMap(({ status, requestee }) => (status?.trim() === '?' && requestee) || [])
  const candidatesFor = await findRequestees(
    tx,
    flagContext,
    targets.map(({ bugId }) => bugId),
    logins,
  )
  const plans = targets.map((holder, index) => {
    const isOnPrivateAttachment = holder.isPrivate ?? false
    const planContext = {
      ...flagsOf(holder),
      isOnPrivateAttachment,
      caller: { id: caller.id, groups: caller.groups.ids, mayConfirm: holder.mayConfirm },
    }
    return { holder, steps: planFlags(planContext, requests[index] ?? wanted, candidatesFor(holder.bugId)) }
  })
  const idOf = await saveSteps(tx, plans, at)
  return plans.map(({ holder, steps }) => changesOfSteps(holder.attachmentId ?? null, steps, idOf))
}
