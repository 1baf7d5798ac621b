import { type RawBuilder, sql } from 'kysely'
import type { Settings } from '../../platform/config/settings.ts'
import type { Builder, SqlValues } from '../../platform/database/statements/builder.ts'
import type { Dialect } from '../../platform/dialects/dialect.ts'
import type { Caller } from '../caller.ts'
import type { Membership } from './group-graph.ts'

/** What visibility depends on, besides the bug: statements take these two as parameters. */
export interface ViewerParams {
  /** Id of the caller; 0, which nobody has, for a stranger. */
  viewerId: number
  /** The ids of the caller's groups, as JSON. */
  viewerGroups: string
}

export function viewerOf({ id, groups }: Caller): ViewerParams {
  const viewerGroups = groupsAsJson.get(groups) ?? JSON.stringify([...groups.ids])
  groupsAsJson.set(groups, viewerGroups)
  return { viewerId: id ?? 0, viewerGroups }
}

/** People who are in the same groups share one membership (see group-graph.ts), which is written out once. */
const groupsAsJson = new WeakMap<Membership, string>()

/** The parameters of the installation that decide who sees a bug. */
export type VisibilityRules = Pick<Settings, 'or_groups' | 'useqacontact'>

/** The same text for the same rules, as the key of a statement family. */
export function keyOfRules({ or_groups, useqacontact }: VisibilityRules) {
  return `${or_groups} ${useqacontact}`
}

/** One of the reasons for which somebody sees a bug. */
export interface Reason {
  says: string
  holds: RawBuilder<boolean>
}

/**
 * Why somebody sees the bug of a table `bugs` or an alias of it: any of these is enough, and nothing else is. A bug is seen by those who
 * are in all groups it is restricted to (with or_groups: in any of them), by its assignee and QA contact, and by its reporter and the
 * people on its CC list unless that was switched off.
 */
export function reasonsToSee(
  dialect: Dialect,
  rules: VisibilityRules,
  viewer: SqlValues<ViewerParams>,
  alias = 'bugs',
): readonly Reason[] {
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

/** Whether the caller may see the bug of a table `bugs` or an alias of it: the only place that knows. */
export function isVisible(
  dialect: Dialect,
  rules: VisibilityRules,
  viewer: SqlValues<ViewerParams>,
  alias = 'bugs',
): RawBuilder<boolean> {
  const reasons = reasonsToSee(dialect, rules, viewer, alias).map((reason) => reason.holds)
  return sql<boolean>`(${sql.join(reasons, sql` or `)})`
}

/** What decides who may see a bug, of a bug that is no longer in the database. */
export interface DeletedBug {
  groupIds: readonly number[]
  assignedTo: number
  qaContact: number | null
  creator: number
  cc: readonly number[]
  isCreatorAccessible: boolean
  isCcAccessible: boolean
}

/** Whether the caller could see a bug that is deleted, by the reasons of `reasonsToSee`. A group that is deleted as well still hides it. */
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

/** The bugs among which are all that somebody may not see, and most often few others: a select of ids. */
export function possiblyHiddenBugs(
  dialect: Dialect,
  rules: VisibilityRules,
  viewer: SqlValues<ViewerParams>,
): RawBuilder<unknown> {
  const restricted = sql`select bug_groups.bug_id from bug_groups`
  if (rules.or_groups) return restricted
  return sql`${restricted} where bug_groups.group_id not in ${dialect.integersIn(viewer.viewerGroups)}`
}

/** The bugs that the caller may see, as a query to be continued. */
export function bugsVisibleTo(
  builder: Builder,
  dialect: Dialect,
  rules: VisibilityRules,
  viewer: SqlValues<ViewerParams>,
) {
  return builder.selectFrom('bugs').where(isVisible(dialect, rules, viewer))
}

/**
 * For work that serves no one in particular (guards of the catalogue, mail, integrity check), and for telling whether a bug that the
 * caller may not see exists at all; say why at the call.
 */
export function bugsUnfiltered(builder: Builder, _why: string) {
  return builder.selectFrom('bugs')
}
