import { sql } from 'kysely'
import { changeSource } from '../../access/change-source.ts'
import { isCommentReadable } from '../../access/visibility/reader-rights.ts'
import { bugsVisibleTo, keyOfRules, type VisibilityRules } from '../../access/visibility/visible-bugs.ts'
import { CHANGE_COLUMNS, type ChangeColumns } from '../../changes/change-json.ts'
import { type HistoryReader, isHistoryReadable } from '../../changes/readable-history.ts'
import type { Db } from '../../platform/database/db.ts'
import type { SqlValues } from '../../platform/database/statements/builder.ts'
import { statement } from '../../platform/database/statements/statement.ts'
import { statementFamily } from '../../platform/database/statements/statement-family.ts'
import type { Dialect } from '../../platform/dialects/dialect.ts'
import { isTurnLong, laterTurn } from '../../platform/monitoring/event-loop.ts'
import { toTime } from '../../platform/time/clock.ts'

/** A call that changed something. */
export interface ChangeRow extends ChangeColumns {
  id: number
  user_id: number | null
  who: string | null
  at: string
}

const byId = statement<{ id: number }>()((q, p) =>
  q
    .selectFrom('changes')
    .leftJoin('users', 'users.id', 'changes.user_id')
    .select(['changes.id', 'changes.id as change_ref', 'changes.user_id', 'changes.at', 'users.login as who'])
    .select(CHANGE_COLUMNS)
    .where('changes.id', '=', p.id)
    .$castTo<ChangeRow>(),
)

export function findChange(db: Db, id: number): Promise<ChangeRow | undefined> {
  return db.first(byId, { id })
}

interface PageOfChanges {
  userId: number
  before: number
  most: number
}

const ofUser = statement<PageOfChanges>()((q, p) =>
  q
    .selectFrom('changes')
    .select(['id', 'at', 'source', 'user_id', 'undoes_id'])
    .where('user_id', '=', p.userId)
    .where('id', '<', p.before)
    .orderBy('id', 'desc')
    .limit(p.most),
)

const ofSource = statement<PageOfChanges & { source: number; sourceId: number }>()((q, p) =>
  q
    .selectFrom('changes')
    .select(['id', 'at', 'source', 'user_id', 'undoes_id'])
    .where('source', '=', p.source)
    .where('source_id', '=', p.sourceId)
    .where('id', '<', p.before)
    .orderBy('id', 'desc')
    .limit(p.most),
)

/** By what a user made changes since a time. */
export interface MadeBy {
  userId: number
  source: number
  /** Which one, if there are several of its kind. */
  sourceId: number | null
  since: string
  until: string
}

/** Changes that are read at once, and in one call. */
const READ_TOGETHER = 500
const MOST_READ = 20_000
/** The clock of a server may have been set back. */
const DAY_MILLISECONDS = 86_400_000

/**
 * The changes of one user by one kind of source, newest first, some at a time, because there may be very many of which few match. What is
 * itself an undo is not among them. `readTo` is where to go on; undefined if there are no more.
 */
export async function listChangesBy(db: Db, by: MadeBy, before: number, most: number) {
  const { userId, source, sourceId, since, until } = by
  const oldest = toTime(Date.parse(since) - DAY_MILLISECONDS)
  const ids: number[] = []
  let readTo = before
  for (let read = 0; read < MOST_READ; read += READ_TOGETHER) {
    const page = { userId, before: readTo, most: READ_TOGETHER }
    const rows = await (sourceId === null ? db.all(ofUser, page) : db.all(ofSource, { ...page, source, sourceId }))
    for (const { id, at, ...row } of rows) {
      if (at < oldest) return { ids, readTo: undefined }
      const isMatch = row.source === source && row.user_id === userId && row.undoes_id === null
      if (isMatch && at >= since && at <= until) ids.push(id)
      readTo = id
      if (ids.length === most) return { ids, readTo }
    }
    if (rows.length < READ_TOGETHER) return { ids, readTo: undefined }
    if (isTurnLong()) await laterTurn()
  }
  return { ids, readTo }
}

type Params = HistoryReader & { change: number; after: number; most: number }

/** The bugs on which the reader sees something of the change. */
const bugsOfChange = statementFamily(keyOfRules, (rules: VisibilityRules) =>
  statement<Params>()((q, p, d) =>
    bugsVisibleTo(q, d, rules, p)
      .select('bugs.id')
      .where(isInChange(d, rules, p))
      .where('bugs.id', '>', p.after)
      .orderBy('bugs.id')
      .limit(p.most),
  ),
)

const countBugs = statementFamily(keyOfRules, (rules: VisibilityRules) =>
  statement<Params>()((q, p, d) =>
    bugsVisibleTo(q, d, rules, p)
      .select(sql<number>`count(*)`.as('bugs'))
      .where(isInChange(d, rules, p))
      .where('bugs.id', '>', p.after),
  ),
)

function isInChange(d: Dialect, rules: VisibilityRules, p: SqlValues<Params>) {
  return sql<boolean>`bugs.id in (
    select bug_changes.bug_id from bug_changes where bug_changes.change_id = ${p.change} and ${isHistoryReadable(p)}
    union
    select comments.bug_id from comments where comments.change_id = ${p.change} and ${isCommentReadable(d, rules, p)})`
}

/** Their numbers, in order, from the one after `after` on. */
export async function listBugsOfChange(db: Db, rules: VisibilityRules, reader: HistoryReader, page: PageOfChange) {
  return (await db.all(bugsOfChange(rules), { ...reader, ...page })).map(({ id }) => id)
}

export interface PageOfChange {
  change: number
  after: number
  most: number
}

/** How many there are of them. */
export async function countBugsOfChange(db: Db, rules: VisibilityRules, reader: HistoryReader, change: number) {
  return (await db.first(countBugs(rules), { ...reader, change, after: 0, most: 1 }))?.bugs ?? 0
}

const commentsOfChange = statementFamily(keyOfRules, (rules: VisibilityRules) =>
  statement<HistoryReader & { change: number; ids: string }>()((q, p, d) =>
    q
      .selectFrom('comments')
      .select(['comments.id', 'comments.bug_id', 'comments.number', 'comments.kind', 'comments.about_id'])
      .where('comments.change_id', '=', p.change)
      .where('comments.bug_id', 'in', d.integersIn(p.ids))
      .where(isCommentReadable(d, rules, p))
      .orderBy('comments.id'),
  ),
)

/** The comments of the change on bugs that the reader sees, without those that they may not read. */
export function listCommentsOfChange(
  db: Db,
  rules: VisibilityRules,
  reader: HistoryReader,
  change: number,
  bugIds: readonly number[],
) {
  return db.all(commentsOfChange(rules), { ...reader, change, ids: JSON.stringify(bugIds) })
}

const keyOwner = statement<{ id: number }>()((q, p) =>
  q.selectFrom('api_keys').select('user_id').where('id', '=', p.id),
)
const ownerBySource = statement<{ id: number; source: number }>()((q, p) =>
  q.selectFrom('changes').select('user_id').where('source', '=', p.source).where('source_id', '=', p.id).limit(1),
)

/** Whose API key it is, also after it was removed; undefined if there was none, or if it has changed nothing. */
export async function ownerOfKey(db: Db, id: number): Promise<number | undefined> {
  const key = await db.first(keyOwner, { id })
  const made = key ?? (await db.first(ownerBySource, { id, source: changeSource('key').kind }))
  return made?.user_id ?? undefined
}
