import { type GroupGraph, readGroupGraph } from '../../../access/visibility/group-graph.ts'
import { recordEffects } from '../../../changes/record-effects.ts'
import type { BugTransaction, Db } from '../../../platform/database/db.ts'
import { fold } from '../../../platform/text/fold.ts'
import { timeNow } from '../../../platform/time/clock.ts'
import {
  deleteFlags,
  dropRequestees,
  type FlagOnBug,
  listDirectGroups,
  listFlagsOnBugs,
  listInapplicableFlags,
  moveFlagsToType,
} from '../flag-store.ts'
import { appliesTo, type FlagType, flagText, mayGrant, mayRequest, type ScopedFlagType } from '../flag-type.ts'
import { listFlagTypesNamed } from '../flag-type-store.ts'

/**
 * Runs after a change of the inclusions or exclusions of a type. Its flags on bugs where it no longer applies get another type with the
 * same name, or are removed, which the history of the bug records.
 */
export async function retargetFlags(tx: BugTransaction, who: number, before: FlagType, type: FlagType) {
  await removeFlags(tx, who, before.name, await repointFlags(tx, await listInapplicableFlags(tx, type.id)))
}

/**
 * Gives flags whose type does not apply to their bug another type with the same name that does, if their setter may set that one.
 * Returns the flags for which there is no such type.
 */
export async function repointFlags(tx: BugTransaction, flags: readonly FlagOnBug[]): Promise<FlagOnBug[]> {
  if (flags.length === 0) return []
  const moves = await movesOf(tx, flags)
  for (const [target, moved] of moves) {
    await moveFlagsToType(tx, moved, target.id)
    if (target.is_requesteeble === 0) await dropRequestees(tx, target.id)
  }
  const staying = new Set([...moves.values()].flat())
  return flags.filter((flag) => !staying.has(flag.id))
}

/** Removes flags with the same name, and records it in the history of their bugs. */
export async function removeFlags(tx: BugTransaction, who: number, name: string, flags: readonly FlagOnBug[]) {
  if (flags.length === 0) return
  await deleteFlags(
    tx,
    flags.map((flag) => flag.id),
  )
  const byHolder = Map.groupBy(flags, holderOf)
  const changes = [...byHolder.values()].map((group) => ({
    bugId: (group[0] as FlagOnBug).bug_id,
    attachmentId: (group[0] as FlagOnBug).attachment_id,
    field: 'flagtypes.name',
    removed: group.map((flag) => flagText(name, flag.status, flag.requestee)).join(', '),
    added: '',
  }))
  await recordEffects(tx, who, changes, timeNow())
}

/** The flags that get another type, by the new type. */
async function movesOf(tx: Db, flags: readonly FlagOnBug[]): Promise<Map<ScopedFlagType, number[]>> {
  const names = [...new Set(flags.map((flag) => flag.name))]
  const candidates = (await listFlagTypesNamed(tx, names)).filter((type) => type.is_active === 1)
  const moves = new Map<ScopedFlagType, number[]>()
  if (candidates.length === 0) return moves
  const taken = await existingFlags(tx, candidates, flags)
  const setters = await settersOf(tx, flags)
  for (const flag of flags) {
    const target = candidates.find(
      (other) =>
        other.id !== flag.type_id &&
        fold(other.name) === fold(flag.name) &&
        other.target === (flag.attachment_id === null ? 'bug' : 'attachment') &&
        appliesTo(other, flag.product_id, flag.component_id) &&
        (other.is_multiplicable === 1 || !taken.has(keyOfFlag(other.id, flag))) &&
        maySet(other, flag, setters.get(flag.setter_id) ?? NO_GROUPS),
    )
    if (!target) continue
    taken.add(keyOfFlag(target.id, flag))
    const moved = moves.get(target)
    if (moved) moved.push(flag.id)
    else moves.set(target, [flag.id])
  }
  return moves
}

const NO_GROUPS: ReadonlySet<number> = new Set()

function maySet(type: FlagType, flag: FlagOnBug, groups: ReadonlySet<number>) {
  return mayGrant(type, groups) || (flag.status === '?' && mayRequest(type, groups))
}

/** The bugs and attachments that already have a flag of these types. A type that is not multiplicable gets no second one. */
async function existingFlags(tx: Db, types: readonly FlagType[], flags: readonly FlagOnBug[]): Promise<Set<string>> {
  const found = await listFlagsOnBugs(
    tx,
    types.map((type) => type.id),
    [...new Set(flags.map((flag) => flag.bug_id))],
  )
  return new Set(found.map((flag) => keyOfFlag(flag.type_id, flag)))
}

/** The groups of the setters of the flags. */
async function settersOf(tx: Db, flags: readonly FlagOnBug[]): Promise<Map<number, ReadonlySet<number>>> {
  const graph: GroupGraph = await readGroupGraph(tx)
  const direct = await listDirectGroups(
    tx,
    flags.map((flag) => flag.setter_id),
  )
  return new Map([...direct].map(([user, groups]) => [user, graph.membership(groups).ids]))
}

function keyOfFlag(typeId: number, flag: Pick<FlagOnBug, 'bug_id' | 'attachment_id'>) {
  return `${typeId} ${holderOf(flag)}`
}

/** The key of the bug or attachment of a flag. */
function holderOf({ bug_id, attachment_id }: Pick<FlagOnBug, 'bug_id' | 'attachment_id'>) {
  return `${bug_id} ${attachment_id}`
}
