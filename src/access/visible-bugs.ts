import { type RawBuilder, sql } from 'kysely'
import type { Builder } from '../platform/database/builder.ts'
import type { Dialect } from '../platform/dialects/dialect.ts'
import type { Settings } from '../platform/settings.ts'
import type { Caller } from './caller.ts'

/** What visibility depends on, besides the bug: statements take these two as parameters. */
export interface ViewerParams {
  /** Id of the caller; 0, which nobody has, for a stranger. */
  viewerId: number
  /** The ids of the caller's groups, as JSON. */
  viewerGroups: string
}

export function viewerOf(caller: Caller): ViewerParams {
  return { viewerId: caller.id ?? 0, viewerGroups: JSON.stringify([...caller.groups.ids]) }
}

/** The parameters of the installation that decide who sees a bug. */
export type VisibilityRules = Pick<Settings, 'or_groups' | 'useqacontact'>

/**
 * Whether the caller may see the bug of a table `bugs` or an alias of it: the only place that knows. A bug is seen by those who are in
 * all groups it is restricted to (with or_groups: in any of them), by its assignee and QA contact, and by its reporter and the people on
 * its CC list unless that was switched off.
 */
export function isVisible(
  dialect: Dialect,
  rules: VisibilityRules,
  viewer: ViewerParams,
  alias = 'bugs',
): RawBuilder<boolean> {
  const bug = (column: string) => sql.ref(`${alias}.${column}`)
  const own = dialect.integersIn(viewer.viewerGroups)
  const restrictions = sql`select 1 from bug_groups where bug_groups.bug_id = ${bug('id')}`
  const meetsRestrictions = rules.or_groups
    ? sql`(not exists (${restrictions}) or exists (${restrictions} and bug_groups.group_id in ${own}))`
    : sql`not exists (${restrictions} and bug_groups.group_id not in ${own})`
  const asQaContact = rules.useqacontact ? sql`or ${bug('qa_contact_id')} = ${viewer.viewerId}` : sql``
  return sql<boolean>`(${meetsRestrictions}
    or ${bug('assigned_to_id')} = ${viewer.viewerId}
    ${asQaContact}
    or (${bug('is_creator_accessible')} = 1 and ${bug('creator_id')} = ${viewer.viewerId})
    or (${bug('is_cc_accessible')} = 1 and exists (select 1 from bug_cc
      where bug_cc.bug_id = ${bug('id')} and bug_cc.user_id = ${viewer.viewerId})))`
}

/** The bugs that the caller may see, as a query to be continued. */
export function bugsVisibleTo(builder: Builder, dialect: Dialect, rules: VisibilityRules, viewer: ViewerParams) {
  return builder.selectFrom('bugs').where(isVisible(dialect, rules, viewer))
}

/**
 * For work that serves no one in particular (guards of the catalogue, mail, integrity check), and for telling whether a bug that the
 * caller may not see exists at all; say why at the call.
 */
export function bugsWhoeverAsks(builder: Builder, _why: string) {
  return builder.selectFrom('bugs')
}
