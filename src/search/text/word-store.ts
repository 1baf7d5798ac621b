import { sql } from 'kysely'
import type { Db } from '../../platform/database/db.ts'
import { jsonPortions } from '../../platform/database/statements/json-portions.ts'
import { statement } from '../../platform/database/statements/statement.ts'
import type { Flag } from '../../platform/database/tables.ts'
import type { WordIndex } from '../../platform/dialects/dialect.ts'
import { firstPlaceOf } from '../../platform/dialects/word-places.ts'
import { placeOf, SUMMARY_PLACE, wordsIn, wordsInSummary } from '../../platform/text/words.ts'

/** Words are indexed in the transaction that writes the text. */
export async function indexNewSummary(tx: Db, bugId: number, summary: string) {
  await put(tx, 'bug_words', placeOf(bugId, SUMMARY_PLACE), wordsInSummary(summary), 0)
}

/** New summaries of existing bugs. Bugs that are changed together mostly get the same summary. */
export async function indexChangedSummaries(tx: Db, changed: readonly { id: number; summary: string }[]) {
  for (const [summary, bugs] of Map.groupBy(changed, (bug) => bug.summary)) {
    const words = tx.dialect.keptWords(wordsInSummary(summary))
    for (const portion of jsonPortions(tx, bugs, ({ id }) => ({ bug_id: id }), words.length))
      await tx.all(replaceOnEach, { bugs: portion, words })
  }
}

export interface CommentPlace {
  bug_id: number
  /** The number of the comment within its bug. */
  number: number
}

export async function indexNewComment(tx: Db, commentId: number, text: string, isPrivate: Flag) {
  const words = wordsIn(text)
  if (words.length > 0) await tx.all(insertOf[indexFor(isPrivate)], { commentId, words: tx.dialect.keptWords(words) })
}

/** The same comment on several bugs. */
export async function indexNewComments(tx: Db, places: readonly CommentPlace[], text: string, isPrivate: Flag) {
  const words = tx.dialect.keptWords(wordsIn(text))
  if (words === '') return
  for (const portion of jsonPortions(tx, places, undefined, words.length))
    await tx.all(insertOnEach[indexFor(isPrivate)], { places: portion, words })
}

/** A comment that becomes private or public moves to the other index. */
export async function moveComments(tx: Db, ids: readonly number[], isPrivate: Flag) {
  for (const { bug_id, number, text } of await tx.all(commentsById, { ids: JSON.stringify(ids) })) {
    await put(tx, indexFor(isPrivate === 1 ? 0 : 1), placeOf(bug_id, number), [], 1)
    await put(tx, indexFor(isPrivate), placeOf(bug_id, number), wordsIn(text), 1)
  }
}

export interface IndexedComment extends CommentPlace {
  id: number
  is_private: Flag
}

/** A comment whose text was changed. */
export async function reindexComment(tx: Db, { bug_id, number, is_private }: IndexedComment, text: string) {
  await put(tx, indexFor(is_private), placeOf(bug_id, number), wordsIn(text), 1)
}

function put(tx: Db, index: WordIndex, position: number, words: readonly string[], replaces: Flag) {
  return tx.all(insert[index], { place: position, words: tx.dialect.keptWords(words), replaces })
}

function indexFor(isPrivate: Flag): WordIndex {
  return isPrivate === 1 ? 'private_words' : 'bug_words'
}

const insert = { bug_words: inserting('bug_words'), private_words: inserting('private_words') }

function inserting(index: WordIndex) {
  return statement<{ place: number; words: string; replaces: Flag }>()((q, p) =>
    q
      .insertInto(index)
      .values({ place: p.place, words: p.words, replaces: p.replaces })
      // A row that still waits to be indexed is replaced.
      .onConflict((conflict) => conflict.column('place').doUpdateSet((it) => ({ words: it.ref('excluded.words') }))),
  )
}

const insertOf = { bug_words: insertingOf('bug_words'), private_words: insertingOf('private_words') }

function insertingOf(index: WordIndex) {
  return statement<{ commentId: number; words: string }>()((q, p, d) =>
    q
      .insertInto(index)
      .columns(['place', 'words', 'replaces'])
      .expression(
        sql`select ${firstPlaceOf(sql.ref('bug_id'))} + number, ${d.asWords(p.words)}, 0 from comments where id = ${p.commentId}`,
      ),
  )
}

const insertOnEach = { bug_words: insertingOnEach('bug_words'), private_words: insertingOnEach('private_words') }

function insertingOnEach(index: WordIndex) {
  return statement<{ places: string; words: string }>()((q, p, d) =>
    q
      .insertInto(index)
      .columns(['place', 'words', 'replaces'])
      .expression(
        sql`select ${firstPlaceOf(sql.ref('bug_id'))} + number, ${d.asWords(p.words)}, 0
          from ${d.recordsIn(p.places, { bug_id: 'integer', number: 'integer' })} as given`,
      ),
  )
}

const replaceOnEach = statement<{ bugs: string; words: string }>()((q, p, d) =>
  q
    .insertInto('bug_words')
    .columns(['place', 'words', 'replaces'])
    .expression(
      sql`select ${firstPlaceOf(sql.ref('bug_id'))} + ${sql.lit(SUMMARY_PLACE)}, ${d.asWords(p.words)}, 1
        from ${d.recordsIn(p.bugs, { bug_id: 'integer' })} as given where true`,
    )
    .onConflict((conflict) => conflict.column('place').doUpdateSet((it) => ({ words: it.ref('excluded.words') }))),
)

const commentsById = statement<{ ids: string }>()((q, p, d) =>
  q.selectFrom('comments').select(['bug_id', 'number', 'text']).where('id', 'in', d.integersIn(p.ids)),
)
