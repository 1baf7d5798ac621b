import type { Membership } from '../../access/visibility/group-graph.ts'
import { CONTROL, controlFor } from '../../catalogue/group-controls/group-control.ts'
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

/** The groups that bugs of the product can be restricted to. A group whose member control is NA has no effect on others either. */
export function listControlledGroups(db: Db, productId: number): Promise<ControlledGroup[]> {
  return db.all(ofProduct, { productId })
}

/** The groups of the user. */
type Own = Pick<Membership, 'ids'>

/** Every bug that the user files in the product or moves there is restricted to these groups. */
export function mandatoryGroups(groups: readonly ControlledGroup[], own: Own): ControlledGroup[] {
  return groups.filter((group) => group.is_active === 1 && controlFor(group, own) === CONTROL.Mandatory)
}

/**
 * The groups of a new bug: the requested ones, or without a request the default ones of the user; and always the mandatory ones. Throws
 * 120 for a group that the user cannot choose, whether it exists or not.
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

/** The group with this name, if the user can restrict bugs to it when filing or moving them. */
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

/** A change of the groups of a bug, which may move to another product at the same time. */
export interface BugGroupChange {
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
 * The groups of the bug after the change. Throws 120 for a group that the user cannot add or remove. Only members can make a bug
 * visible to more users. Others can only restrict it further, when it moves to the product. Mandatory groups cannot be removed.
 */
export function groupsAfter(change: BugGroupChange): BugGroup[] {
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
    const group = has(name)
    if (group === undefined) {
      requireKnown(groups, own, name)
      continue
    }
    if (!isRemovable(groups, own, group)) throw errors.group_not_settable({ group: name })
    kept.splice(kept.indexOf(group), 1)
  }
  return kept
}

/** With or_groups, adding a group to a restricted bug makes it visible to the members of that group. */
function mayAdd({ own, current, isMoving, orGroups }: BugGroupChange, { id }: BugGroup): boolean {
  return own.ids.has(id) || (isMoving && !(orGroups && current.length > 0))
}

/**
 * A move adds the mandatory groups of the new product. It removes groups that the new product does not use, if the editor is a member.
 * compat: in Bugzilla the editor does not need to be a member.
 */
function groupsAfterMove(change: BugGroupChange): BugGroup[] {
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

/** Whether and why a user can remove a group from a bug. */
export interface GroupAccess {
  name: string
  can_remove: boolean
  kept_on_move: boolean
  rule: string
}

/** What the user can do with each group of a bug. `groups` are the groups of its product. */
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

/** The groups that this person can restrict the bug to, besides those that it has. */
export function addableGroups(groups: readonly ControlledGroup[], own: Own, current: readonly BugGroup[]): string[] {
  return groups
    .filter(({ id, is_active }) => is_active === 1 && own.ids.has(id) && !current.some((group) => group.id === id))
    .map(({ name }) => name)
}

const RULES = {
  member: 'Members of the group may remove it. A move to a product that does not use the group removes it too.',
  mandatory:
    'The group is mandatory in the product. Only a move by a member to a product that does not use it removes it.',
  other: 'Only members of the group may remove it. A bug that is moved by another user keeps it.',
}

/** Removing a group that the bug does not have is no change, but throws for a group that the user may not know of. */
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

export async function addBugGroups(tx: BugTransaction, bugId: number, groupIds: readonly number[]) {
  for (const groupId of groupIds) await tx.all(insert, { bugId, groupId })
}
