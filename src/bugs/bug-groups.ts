import type { Membership } from '../access/group-graph.ts'
import { CONTROL } from '../catalogue/group-controls/group-control.ts'
import type { BugTransaction, Db } from '../platform/database/db.ts'
import { statement } from '../platform/database/statement.ts'
import { errors } from '../platform/errors.ts'
import { fold } from '../platform/fold.ts'

/** A group that a bug can be restricted to, and how the product of the bug uses it. */
export interface ControlledGroup {
  id: number
  name: string
  is_active: 0 | 1
  member_control: number
  other_control: number
}

const ofProduct = statement<{ productId: number }>()((q, p) =>
  q
    .selectFrom('group_controls')
    .innerJoin('groups', 'groups.id', 'group_controls.group_id')
    .select([
      'groups.id',
      'groups.name',
      'groups.is_active',
      'group_controls.member_control',
      'group_controls.other_control',
    ])
    .where('group_controls.product_id', '=', p.productId)
    .where('groups.is_bug_group', '=', 1)
    .where('group_controls.member_control', '<>', CONTROL.NA)
    .orderBy('groups.name_key'),
)

/** The groups to which bugs of the product can be restricted at all. A product uses a group for others only when it does for members. */
export function listControlledGroups(db: Db, productId: number): Promise<ControlledGroup[]> {
  return db.all(ofProduct, { productId })
}

/** The groups of whoever acts. */
type Own = Pick<Membership, 'ids'>

/** What the control of a group is for this person. */
function controlFor(group: ControlledGroup, own: Own) {
  return own.ids.has(group.id) ? group.member_control : group.other_control
}

/** Every bug that this person files in the product or moves there is restricted to these, whatever they want. */
export function mandatoryGroups(groups: readonly ControlledGroup[], own: Own): ControlledGroup[] {
  return groups.filter((group) => group.is_active === 1 && controlFor(group, own) === CONTROL.Mandatory)
}

/**
 * The groups of a new bug: those that were asked for, or, when nothing was said, those that are the default for this person; and always
 * those that are mandatory. 120 for a group that this person cannot choose, the same whether it exists or not.
 */
export function groupsOfNewBug(
  groups: readonly ControlledGroup[],
  own: Own,
  wanted: readonly string[] | undefined,
): ControlledGroup[] {
  const mandatory = mandatoryGroups(groups, own)
  const chosen =
    wanted === undefined
      ? groups.filter((group) => group.is_active === 1 && controlFor(group, own) === CONTROL.Default)
      : wanted.map((name) => {
          const group = settableGroup(groups, own, name)
          if (group === undefined) throw errors.group_not_settable({ group: name })
          return group
        })
  return [...new Set([...mandatory, ...chosen])]
}

/** The group of that name, if this person can restrict bugs to it while filing or moving them. */
function settableGroup(groups: readonly ControlledGroup[], own: Own, name: string): ControlledGroup | undefined {
  const group = groups.find((it) => fold(it.name) === fold(name.trim()))
  return group?.is_active === 1 && controlFor(group, own) !== CONTROL.NA ? group : undefined
}

/** A group that a bug is restricted to. */
export interface BugGroup {
  id: number
  name: string
}

/** What somebody wants to change of the groups of a bug, which may come into another product with the same change. */
export interface GroupChange {
  groups: readonly ControlledGroup[]
  own: Own
  current: readonly BugGroup[]
  add: readonly string[]
  remove: readonly string[]
  isMoving: boolean
}

/**
 * The groups of the bug after the change; 120 for one that this person cannot add or take away. Only members do that, others only
 * while the bug moves into the product; nobody takes a mandatory group away.
 */
export function groupsAfter({ groups, own, current, add, remove, isMoving }: GroupChange): BugGroup[] {
  const kept = isMoving ? groupsAfterMove(groups, own, current) : [...current]
  const has = (name: string) => kept.find((group) => fold(group.name) === fold(name.trim()))
  for (const name of add) {
    if (has(name)) continue
    const group = settableGroup(groups, own, name)
    if (group === undefined || !(own.ids.has(group.id) || isMoving)) throw errors.group_not_settable({ group: name })
    kept.push({ id: group.id, name: group.name })
  }
  for (const name of remove) {
    const held = has(name)
    if (held === undefined) {
      requireKnown(groups, own, name)
      continue
    }
    if (!isRemovable(groups, own, held, isMoving)) throw errors.group_not_settable({ group: name })
    kept.splice(kept.indexOf(held), 1)
  }
  return kept
}

/** A product that does not use a group frees its bugs from it, and one in which it is mandatory restricts them to it. */
function groupsAfterMove(groups: readonly ControlledGroup[], own: Own, current: readonly BugGroup[]): BugGroup[] {
  const kept = current.filter(({ id }) => groups.some((group) => group.id === id))
  const added = mandatoryGroups(groups, own).filter(({ id }) => !kept.some((group) => group.id === id))
  return [...kept, ...added.map(({ id, name }) => ({ id, name }))]
}

function isRemovable(groups: readonly ControlledGroup[], own: Own, { id }: BugGroup, isMoving: boolean): boolean {
  const control = groups.find((group) => group.id === id)
  if (control === undefined) return own.ids.has(id)
  if (control.member_control === CONTROL.Mandatory && control.is_active === 1) return false
  if (own.ids.has(id)) return true
  return isMoving && control.other_control !== CONTROL.Mandatory && control.other_control !== CONTROL.NA
}

/** Taking away what the bug has not is no change, but only for groups that this person may know of. */
function requireKnown(groups: readonly ControlledGroup[], own: Own, name: string) {
  const group = groups.find((it) => fold(it.name) === fold(name.trim()))
  if (group === undefined || (!own.ids.has(group.id) && group.other_control === CONTROL.NA))
    throw errors.group_not_settable({ group: name })
}

const insert = statement<{ bugId: number; groupId: number }>()((q, p) =>
  q.insertInto('bug_groups').values({ bug_id: p.bugId, group_id: p.groupId }),
)
const remove = statement<{ bugId: number; groupId: number }>()((q, p) =>
  q.deleteFrom('bug_groups').where('bug_id', '=', p.bugId).where('group_id', '=', p.groupId),
)

export async function addBugGroups(tx: BugTransaction, bugId: number, groupIds: readonly number[]) {
  for (const groupId of groupIds) await tx.all(insert, { bugId, groupId })
}

export async function removeBugGroups(tx: BugTransaction, bugId: number, groupIds: readonly number[]) {
  for (const groupId of groupIds) await tx.all(remove, { bugId, groupId })
}
