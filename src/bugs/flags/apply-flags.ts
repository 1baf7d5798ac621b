import type { SignedIn } from '../../access/caller.ts'
import type { GroupGraph } from '../../access/group-graph.ts'
import { deleteFlags } from '../../catalogue/flag-types/flag-store.ts'
import type { Db } from '../../platform/database/db.ts'
import { fold } from '../../platform/fold.ts'
import { enforce } from '../../platform/rule.ts'
import type { Settings } from '../../platform/settings.ts'
import { findFlag } from './find-flag.ts'
import { findRequestees } from './find-requestees.ts'
import { afterEdit, type Candidate, type FlagEdit, type HeldFlag, isSame, type WantedFlag } from './flag.ts'
import { type FlagChanges, noteFlag } from './flag-changes.ts'
import { flagRules } from './flag-rules.ts'
import { type FlagHolder, insertFlag, readFlagsOf, updateFlag } from './held-flag-store.ts'

/** What is needed to judge flags, besides what they are set on. */
export interface FlagScene {
  caller: SignedIn
  settings: Settings
  groups: GroupGraph
}

/** A bug or an attachment whose flags are changed. */
export interface FlagTarget extends FlagHolder {
  /** Of the attachment. */
  isPrivate?: boolean
}

/**
 * Sets, changes and clears flags as a client wants, or throws the error of the first rule that this breaks. To be called when all else
 * of the change is written, so that whoever can see the bug by then can be asked. Whoever calls writes history, CC and event.
 */
export async function applyFlags(
  tx: Db,
  scene: FlagScene,
  target: FlagTarget,
  wanted: readonly WantedFlag[],
  at: string,
): Promise<FlagChanges> {
  const changes: FlagChanges = { removed: [], added: [], cc: [], facts: [] }
  if (wanted.length === 0) return changes
  const { held, types } = await readFlagsOf(tx, target)
  const logins = wanted.flatMap(({ status, requestee }) => (status?.trim() === '?' && requestee) || [])
  const candidate = await findRequestees(tx, scene, target.bugId, logins)
  // A name means a flag that was there before the call: two new ones of the same type can be asked for at once.
  const current = new Map(held.map((flag) => [flag.id, flag]))
  for (const want of wanted) {
    const { type, before } = findFlag(
      types,
      held.flatMap(({ id }) => current.get(id) ?? []),
      want,
    )
    const edit: FlagEdit = {
      type,
      before,
      status: want.status?.trim() ?? '',
      requestee: newlyAsked(want, before, candidate),
      isTaken: [...current.values()].some((flag) => flag.type.id === type.id),
      isOnPrivateAttachment: target.isPrivate ?? false,
      groups: scene.caller.groups.ids,
    }
    enforce(flagRules, edit)
    await save(tx, scene, target, edit, at, current, changes)
  }
  return changes
}

/** Who is to be asked instead of whoever was before; undefined when that stays. */
function newlyAsked(
  { status, requestee }: WantedFlag,
  before: HeldFlag | undefined,
  candidate: (login: string) => Candidate,
): Candidate | null | undefined {
  if (requestee === undefined || status?.trim() !== '?') return undefined
  if (requestee.trim() === '') return null
  return before?.requestee && fold(before.requestee.login) === fold(requestee.trim()) ? undefined : candidate(requestee)
}

/** Writes one flag, and notes it in what is there and in what changed. */
async function save(
  tx: Db,
  { caller }: FlagScene,
  target: FlagTarget,
  edit: FlagEdit,
  at: string,
  current: Map<number, HeldFlag>,
  changes: FlagChanges,
) {
  const { type, before } = edit
  const { attachmentId = null } = target
  const after = afterEdit(edit, caller.id)
  if (after === undefined) {
    if (before === undefined) return
    await deleteFlags(tx, [before.id])
    current.delete(before.id)
    noteFlag(changes, attachmentId, type, before, undefined)
    return
  }
  if (before && isSame(before, after)) return
  if (before) await updateFlag(tx, before.id, after, at)
  const id = before?.id ?? (await insertFlag(tx, target, type, after, at))
  const flag = { id, type, ...after }
  current.set(id, flag)
  noteFlag(changes, attachmentId, type, before, flag)
}
