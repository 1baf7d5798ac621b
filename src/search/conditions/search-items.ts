import { sql } from 'kysely'
import { insiderParams, isAttachmentReadable, isCommentReadable } from '../../access/visibility/reader-rights.ts'
import { isNumberShown, isVisible, viewerOf } from '../../access/visibility/visible-bugs.ts'
import { historyReader, isHistoryReadable } from '../../changes/readable-history.ts'
import { groupsSeenThrough } from '../../people/bless.ts'
import type { Dialect, IdRange } from '../../platform/dialects/dialect.ts'
import type { SearchContext } from '../search-context.ts'
import { BUGS_WITH_A_RARE_ITEM, BUGS_WITH_AN_ITEM } from '../thresholds.ts'
import { isListed } from './candidates.ts'
import { always, type Condition, never, type Sql, withFacts, withSubquery } from './condition.ts'
import { allOf } from './conditions.ts'
import { isScanned, isTextTest } from './text-conditions.ts'

/** A kind of thing that a bug can have several of. Criteria can require that they hold for the same item only within one kind. */
export interface Items {
  readonly name: string
  readonly from: Sql
  readonly bugId: Sql
  /** Which items the caller may see. */
  readonly readable: Condition
  /** There are so many of them that bugs are not sorted by them. */
  readonly areMany?: boolean
  /** There are so few of them in the installation that all of them can be read. */
  readonly areFew?: boolean
}

/** Whether the caller may see the bug of this table alias. */
export function isVisibleToCaller({ db, settings, caller }: SearchContext, alias: string): Condition {
  return isVisible(db.dialect, settings, viewerOf(caller), alias)
}

/** Whether the id is of a bug that the caller may see. Links to hidden bugs must not find anything. */
export function isOfVisibleBug(context: SearchContext, id: Sql): Condition {
  return sql`exists (select 1 from bugs as other where other.id = ${id} and ${isVisibleToCaller(context, 'other')})`
}

/** Whether the caller may read the id, which is recorded without a reference to the bug: of a visible bug, or of none. */
export function isOfNoHiddenBug({ db, settings, caller }: SearchContext, id: Sql): Condition {
  return isNumberShown(db.dialect, settings, viewerOf(caller), id)
}

/**
 * Whether the bug has an item for which all conditions hold. With `isIndexed`, an index finds these items, so that the search starts with
 * them.
 */
export function hasItem(
  dialect: Dialect,
  items: Items,
  conditions: readonly Condition[],
  isIndexed: boolean,
  range?: IdRange,
): Condition {
  const questions = conditions.filter(isTextTest)
  if (questions.length === 0) return hasItemBySql(dialect, items, conditions, isIndexed, range)
  const others = conditions.filter((condition) => !questions.includes(condition))
  const where = allOf([sql`${items.bugId} = bugs.id`, ...others, items.readable])
  const isNarrow = others.length > 0 || items.areFew === true
  const among = isNarrow ? hasItemBySql(dialect, items, others, isIndexed, range) : always
  return isScanned(dialect.builder, { from: items.from, where }, allOf(questions), among)
}

function hasItemBySql(
  dialect: Dialect,
  items: Items,
  conditions: readonly Condition[],
  isIndexed: boolean,
  range: IdRange | undefined,
): Condition {
  const holds = allOf([...conditions, items.readable])
  if (holds === never) return never
  // SQLite might otherwise read all items of the bugs in the range, instead of the few that the index finds.
  const bugId = isIndexed ? dialect.unindexed(items.bugId) : items.bugId
  const isNear = range ? sql` and ${bugId} >= ${range.from} and ${bugId} <= ${range.to}` : sql``
  const list = sql`select ${items.bugId} as id from ${items.from} where ${holds}${isNear}`
  if (isIndexed) return isListed(list, BUGS_WITH_AN_ITEM)
  const exists = withSubquery(
    sql<boolean>`exists (select 1 from ${items.from} where ${items.bugId} = bugs.id and ${holds})`,
  )
  return items.areFew
    ? withFacts(exists, { candidates: { lists: [{ ids: list }], estimate: BUGS_WITH_A_RARE_ITEM } })
    : exists
}

export const comments = (context: SearchContext): Items => ({
  name: 'comments',
  from: sql`comments`,
  bugId: sql`comments.bug_id`,
  readable: isCommentReadable(context.db.dialect, context.settings, insiderParams(context)),
  areMany: true,
})

export const commentTags = (context: SearchContext): Items => ({
  ...comments(context),
  name: 'comment tags',
  from: sql`comment_tags join comments on comments.id = comment_tags.comment_id`,
  areMany: false,
})

/** Of users whom the caller may find: a comment does not show the address behind a nick to others. */
export function commentMentions(context: SearchContext): Items {
  const { readable, ...items } = comments(context)
  return {
    ...items,
    name: 'mentions',
    from: sql`comment_mentions join comments on comments.id = comment_mentions.comment_id and comment_mentions.is_removed = 0`,
    areMany: false,
    readable: allOf([readable, isFindable(context, sql`comment_mentions.user_id`)]),
  }
}

function isFindable({ db, caller, groups, settings }: SearchContext, userId: Sql): Condition {
  const through = groupsSeenThrough(groups, settings, caller)
  if (through === undefined) return always
  return sql`(${userId} = ${caller.id ?? 0} or exists (select 1 from user_group_grants as grants where grants.user_id = ${userId}
    and grants."right" = 'member' and grants.group_id in ${db.dialect.integersIn(JSON.stringify([...through]))}))`
}

export const attachments = (context: SearchContext): Items => ({
  name: 'attachments',
  from: sql`attachments`,
  bugId: sql`attachments.bug_id`,
  readable: isAttachmentReadable(insiderParams(context)),
})

export const attachmentTexts = (context: SearchContext): Items => ({
  ...attachments(context),
  name: 'texts of attachments',
  from: sql`attachments join attachment_texts on attachment_texts.attachment_id = attachments.id`,
})

/** Of bugs and of attachments. */
export const flags = (context: SearchContext): Items => ({
  name: 'flags',
  from: sql`flags join flag_types on flag_types.id = flags.type_id`,
  bugId: sql`flags.bug_id`,
  readable: sql`(flags.attachment_id is null or exists (select 1 from attachments
    where attachments.id = flags.attachment_id and ${isAttachmentReadable(insiderParams(context))}))`,
})

/** The changes of one field in the history. */
export const changesOf = (context: SearchContext, field: string): Items => ({
  name: `changes of ${field}`,
  from: sql`bug_changes`,
  bugId: sql`bug_changes.bug_id`,
  readable: sql`(bug_changes.field = ${field} and ${isHistoryReadable(historyReader(context))})`,
  areMany: true,
})

export const dependencies = (context: SearchContext, own: 'blocked_id' | 'depends_on_id', other: Sql): Items => ({
  name: own,
  from: sql`bug_dependencies`,
  bugId: sql.ref(`bug_dependencies.${own}`),
  readable: isOfVisibleBug(context, other),
})

export const seeAlso = (context: SearchContext): Items => ({
  name: 'see_also',
  from: sql`bug_see_also`,
  bugId: sql`bug_see_also.bug_id`,
  readable: sql`(bug_see_also.local_bug_id is null or ${isOfVisibleBug(context, sql`bug_see_also.local_bug_id`)})`,
})

/** The changes and commits that name a bug. */
export const codeChanges: Items = {
  name: 'code',
  from: sql`code_links join code_changes on code_changes.id = code_links.change_id`,
  bugId: sql`code_links.bug_id`,
  readable: sql`1 = 1`,
}

/** Tags and visits belong to one user. Searches use only those of the caller. */
export const ownTags = (context: SearchContext): Items => ({ ...ofViewer(context, 'bug_tags'), areFew: true })
export const ownVisits = (context: SearchContext): Items => ofViewer(context, 'last_visits')

function ofViewer({ caller }: SearchContext, table: 'bug_tags' | 'last_visits'): Items {
  return { ...rowsOf(table), readable: sql`${sql.ref(`${table}.user_id`)} = ${caller.id ?? 0}` }
}

export function rowsOf(
  table: 'bug_aliases' | 'bug_keywords' | 'bug_groups' | 'bug_cc' | 'bug_tags' | 'last_visits',
): Items {
  return { name: table, from: sql.table(table), bugId: sql.ref(`${table}.bug_id`), readable: sql`1 = 1` }
}

/** The values of a bug in a custom field with several values. */
export const customValues = (fieldId: number): Items => ({
  name: `custom values of ${fieldId}`,
  from: sql`bug_custom_values`,
  bugId: sql`bug_custom_values.bug_id`,
  readable: sql`bug_custom_values.field_id = ${fieldId}`,
})
