import { type RawBuilder, sql } from 'kysely'
import type { Settings } from '../../platform/config/settings.ts'
import type { Builder, SqlValues } from '../../platform/database/statements/builder.ts'
import type { Dialect } from '../../platform/dialects/dialect.ts'
import type { Caller } from '../caller.ts'
import type { Membership } from './group-graph.ts'

/** The statement parameters on which visibility depends, besides the bug. */
export interface ViewerParams {
  /** Id of the caller; 0, which no user has, for an anonymous caller. */
  viewerId: number
  /** The ids of the caller's groups, as JSON. */
  viewerGroups: string
}

export function viewerOf({ id, groups }: Caller): ViewerParams {
  const viewerGroups = groupsAsJson.get(groups) ?? JSON.stringify([...groups.ids])
  groupsAsJson.set(groups, viewerGroups)
  return { viewerId: id ?? 0, viewerGroups }
}

/** Users in the same groups share one membership (see group-graph.ts), so its JSON is made once. */
const groupsAsJson = new WeakMap<Membership, string>()

/** The parameters of the installation that decide who sees a bug. */
export type VisibilityRules = Pick<Settings, 'or_groups' | 'useqacontact'>

/** The same text for the same rules, as the key of a statement family. */
export function keyOfRules({ or_groups, useqacontact }: VisibilityRules) {
  return `${or_groups} ${useqacontact}`
}

/** One of the reasons for which a user may see a bug. */
export interface VisibilityReason {
  says: string
  holds: RawBuilder<boolean>
}

/**
 * The reasons for which a user may see the bug of a table `bugs` or an alias of it. One is enough. They are: being in
 * all groups of the bug (with or_groups: in any), being its assignee or QA contact, and being its reporter or on its CC
 * list unless that was switched off.
 */
export function reasonsToSee(
  dialect: Dialect,
  rules: VisibilityRules,
  viewer: SqlValues<ViewerParams>,
  alias = 'bugs',
): readonly VisibilityReason[] {
  const bug = (column: string) => sql.ref(`${alias}.${column}`)
  const own = dialect.integersIn(viewer.viewerGroups)
  const restrictions = sql`select 1 from bug_groups where bug_groups.bug_id = ${bug('id')}`
  const inGroups = rules.or_groups
    ? {
        says: 'The bug is restricted to no group, or to some that they are in.',
        holds: sql<boolean>`(not exists (${restrictions}) or exists (${restrictions} and bug_groups.group_id in ${own}))`,
      }
    : {
        says: 'The bug is restricted to no group that they are not in.',
        holds: sql<boolean>`not exists (${restrictions} and bug_groups.group_id not in ${own})`,
      }
  const asQaContact = {
    says: 'They are its QA contact.',
    holds: sql<boolean>`${bug('qa_contact_id')} = ${viewer.viewerId}`,
  }
  return [
    inGroups,
    { says: 'They are its assignee.', holds: sql<boolean>`${bug('assigned_to_id')} = ${viewer.viewerId}` },
    ...(rules.useqacontact ? [asQaContact] : []),
    {
      says: 'They reported it, and its reporter may see it.',
      holds: sql<boolean>`(${bug('is_creator_accessible')} = 1 and ${bug('creator_id')} = ${viewer.viewerId})`,
    },
    {
      says: 'They are on its CC list, and people on that list may see it.',
      holds: sql<boolean>`(${bug('is_cc_accessible')} = 1 and exists (select 1 from bug_cc
        where bug_cc.bug_id = ${bug('id')} and bug_cc.user_id = ${viewer.viewerId}))`,
    },
  ]
}

/** Whether the caller may see the bug of a table `bugs` or an alias of it. This is the only place that decides it. */
export function isVisible(
  dialect: Dialect,
  rules: VisibilityRules,
  viewer: SqlValues<ViewerParams>,
  alias = 'bugs',
): RawBuilder<boolean> {
  const reasons = reasonsToSee(dialect, rules, viewer, alias).map((reason) => reason.holds)
  return sql<boolean>`(${sql.join(reasons, sql` or `)})`
}

/**
 * Whether the caller may read the number of a bug, which is a column or another expression. Only bugs that exist can be hidden:
 * a number that no bug has, or none has any more, is no secret.
 */
export function isNumberShown(
  dialect: Dialect,
  rules: VisibilityRules,
  viewer: SqlValues<ViewerParams>,
  number: RawBuilder<unknown>,
): RawBuilder<boolean> {
  return sql<boolean>`(exists (select 1 from bugs as named where named.id = ${number} and ${isVisible(dialect, rules, viewer, 'named')})
    or not exists (select 1 from bugs as named where named.id = ${number}))`
}

/** What decided who could see a bug that has been deleted. */
export interface DeletedBug {
  groupIds: readonly number[]
  assignedTo: number
  qaContact: number | null
  creator: number
  cc: readonly number[]
  isCreatorAccessible: boolean
  isCcAccessible: boolean
}

/**
 * Whether the caller could see a deleted bug, by the reasons of `reasonsToSee`. A group that was deleted too still
 * hides it.
 */
export function couldSeeDeletedBug(
  rules: VisibilityRules,
  { id, groups }: Pick<Caller, 'id' | 'groups'>,
  bug: DeletedBug,
) {
  const isOwn = (groupId: number) => groups.ids.has(groupId)
  const isInGroups = rules.or_groups ? bug.groupIds.length === 0 || bug.groupIds.some(isOwn) : bug.groupIds.every(isOwn)
  if (isInGroups || id === null) return isInGroups
  return (
    bug.assignedTo === id ||
    (rules.useqacontact && bug.qaContact === id) ||
    (bug.isCreatorAccessible && bug.creator === id) ||
    (bug.isCcAccessible && bug.cc.includes(id))
  )
}

/** Ids of bugs that the caller may not see, as a subquery. It includes all of them and usually few others. */
export function possiblyHiddenBugs(
  dialect: Dialect,
  rules: VisibilityRules,
  viewer: SqlValues<ViewerParams>,
): RawBuilder<unknown> {
  const restricted = sql`select bug_groups.bug_id from bug_groups`
  if (rules.or_groups) return restricted
  return sql`${restricted} where bug_groups.group_id not in ${dialect.integersIn(viewer.viewerGroups)}`
}

/** The bugs that the caller may see, as a query to be extended. */
export function bugsVisibleTo(
  builder: Builder,
  dialect: Dialect,
  rules: VisibilityRules,
  viewer: SqlValues<ViewerParams>,
) {
  return builder.selectFrom('bugs').where(isVisible(dialect, rules, viewer))
}

/**
 * For work without a caller (catalogue guards, mail, integrity check), and to learn whether a bug that the caller may
 * not see exists at all. The caller of this function says why.
 */
export function bugsUnfiltered(builder: Builder, _why: string) {
  return builder.selectFrom('bugs')
}
