import { type RawBuilder, sql } from 'kysely'
import type { Builder, SqlValues } from '../../platform/database/statements/builder.ts'
import type { Dialect } from '../../platform/dialects/dialect.ts'
import type { Caller } from '../caller.ts'
import type { Membership } from './group-graph.ts'
import {
  type FactsAboutViewer,
  type Logic,
  reasonsFrom,
  type VisibilityReason,
  type VisibilityRules,
} from './reasons-to-see.ts'

export type { VisibilityRules }

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

/** The same text for the same rules, as the key of a statement family. */
export function keyOfRules({ or_groups, useqacontact }: VisibilityRules) {
  return `${or_groups} ${useqacontact}`
}

/** The reasons for which a user may see the bug of a table `bugs` or an alias of it, as conditions. One is enough. */
export function reasonsToSee(
  dialect: Dialect,
  rules: VisibilityRules,
  { viewerId, viewerGroups }: SqlValues<ViewerParams>,
  alias = 'bugs',
): readonly VisibilityReason<RawBuilder<boolean>>[] {
  const bug = (column: string) => sql.ref(`${alias}.${column}`)
  const own = dialect.integersIn(viewerGroups)
  const restrictions = sql`select 1 from bug_groups where bug_groups.bug_id = ${bug('id')}`
  const facts: FactsAboutViewer<RawBuilder<boolean>> = {
    isRestricted: sql`exists (${restrictions})`,
    isInOneOfItsGroups: sql`exists (${restrictions} and bug_groups.group_id in ${own})`,
    isOutsideOneOfItsGroups: sql`exists (${restrictions} and bug_groups.group_id not in ${own})`,
    isAssignee: sql`${bug('assigned_to_id')} = ${viewerId}`,
    isQaContact: sql`${bug('qa_contact_id')} = ${viewerId}`,
    isCreator: sql`${bug('creator_id')} = ${viewerId}`,
    isCreatorAccessible: sql`${bug('is_creator_accessible')} = 1`,
    isOnCcList: sql`exists (select 1 from bug_cc
        where bug_cc.bug_id = ${bug('id')} and bug_cc.user_id = ${viewerId})`,
    isCcAccessible: sql`${bug('is_cc_accessible')} = 1`,
  }
  return reasonsFrom(rules, facts, IN_SQL)
}

const IN_SQL: Logic<RawBuilder<boolean>> = {
  not: (fact) => sql`not ${fact}`,
  both: (one, other) => sql`(${one} and ${other})`,
  either: (one, other) => sql`(${one} or ${other})`,
}

/** Whether the caller may see the bug of a table `bugs` or an alias of it. */
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

/** Whether the caller could see a deleted bug, by the same reasons. A group that was deleted too still hides it. */
export function couldSeeDeletedBug(
  rules: VisibilityRules,
  { id, groups }: Pick<Caller, 'id' | 'groups'>,
  bug: DeletedBug,
) {
  const isViewer = (userId: number | null) => id !== null && userId === id
  const isOwn = (groupId: number) => groups.ids.has(groupId)
  const facts: FactsAboutViewer<boolean> = {
    isRestricted: bug.groupIds.length > 0,
    isInOneOfItsGroups: bug.groupIds.some(isOwn),
    isOutsideOneOfItsGroups: !bug.groupIds.every(isOwn),
    isAssignee: isViewer(bug.assignedTo),
    isQaContact: isViewer(bug.qaContact),
    isCreator: isViewer(bug.creator),
    isCreatorAccessible: bug.isCreatorAccessible,
    isOnCcList: bug.cc.some(isViewer),
    isCcAccessible: bug.isCcAccessible,
  }
  return reasonsFrom(rules, facts, OF_VALUES).some(({ holds }) => holds)
}

const OF_VALUES: Logic<boolean> = {
  not: (fact) => !fact,
  both: (one, other) => one && other,
  either: (one, other) => one || other,
}

/**
 * Ids of bugs that the caller may not see, as a subquery. It includes all of them and usually few others: a hidden bug has a group that the
 * caller is not in, also where one of its groups is enough.
 */
export function possiblyHiddenBugs(dialect: Dialect, viewer: SqlValues<ViewerParams>): RawBuilder<unknown> {
  return sql`select bug_groups.bug_id from bug_groups where bug_groups.group_id not in ${dialect.integersIn(viewer.viewerGroups)}`
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
