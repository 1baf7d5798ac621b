import { sql } from 'kysely'
import type { CallContext } from '../../access/call.ts'
import { bugsUnfiltered, bugsVisibleTo, viewerOf } from '../../access/visibility/visible-bugs.ts'
import { productConditions } from '../../access/visibility/visible-products.ts'
import { currentChange } from '../../changes/current-change.ts'
import type { BugTransaction, Db } from '../../platform/database/db.ts'
import { jsonPortions } from '../../platform/database/statements/json-portions.ts'
import { statement } from '../../platform/database/statements/statement.ts'
import type { Flag } from '../../platform/database/tables.ts'
import {
  type IndexedComment,
  indexNewComment,
  indexNewComments,
  moveComments,
  reindexComment,
} from '../../search/text/word-store.ts'

interface NewComment {
  bugId: number
  userId: number
  at: string
  text: string
  isPrivate: Flag
  kind: number
  aboutId: number | null
  workHundredths: number
  isMarkdown: Flag
}

interface InChange {
  change: number
}

const insert = statement<NewComment & InChange>()((q, p) =>
  q
    .insertInto('comments')
    .values({
      bug_id: p.bugId,
      number: sql<number>`(select coalesce(max(number) + 1, 0) from comments where bug_id = ${p.bugId})`,
      user_id: p.userId,
      at: p.at,
      text: p.text,
      is_private: p.isPrivate,
      kind: p.kind,
      about_id: p.aboutId,
      work_hundredths: p.workHundredths,
      is_markdown: p.isMarkdown,
      change_id: p.change,
    })
    .returning('id'),
)

/** Inserts a comment with the next number of its bug, which the caller has locked. Returns its id. */
export async function insertComment(tx: BugTransaction, comment: NewComment): Promise<number> {
  const { id } = (await tx.first(insert, {
    ...comment,
    change: await currentChange(tx, comment.userId, comment.at),
  })) as { id: number }
  await indexNewComment(tx, id, comment.text, comment.isPrivate)
  return id
}

const byId = statement<{ id: number }>()((q, p) => q.selectFrom('comments').select('number').where('id', '=', p.id))

/** The number of a comment on its bug. */
export async function numberOfComment(tx: Db, id: number): Promise<number> {
  return (await tx.first(byId, { id }))?.number as number
}

const byIds = statement<{ ids: string }>()((q, p, d) =>
  q.selectFrom('comments').select(['id', 'number']).where('id', 'in', d.integersIn(p.ids)),
)

/** The same for several; one that was deleted is missing. */
export async function numbersOfComments(db: Db, ids: readonly number[]): Promise<ReadonlyMap<number, number>> {
  const rows = ids.length === 0 ? [] : await db.all(byIds, { ids: JSON.stringify(ids) })
  return new Map(rows.map(({ id, number }) => [id, number]))
}

const insertOnEach = statement<Omit<NewComment, 'bugId' | 'aboutId'> & InChange & { bugIds: string }>()((q, p, d) =>
  q
    .insertInto('comments')
    .columns([
      'bug_id',
      'number',
      'user_id',
      'at',
      'text',
      'is_private',
      'kind',
      'work_hundredths',
      'is_markdown',
      'change_id',
    ])
    .expression(
      bugsUnfiltered(q, 'The caller who comments on these bugs was found to see them.')
        .select([
          'bugs.id',
          sql<number>`(select coalesce(max(number) + 1, 0) from comments where bug_id = bugs.id)`.as('number'),
          sql<number>`cast(${p.userId} as integer)`.as('user_id'),
          sql<string>`cast(${p.at} as text)`.as('at'),
          sql<string>`cast(${p.text} as text)`.as('text'),
          sql<Flag>`cast(${p.isPrivate} as integer)`.as('is_private'),
          sql<number>`cast(${p.kind} as integer)`.as('kind'),
          sql<number>`cast(${p.workHundredths} as integer)`.as('work_hundredths'),
          sql<Flag>`cast(${p.isMarkdown} as integer)`.as('is_markdown'),
          sql<number>`cast(${p.change} as integer)`.as('change_id'),
        ])
        .where('bugs.id', 'in', d.integersIn(p.bugIds))
        .orderBy('bugs.id'),
    )
    .returning(['id', 'bug_id', 'number']),
)

/** Inserts the same comment on several bugs with one statement. Returns the id of each comment, by bug. */
export async function insertCommentOnEach(
  tx: BugTransaction,
  { bugIds, ...comment }: Omit<NewComment, 'bugId' | 'aboutId'> & { bugIds: readonly number[] },
): Promise<Map<number, number>> {
  const change = await currentChange(tx, comment.userId, comment.at)
  const inOrder = [...bugIds].sort((a, b) => a - b)
  const rows: (typeof insertOnEach)['row'][] = []
  for (const portion of jsonPortions(tx, inOrder, undefined, comment.text.length))
    rows.push(...(await tx.all(insertOnEach, { ...comment, change, bugIds: portion })))
  await indexNewComments(
    tx,
    rows.map(({ bug_id, number }) => ({ bug_id, number })),
    comment.text,
    comment.isPrivate,
  )
  return new Map(rows.map((row) => [row.bug_id, row.id]))
}

const addWork = statement<{ bugIds: string; hundredths: number }>()((q, p, d) =>
  q
    .updateTable('bugs')
    .set((bug) => ({ actual_hundredths: bug('actual_hundredths', '+', p.hundredths) }))
    .where('id', 'in', d.integersIn(p.bugIds)),
)

/** Adds hours to the bug's total of the work in its comments. */
export async function addWorkToBugs(tx: BugTransaction, bugIds: readonly number[], hundredths: number) {
  await tx.all(addWork, { bugIds: JSON.stringify(bugIds), hundredths })
}

const setPrivacy = statement<{ ids: string; isPrivate: Flag }>()((q, p, d) =>
  q.updateTable('comments').set({ is_private: p.isPrivate }).where('id', 'in', d.integersIn(p.ids)),
)

const hideVersions = statement<{ ids: string }>()((q, p, d) =>
  q.updateTable('comment_versions').set({ is_hidden: 1 }).where('comment_id', 'in', d.integersIn(p.ids)),
)

/** What a comment said while it was private stays hidden when it becomes public: its author may have taken a secret out. */
export async function setPrivacyOfComments(tx: BugTransaction, ids: readonly number[], isPrivate: Flag) {
  if (ids.length === 0) return
  await tx.all(setPrivacy, { ids: JSON.stringify(ids), isPrivate })
  if (isPrivate === 0) await tx.all(hideVersions, { ids: JSON.stringify(ids) })
  await moveComments(tx, ids, isPrivate)
}

const bugById = statement<{ id: number }>()((q, p) => q.selectFrom('comments').select('bug_id').where('id', '=', p.id))

/** The bug of a comment. A comment never moves to another bug. */
export async function bugOfComment(tx: Db, id: number): Promise<number | undefined> {
  return (await tx.first(bugById, { id }))?.bug_id
}

const setText = statement<{ id: number; text: string }>()((q, p) =>
  q.updateTable('comments').set({ text: p.text, is_markdown: 0 }).where('id', '=', p.id),
)

/** Replaces the text of a comment by plain text, also in the full-text index. */
export async function replaceText(tx: BugTransaction, comment: IndexedComment, text: string) {
  await tx.all(setText, { id: comment.id, text })
  await reindexComment(tx, comment, text)
}

/** A bug that the caller comments on. */
export interface DiscussedBug {
  id: number
  product: string
  /** 1 if its product is not read-only for the caller. */
  is_editable: Flag
  /** 1 if the caller may not comment on it, because comments are restricted. */
  is_restricted: Flag
  remaining_hundredths: number
}

/** Undefined if the bug does not exist or the caller may not see it. */
export async function findDiscussedBug(
  tx: Db,
  { caller, settings }: Pick<CallContext, 'caller' | 'settings'>,
  id: number,
): Promise<DiscussedBug | undefined> {
  const [bug] = await tx.query((q, d) => {
    const { isEditable, grants } = productConditions(d, caller, settings)
    return bugsVisibleTo(q, d, settings, viewerOf(caller))
      .innerJoin('products', 'products.id', 'bugs.product_id')
      .select(['bugs.id', 'products.name as product', 'bugs.remaining_hundredths'])
      .select(sql<Flag>`case when ${isEditable} then 1 else 0 end`.as('is_editable'))
      .select(
        sql<Flag>`case when bugs.restrict_comments = 1 and not ${grants('editbugs')} then 1 else 0 end`.as(
          'is_restricted',
        ),
      )
      .where('bugs.id', '=', id)
  })
  return bug
}

const note = statement<{ bugId: number; at: string; remaining: number }>()((q, p) =>
  q
    .updateTable('bugs')
    .set((bug) => ({ changed_at: p.at, revision: bug('revision', '+', 1), remaining_hundredths: p.remaining }))
    .where('id', '=', p.bugId),
)

/** Updates the last change of a bug that got a comment, even if nothing else in it changed. */
export async function noteDiscussion(tx: BugTransaction, bugId: number, at: string, remaining: number) {
  await tx.all(note, { bugId, at, remaining })
}
