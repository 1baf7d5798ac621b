import { sql } from 'kysely'
import {
  type InsiderParams,
  isAttachmentReadable,
  isCommentReadable,
} from '../../../access/visibility/reader-rights.ts'
import { bugsVisibleTo, keyOfRules, type VisibilityRules } from '../../../access/visibility/visible-bugs.ts'
import { type HistoryReader, isHistoryReadable } from '../../../changes/readable-history.ts'
import type { Db } from '../../../platform/database/db.ts'
import { statement } from '../../../platform/database/statements/statement.ts'
import { statementFamily } from '../../../platform/database/statements/statement-family.ts'

/** The stored columns of an entry. */
const STATE_COLUMNS = [
  'inbox_entries.reasons',
  'inbox_entries.past_reasons',
  'inbox_entries.mention_comment',
  'inbox_entries.since',
  'inbox_entries.noted_at',
  'inbox_entries.state',
  'inbox_entries.state_at',
  'inbox_entries.snoozed_until',
  'inbox_entries.done_comment',
  'inbox_entries.done_change',
  'inbox_entries.notes',
  'inbox_entries.done_notes',
  'inbox_entries.read_comment',
  'inbox_entries.read_change',
  'inbox_entries.read_at',
] as const

const isNotIgnored = (userId: unknown) =>
  sql<boolean>`not exists (select 1 from ignored_bugs where ignored_bugs.bug_id = bugs.id and ignored_bugs.user_id = ${userId})`

type CandidateParams = InsiderParams & { most: number }

const entries = statementFamily(keyOfRules, (rules: VisibilityRules) =>
  statement<CandidateParams>()((q, p, d) =>
    bugsVisibleTo(q, d, rules, p)
      .innerJoin('inbox_entries', 'inbox_entries.bug_id', 'bugs.id')
      .leftJoin('last_visits', (join) =>
        join.onRef('last_visits.bug_id', '=', 'bugs.id').on('last_visits.user_id', '=', p.viewerId),
      )
      .select(['bugs.id as bug_id', 'bugs.changed_at', 'last_visits.at as visited_at'])
      .select(STATE_COLUMNS)
      .where('inbox_entries.user_id', '=', p.viewerId)
      .where(isNotIgnored(p.viewerId))
      .orderBy('inbox_entries.noted_at', 'desc')
      .orderBy('bugs.id', 'desc')
      .limit(p.most),
  ),
)

/** What is stored of the reader's entries, newest first: of bugs that they see and do not ignore. */
export function listEntries(db: Db, rules: VisibilityRules, reader: InsiderParams, most: number) {
  return db.all(entries(rules), { ...reader, most })
}

export type EntryRow = Awaited<ReturnType<typeof listEntries>>[number]

const asked = statementFamily(keyOfRules, (rules: VisibilityRules) =>
  statement<CandidateParams>()((q, p, d) =>
    bugsVisibleTo(q, d, rules, p)
      .innerJoin('flags', 'flags.bug_id', 'bugs.id')
      .innerJoin('flag_types', 'flag_types.id', 'flags.type_id')
      .innerJoin('users as setters', 'setters.id', 'flags.setter_id')
      .leftJoin('attachments', 'attachments.id', 'flags.attachment_id')
      .select(['bugs.id as bug_id', 'flags.id', 'flag_types.name', 'flags.attachment_id', 'flags.modified_at as at'])
      .select(['flags.setter_id', 'setters.login as setter', 'setters.real_name as setter_name'])
      .where('flags.requestee_id', '=', p.viewerId)
      .where('flags.status', '=', '?')
      .where((row) => row.or([row('flags.attachment_id', 'is', null), isAttachmentReadable(p)]))
      .where(isNotIgnored(p.viewerId))
      .orderBy('flags.modified_at', 'desc')
      .orderBy('flags.id', 'desc')
      .limit(p.most),
  ),
)

/** The open requests that the reader is asked for, newest first. */
export function listAsked(db: Db, rules: VisibilityRules, reader: InsiderParams, most: number) {
  return db.all(asked(rules), { ...reader, most })
}

export type AskedRow = Awaited<ReturnType<typeof listAsked>>[number]

/** A bug of which the newest change is looked for: by others, readable, beyond a mark, and between two times. */
export interface NewsQuery {
  bug_id: number
  since: string
  until: string
  done_comment: number
  done_change: number
  read_comment: number
  read_change: number
  mention: number
}

const NEWS_COLUMNS = {
  bug_id: 'integer',
  since: 'text',
  until: 'text',
  done_comment: 'integer',
  done_change: 'integer',
  read_comment: 'integer',
  read_change: 'integer',
  mention: 'integer',
} as const

/** `quiet` are fields whose changes bring nothing to the inbox, as JSON; `own` is a pattern for the reader on a CC list. */
export type NewsParams = HistoryReader & { quiet: string; own: string }

const news = statementFamily(keyOfRules, (rules: VisibilityRules) =>
  statement<NewsParams & { queries: string }>()((q, p, d) => {
    const queries = d.recordsIn(p.queries, NEWS_COLUMNS)
    const comments = sql`from comments where comments.bug_id = news.bug_id and comments.number > news.done_comment
      and comments.at >= news.since and comments.at <= news.until and comments.user_id <> ${p.viewerId}
      and ${isCommentReadable(d, rules, p)}`
    const changes = sql`from bug_changes where bug_changes.bug_id = news.bug_id and bug_changes.id > news.done_change
      and bug_changes.at >= news.since and bug_changes.at <= news.until and bug_changes.user_id <> ${p.viewerId}
      and bug_changes.field not in ${d.textsIn(p.quiet)}
      and (bug_changes.field <> 'cc' or ', ' || bug_changes.added || ',' like ${p.own})
      and ${isHistoryReadable(p)}`
    const mentions = sql`from comment_mentions join comments on comments.id = comment_mentions.comment_id
      where comment_mentions.comment_id = news.mention and comments.bug_id = news.bug_id
      and comment_mentions.user_id = ${p.viewerId} and comment_mentions.author_id <> ${p.viewerId}
      and comment_mentions.is_removed = 0 and comment_mentions.at > comments.at
      and comment_mentions.at >= news.since and comment_mentions.at <= news.until and ${isCommentReadable(d, rules, p)}`
    return q
      .selectFrom(queries.$castTo<NewsQuery>().as('news'))
      .leftJoin('comments as comment', (join) =>
        join.on(sql<boolean>`comment.id = (select comments.id ${comments} order by comments.number desc limit 1)`),
      )
      .leftJoin('bug_changes as change', (join) =>
        join.on(sql<boolean>`change.id = (select bug_changes.id ${changes} order by bug_changes.id desc limit 1)`),
      )
      .leftJoin('comment_mentions as mention', (join) =>
        join
          .onRef('mention.comment_id', '=', 'news.mention')
          .on(
            sql<boolean>`mention.nick = (select comment_mentions.nick ${mentions} order by comment_mentions.at desc limit 1)`,
          ),
      )
      .select(['news.bug_id', 'comment.id as comment_id', 'comment.number', 'comment.at as comment_at'])
      .select(['change.id as change_id', 'change.at as change_at'])
      .select(['mention.comment_id as mention_comment_id', 'mention.at as mention_at'])
      .select(
        sql<number>`case when exists (select 1 from comments where comments.id = coalesce(nullif(news.mention, 0),
            (select descriptions.id from comments as descriptions where descriptions.bug_id = news.bug_id and descriptions.number = 0))
          and comments.bug_id = news.bug_id and ${isCommentReadable(d, rules, p)}
          and exists (select 1 from comment_mentions where comment_mentions.comment_id = comments.id
            and comment_mentions.user_id = ${p.viewerId} and comment_mentions.is_removed = 0)) then 1 else 0 end`.as(
          'is_mention_shown',
        ),
      )
  }),
)

/** The newest comment, the newest change and a mention by an edit of each of these bugs, as the reader may see them now. A mention in no comment is in the description. */
export function listNews(db: Db, rules: VisibilityRules, params: NewsParams, queries: readonly NewsQuery[]) {
  return db.all(news(rules), { ...params, queries: JSON.stringify(queries) })
}

export type NewsRow = Awaited<ReturnType<typeof listNews>>[number]

const unread = statementFamily(keyOfRules, (rules: VisibilityRules) =>
  statement<NewsParams & { queries: string }>()((q, p, d) => {
    const queries = d.recordsIn(p.queries, NEWS_COLUMNS)
    const comments = sql`select comments.at, comments.user_id from comments where comments.bug_id = news.bug_id
      and comments.number > news.read_comment and comments.number > news.done_comment
      and comments.at >= news.since and comments.at <= news.until and comments.user_id <> ${p.viewerId}
      and ${isCommentReadable(d, rules, p)}`
    const changes = sql`select bug_changes.at, bug_changes.user_id from bug_changes where bug_changes.bug_id = news.bug_id
      and bug_changes.id > news.read_change and bug_changes.id > news.done_change
      and bug_changes.at >= news.since and bug_changes.at <= news.until and bug_changes.user_id <> ${p.viewerId}
      and bug_changes.field not in ${d.textsIn(p.quiet)}
      and (bug_changes.field <> 'cc' or ', ' || bug_changes.added || ',' like ${p.own})
      and ${isHistoryReadable(p)}`
    const moments = sql`(select moments.at, moments.user_id from (${comments} union ${changes}) as moments limit ${sql.lit(MOST_COUNTED)})`
    return q
      .selectFrom(queries.$castTo<NewsQuery>().as('news'))
      .select('news.bug_id')
      .select(sql<number>`(select count(*) from ${moments} as counted)`.as('count'))
      .select(sql<string | null>`(select min(counted.at) from ${moments} as counted)`.as('since'))
  }),
)

const MOST_COUNTED = 100

/** How many times these bugs were changed since the reader last read them, at most 100, and since when. */
export async function countNews(db: Db, rules: VisibilityRules, params: NewsParams, queries: readonly NewsQuery[]) {
  if (queries.length === 0) return new Map<number, { count: number; since: string | null }>()
  const rows = await db.all(unread(rules), { ...params, queries: JSON.stringify(queries) })
  return new Map(rows.map(({ bug_id, count, since }) => [bug_id, { count: Number(count), since }]))
}
