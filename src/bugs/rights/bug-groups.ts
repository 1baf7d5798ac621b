import type { Membership } from '../../access/visibility/group-graph.ts'
import { CONTROL } from '../../catalogue/group-controls/group-control.ts'
import type { BugTransaction, Db } from '../../platform/database/db.ts'
import { statement } from '../../platform/database/statements/statement.ts'
import { errors } from '../../platform/errors.ts'
import { sameAs } from '../../platform/text/fold.ts'

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
  const isNamed = sameAs(name.trim())
  const group = groups.find((it) => isNamed(it.name))
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
  /** The parameter or_groups: members of any of the groups see the bug. */
  orGroups: boolean
}

/**
 * The groups of the bug after the change; 120 for one that this person cannot add or remove. Only members make a bug visible to more
 * people; others can only restrict it further, and only while it moves into the product. Nobody removes a mandatory group.
 */
export function groupsAfter(change: GroupChange): BugGroup[] {
  const { groups, own, add, remove } = change
  const kept = change.isMoving ? groupsAfterMove(change) : [...change.current]
  const has = (name: string) => {
    const isNamed = sameAs(name.trim())
    return kept.find((group) => isNamed(group.name))
  }
  for (const name of add) {
    if (has(name)) continue
    const group = settableGroup(groups, own, name)
    if (group === undefined || !mayAdd(change, group)) throw errors.group_not_settable({ group: name })
    kept.push({ id: group.id, name: group.name })
  }
  for (const name of remove) {
    const held = has(name)
    if (held === undefined) {
      requireKnown(groups, own, name)
      continue
    }
    if (!isRemovable(groups, own, held)) throw errors.group_not_settable({ group: name })
    kept.splice(kept.indexOf(held), 1)
  }
  return kept
}

/** With or_groups, a group that is added to a restricted bug shows it to the members of that group. */
function mayAdd({ own, current, isMoving, orGroups }: GroupChange, { id }: BugGroup): boolean {
  return own.ids.has(id) || (isMoving && !(orGroups && current.length > 0))
}

/**
 * A product in which a group is mandatory restricts its bugs to it. One that does not use a group frees them from it, if the mover is a
 * member. compat: in Bugzilla the mover need not be one.
 */
function groupsAfterMove(change: GroupChange): BugGroup[] {
  const { groups, own, current } = change
  const kept = current.filter(({ id }) => groups.some((group) => group.id === id) || !own.ids.has(id))
  const added = mandatoryGroups(groups, own).filter(({ id }) => !kept.some((group) => group.id === id))
  const refused = added.find((group) => !mayAdd(change, group))
  if (refused !== undefined) throw errors.group_not_settable({ group: refused.name })
  return [...kept, ...added.map(({ id, name }) => ({ id, name }))]
}

function isRemovable(groups: readonly ControlledGroup[], own: Own, { id }: BugGroup): boolean {
  return own.ids.has(id) && !groups.some((group) => group.id === id && isMandatory(group))
}

function isMandatory({ member_control, is_active }: ControlledGroup) {
  return member_control === CONTROL.Mandatory && is_active === 1
}

/** Why somebody can or cannot free a bug from a group. */
export interface GroupAccess {
  name: string
  can_remove: boolean
  kept_on_move: boolean
  rule: string
}

/** What somebody can do about each group of a bug; `groups` are those of its product. */
export function explainGroups(
  groups: readonly ControlledGroup[],
  own: Own,
  current: readonly BugGroup[],
): GroupAccess[] {
  return current.map((group) => {
    const isMember = own.ids.has(group.id)
    const isFixed = groups.some((it) => it.id === group.id && isMandatory(it))
    const rule = isMember ? (isFixed ? RULES.mandatory : RULES.member) : RULES.other
    return { name: group.name, can_remove: isRemovable(groups, own, group), kept_on_move: !isMember, rule }
  })
}

const RULES = {
  member: 'Members of the group may remove it; a move into a product that does not use it removes it.',
  mandatory:
    'The product restricts all its bugs to the group; a move by a member into one that does not use it removes it.',
  other: 'To remove it needs membership in the group; a bug that others move keeps it.',
}

/** Taking away what the bug has not is no change, but only for groups that this person may know of. */
function requireKnown(groups: readonly ControlledGroup[], own: Own, name: string) {
  const isNamed = sameAs(name.trim())
  const group = groups.find((it) => isNamed(it.name))
  if (group === undefined || (!own.ids.has(group.id) && group.other_control === CONTROL.NA))
    throw errors.group_not_settable({ group: name })
}

const ofBug = statement<{ bugId: number }>()((q, p) =>
  q
    .selectFrom('bug_groups')
    .innerJoin('groups', 'groups.id', 'bug_groups.group_id')
    .select(['groups.id', 'groups.name'])
    .where('bug_groups.bug_id', '=', p.bugId)
    .orderBy('groups.name_key'),
)

/** The groups that a bug is restricted to. */
export function listGroupsOfBug(db: Db, bugId: number): Promise<BugGroup[]> {
  return db.all(ofBug, { bugId })
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
