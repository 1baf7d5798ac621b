import { requireLogin, type SignedIn } from '../../access/caller.ts'
import type { WriteBasis } from '../../access/write-bugs.ts'
import { moveFlagsToType } from '../../catalogue/flag-types/flag-store.ts'
import type { FlagType } from '../../catalogue/flag-types/flag-type.ts'
import { recordEvent } from '../../changes/outbox.ts'
import { recordBugChanges } from '../../changes/record-bug-changes.ts'
import { listUsersByIds } from '../../people/users/user-store.ts'
import type { BugTransaction } from '../../platform/database/db.ts'
import { timeNow } from '../../platform/time/clock.ts'
import { FLAGS_FIELD } from '../attachments/attachment.ts'
import { changesOfFlags } from '../attachments/attachment-changes.ts'
import { lockBugStates } from '../editing/bug-state.ts'
import type { FlaggedItem } from '../flags/changing/apply-flags.ts'
import { saveSteps } from '../flags/changing/flag-step-store.ts'
import type { FlagStep } from '../flags/changing/plan-flags.ts'
import { readFlagsOf } from '../flags/existing-flag-store.ts'
import { findRequestees } from '../flags/find-requestees.ts'
import type { FlagEdit, FlagWithType, PossibleRequestee } from '../flags/flag.ts'
import { changesOfSteps, type FlagChanges } from '../flags/flag-changes.ts'
import { flagRules, flagsAreSetByThoseWhoMay, flagsOfOneTypeAreLimited } from '../flags/flag-rules.ts'
import { listAttachmentStates } from './activity-store.ts'
import { type ChangedFlag, type FlagRow, insertLostFlags } from './changed-flags.ts'

/** The setter had the right to set the flag. The administrator who restores it need not have it. An import may have had more than the limit. */
const NOT_CHECKED = [flagsAreSetByThoseWhoMay, flagsOfOneTypeAreLimited]
const rules = flagRules.filter((rule) => !NOT_CHECKED.includes(rule))

/** A bug or an attachment with the flags that it had. */
interface Holder extends Omit<FlaggedItem, 'mayConfirm'> {
  changed: ChangedFlag[]
}

interface Plan {
  /** Flags that are inserted again. */
  lost: FlagRow[]
  /** Flags that get their type back. */
  retyped: FlagWithType[]
  steps: FlagStep[]
}

/**
 * Brings back flags with their setters and requestees, after bugs and attachments are restored. A flag whose type no longer applies, or that
 * was set again meanwhile, is left out. A requestee who can no longer be asked is left out of the request.
 */
export async function restoreFlags(tx: BugTransaction, current: WriteBasis, flags: readonly ChangedFlag[]) {
  if (flags.length === 0) return
  const caller = requireLogin(current.caller)
  const holders = await holdersOf(tx, flags)
  const flagsOf = await readFlagsOf(tx, holders)
  const candidates = await candidatesOf(tx, current, holders)
  const at = timeNow()
  for (const holder of holders) {
    const { existing, types } = flagsOf(holder)
    const plan = planRestore(holder, existing, types, candidates(holder.bugId))
    await savePlan(tx, holder, plan, at)
    await record(tx, caller, holder, changesOfPlan(holder, plan), at)
  }
}

/** Attachments and bugs that were deleted are not among them. */
async function holdersOf(tx: BugTransaction, flags: readonly ChangedFlag[]): Promise<Holder[]> {
  const bugs = new Map(
    (await lockBugStates(tx, [...new Set(flags.map(({ before }) => before.bug_id))])).map((bug) => [bug.id, bug]),
  )
  const ids = flags.flatMap(({ before }) => before.attachment_id ?? [])
  const attachments = new Map((await listAttachmentStates(tx, ids)).map((it) => [it.id, it]))
  const byHolder = Map.groupBy(flags, ({ before }) => `${before.bug_id} ${before.attachment_id}`)
  return [...byHolder.values()].flatMap((changed): Holder[] => {
    const { bug_id, attachment_id } = (changed[0] as ChangedFlag).before
    const bug = bugs.get(bug_id)
    if (bug === undefined) return []
    const holder = { bugId: bug_id, productId: bug.product_id, componentId: bug.component_id, changed }
    if (attachment_id === null) return [holder]
    const attachment = attachments.get(attachment_id)
    if (attachment === undefined) return []
    return [{ ...holder, attachmentId: attachment_id, isPrivate: attachment.is_private === 1 }]
  })
}

type CandidateOf = (userId: number | null) => PossibleRequestee | null

/** Returns a function from a bug and the id of a requestee to what the rules need of them. */
async function candidatesOf(tx: BugTransaction, current: WriteBasis, holders: readonly Holder[]) {
  const ids = [...new Set(holders.flatMap(({ changed }) => changed.flatMap(({ before }) => before.requestee_id ?? [])))]
  const logins = new Map((await listUsersByIds(tx, ids)).map(({ id, login }) => [id, login]))
  const bugIds = holders.map(({ bugId }) => bugId)
  const candidateFor = await findRequestees(tx, current, bugIds, [...logins.values()])
  return (bugId: number): CandidateOf =>
    (userId) => {
      const login = userId === null ? undefined : logins.get(userId)
      return login === undefined ? null : candidateFor(bugId)(login)
    }
}

function planRestore(
  { changed, isPrivate = false }: Holder,
  existing: readonly FlagWithType[],
  types: readonly FlagType[],
  candidateOf: CandidateOf,
): Plan {
  const plan: Plan = { lost: [], retyped: [], steps: [] }
  for (const { before: row, after } of changed) {
    const type = types.find(({ id }) => id === row.type_id)
    if (type === undefined) continue
    const now = existing.find(({ id }) => id === row.id)
    if (now?.status !== (after === null ? undefined : row.status)) continue
    const others = existing.filter((flag) => flag.type.id === type.id && flag.id !== row.id)
    if (others.some((flag) => flag.status === row.status && flag.requestee?.id === (row.requestee_id ?? undefined)))
      continue
    const ofThisType = others.length + plan.lost.filter((flag) => flag.type_id === type.id).length
    const edit = { type, before: undefined, status: row.status, ofThisType, isOnPrivateAttachment: isPrivate }
    const requestee = allowedRequestee(edit, candidateOf(row.requestee_id))
    if (requestee === undefined) continue
    const restored = { status: row.status, setterId: row.setter_id, requestee }
    if (now === undefined) plan.lost.push({ ...row, requestee_id: requestee?.id ?? null })
    else if (now.type.id !== type.id) plan.retyped.push({ ...now, type })
    if (now === undefined || now.requestee?.id !== requestee?.id)
      plan.steps.push({ type, before: now && { ...now, type }, after: restored })
  }
  return plan
}

const NO_RIGHTS = { id: 0, groups: new Set<number>(), mayConfirm: false }

/** The requestee, or null if they can no longer be asked; undefined if the flag cannot be set at all. */
function allowedRequestee(
  flag: Omit<FlagEdit, 'requestee' | 'caller'>,
  candidate: PossibleRequestee | null,
): PossibleRequestee | null | undefined {
  const isAllowed = (requestee: PossibleRequestee | null) =>
    !rules.some((rule) => rule.brokenBy({ ...flag, requestee, caller: NO_RIGHTS }))
  if (candidate !== null && isAllowed(candidate)) return candidate
  return isAllowed(null) ? null : undefined
}

async function savePlan(tx: BugTransaction, holder: Holder, { lost, retyped, steps }: Plan, at: string) {
  await insertLostFlags(tx, lost, at)
  for (const { id, type } of retyped) await moveFlagsToType(tx, [id], type.id)
  await saveSteps(tx, [{ holder, steps: steps.filter(({ before }) => before !== undefined) }], at)
}

function changesOfPlan({ attachmentId }: Holder, { lost, steps }: Plan): FlagChanges {
  const ids = lost.map(({ id }) => id)
  const added = steps.filter(({ before }) => before === undefined)
  return changesOfSteps(attachmentId ?? null, steps, (step) => step.before?.id ?? (ids[added.indexOf(step)] as number))
}

async function record(
  tx: BugTransaction,
  { id: who }: SignedIn,
  { bugId, attachmentId, isPrivate = false }: Holder,
  flags: FlagChanges,
  at: string,
) {
  const changes = changesOfFlags(flags)
  const [change] = Object.values(changes)
  if (change === undefined) return
  const line = { bugId, attachmentId: attachmentId ?? null, field: FLAGS_FIELD, ...change }
  const history = (await recordBugChanges(tx, who, [line], at)).get(bugId) ?? []
  if (attachmentId === undefined)
    return recordEvent(tx, { kind: 'bug.update', bugId, who, at, facts: { changes, history, flags: flags.facts } })
  const facts = { attachment_id: attachmentId, comment_id: null, is_private: isPrivate, fields: [FLAGS_FIELD] }
  return recordEvent(tx, {
    kind: 'attachment.update',
    bugId,
    who,
    at,
    facts: { ...facts, history, flags: flags.facts },
  })
}
