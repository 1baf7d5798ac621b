import { sql } from 'kysely'
import { type InsiderParams, isCommentReadable } from '../../../access/visibility/reader-rights.ts'
import { bugsVisibleTo, type VisibilityRules } from '../../../access/visibility/visible-bugs.ts'
import type { BugTransaction, Db, LimitedDb } from '../../../platform/database/db.ts'
import { statement } from '../../../platform/database/statements/statement.ts'
import { fold } from '../../../platform/text/fold.ts'

const ofComment = statement<{ id: number }>()((q, p) =>
  q.selectFrom('comment_tags').select('tag').where('comment_id', '=', p.id).orderBy('tag_key'),
)
const insert = statement<{ ids: string; tags: string }>()((q, p, d) =>
  q
    .insertInto('comment_tags')
    .columns(['comment_id', 'tag', 'tag_key'])
    .expression(
      sql`select comments.id, given.tag, given.tag_key
        from comments cross join ${d.recordsIn(p.tags, { tag: 'text', tag_key: 'text' })} as given
        where comments.id in ${d.integersIn(p.ids)} order by comments.id, given.tag_key`,
    )
    .onConflict((conflict) => conflict.doNothing()),
)
const remove = statement<{ id: number; keys: string }>()((q, p, d) =>
  q.deleteFrom('comment_tags').where('comment_id', '=', p.id).where('tag_key', 'in', d.textsIn(p.keys)),
)

/** The tags as they were typed, in alphabetical order without regard to letter case. */
export async function listTags(db: Db, id: number): Promise<string[]> {
  return (await db.all(ofComment, { id })).map(({ tag }) => tag)
}

/** Adds all of the tags to each comment. Tags that it already has in any letter case stay as they are. */
export async function addTags(tx: BugTransaction, ids: readonly number[], tags: readonly string[]) {
  if (ids.length === 0 || tags.length === 0) return
  // Of two tags that differ only in letter case, the first is stored.
  const byKey = new Map(tags.toReversed().map((tag) => [fold(tag), tag]))
  const rows = [...byKey].map(([tag_key, tag]) => ({ tag, tag_key }))
  await tx.all(insert, { ids: JSON.stringify(ids), tags: JSON.stringify(rows) })
}

/** Tags that the comment does not have are ignored. */
export async function removeTags(tx: BugTransaction, id: number, tags: readonly string[]) {
  if (tags.length > 0) await tx.all(remove, { id, keys: JSON.stringify(tags.map(fold)) })
}

/** The tags that contain the text, in alphabetical order, of comments that the reader may read. */
export async function findTags(
  db: LimitedDb,
  rules: VisibilityRules,
  reader: InsiderParams,
  words: string,
  limit: number,
): Promise<string[]> {
  const pattern = `%${fold(words).replace(/[!%_]/g, '!$&')}%`
  const rows = await db.querySlowly((q, d) =>
    bugsVisibleTo(q, d, rules, reader)
      .innerJoin('comments', 'comments.bug_id', 'bugs.id')
      .innerJoin('comment_tags', 'comment_tags.comment_id', 'comments.id')
      .select((row) => row.fn.min<string>('comment_tags.tag').as('tag'))
      .where(isCommentReadable(d, rules, reader))
      .where(sql<boolean>`comment_tags.tag_key like ${pattern} escape '!'`)
      .groupBy('comment_tags.tag_key')
      .orderBy('comment_tags.tag_key')
      .limit(limit),
  )
  return rows.map(({ tag }) => tag)
}
