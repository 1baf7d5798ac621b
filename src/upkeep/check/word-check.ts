import { rawRows } from '../../moving/archive/database-catalogue.ts'
import type { Db } from '../../platform/database/db.ts'
import { insertWords, type NewWords } from '../../platform/database/insert-rows.ts'
import { allRows, type Snapshot, type SnapshotRow } from '../../platform/database/snapshot.ts'
import type { WordIndex } from '../../platform/dialects/dialect.ts'
import { PLACES_OF_A_BUG, placeOf, SUMMARY_PLACE, wordsIn, wordsInSummary } from '../../platform/text/words.ts'
import { LARGEST_ID } from '../../platform/wire/reference.ts'
import type { CheckContext, IntegrityCheck, IntegrityFault } from './integrity-check.ts'

const BUGS_AT_ONCE = 500
const INDEXES: readonly WordIndex[] = ['bug_words', 'private_words']

/** The word index against summaries and comments, some hundred bugs at a time. */
export const words: IntegrityCheck = {
  name: 'search index of words',
  async *find(context) {
    const { snapshot } = context
    for await (const range of bugRanges(snapshot)) {
      const expected = wordsOf(await allRows(snapshot, summariesIn(range)), await allRows(snapshot, commentsIn(range)))
      for (const index of INDEXES) yield* faultsIn(context, index, range, expected[index])
    }
  },
  async repair(tx, faults) {
    for (const id of new Set(faults.map(({ subject }) => Number(subject)))) await indexAgain(tx, id)
  },
}

interface BugRange {
  from: number
  /** Not included. */
  to: number
}

/** All numbers that a bug can have, in ranges of a few hundred bugs. Numbers without a bug cost nothing, however many they are. */
async function* bugRanges(snapshot: Snapshot): AsyncGenerator<BugRange> {
  let from = 0
  while (from <= LARGEST_ID) {
    const bugs = await allRows(
      snapshot,
      `select id from bugs where id >= ${from} order by id limit 1 offset ${BUGS_AT_ONCE}`,
    )
    const to = Number(bugs[0]?.id ?? LARGEST_ID + 1)
    yield { from, to }
    from = to
  }
}

const summariesIn = ({ from, to }: BugRange) => `select id, summary from bugs where id >= ${from} and id < ${to}`
const commentsIn = ({ from, to }: BugRange) =>
  `select bug_id, number, text, is_private from comments where bug_id >= ${from} and bug_id < ${to}`

function wordsOf(bugs: readonly SnapshotRow[], comments: readonly SnapshotRow[]): Record<WordIndex, NewWords[]> {
  const written = (isPrivate: 0 | 1) =>
    comments
      .filter((it) => it.is_private === isPrivate)
      .map(({ bug_id, number, text }) => ({
        place: placeOf(Number(bug_id), Number(number)),
        words: wordsIn(String(text)),
      }))
  const summaries = bugs.map(({ id, summary }) => ({
    place: placeOf(Number(id), SUMMARY_PLACE),
    words: wordsInSummary(String(summary)),
  }))
  return { bug_words: [...summaries, ...written(0)], private_words: written(1) }
}

async function* faultsIn(
  { snapshot, dialect }: CheckContext,
  index: WordIndex,
  range: BugRange,
  expected: readonly NewWords[],
): AsyncGenerator<IntegrityFault> {
  const stored = await (snapshot.engine === 'sqlite' ? storedInSqlite : storedInPostgres)(snapshot, index, range)
  const right = new Map(expected.filter((it) => it.words.length > 0).map((it) => [it.place, it.words]))
  for (const [place, own] of right) {
    const found = stored.get(place)
    if (found === undefined || !found.fits(own, dialect)) yield faultAt(index, place, 'has not the words of its text')
  }
  const unfitting = await wrongInPostgres(snapshot, dialect, index, right)
  for (const place of unfitting) yield faultAt(index, place, 'has not the words of its text')
  for (const place of stored.keys()) if (!right.has(place)) yield faultAt(index, place, 'has words without a text')
}

function faultAt(index: WordIndex, place: number, what: string): IntegrityFault {
  const [bug, at] = [Math.floor(place / PLACES_OF_A_BUG), place % PLACES_OF_A_BUG]
  const where = at === SUMMARY_PLACE ? 'the summary' : `comment ${at}`
  return { sentence: `${where} of bug ${bug} ${what} in ${index}`, subject: bug }
}

/** What the index has at a place. */
interface StoredWords {
  fits(words: readonly string[], dialect: Db['dialect']): boolean
}

/** The index has only the number of words of each text. Rows that wait for it are complete. */
async function storedInSqlite(
  snapshot: Snapshot,
  index: WordIndex,
  range: BugRange,
): Promise<Map<number, StoredWords>> {
  const stored = new Map<number, StoredWords>()
  const [from, to] = [placeOf(range.from, 0), placeOf(range.to, 0)]
  for (const { place, size } of await allRows(
    snapshot,
    `select id as place, hex(sz) as size from ${index}_index_docsize where id >= ${from} and id < ${to}`,
  )) {
    const count = numberIn(Buffer.from(String(size), 'hex'))
    stored.set(Number(place), { fits: (words) => words.length === count })
  }
  for (const { place, words: kept, replaces } of await allRows(
    snapshot,
    `select place, words, replaces from ${index} where place >= ${from} and place < ${to}`,
  )) {
    if (replaces === 1 && kept === '') stored.delete(Number(place))
    if (kept !== '') stored.set(Number(place), { fits: (words, dialect) => dialect.keptWords(words) === kept })
  }
  return stored
}

/** SQLite writes a number in bytes of seven bits, the highest first. */
function numberIn(bytes: Buffer): number {
  let number = 0
  for (const byte of bytes) {
    number = number * 128 + (byte & 0x7f)
    if (byte < 0x80) break
  }
  return number
}

async function storedInPostgres(snapshot: Snapshot, index: WordIndex, range: BugRange) {
  const rows = await allRows(
    snapshot,
    `select place from ${index} where place >= ${placeOf(range.from, 0)} and place < ${placeOf(range.to, 0)}
      and words <> ''::tsvector`,
  )
  return new Map<number, StoredWords>(rows.map(({ place }) => [Number(place), { fits: () => true }]))
}

/** PostgreSQL compares the words itself. */
async function wrongInPostgres(
  snapshot: Snapshot,
  dialect: Db['dialect'],
  index: WordIndex,
  right: ReadonlyMap<number, readonly string[]>,
): Promise<number[]> {
  if (snapshot.engine !== 'postgres' || right.size === 0) return []
  const given = JSON.stringify([...right].map(([place, own]) => ({ place, kept: dialect.keptWords(own) })))
  const rows = await allRows(
    snapshot,
    `select given.place from jsonb_to_recordset('${given.replaceAll("'", "''")}'::jsonb) as given (place bigint, kept text)
      join ${index} on ${index}.place = given.place where ${index}.words <> given.kept::tsvector order by 1`,
  )
  return rows.map(({ place }) => Number(place))
}

async function indexAgain(tx: Db, bug: number) {
  const range = { from: bug, to: bug + 1 }
  const places = (column: string) => `${column} >= ${placeOf(bug, 0)} and ${column} < ${placeOf(bug + 1, 0)}`
  for (const index of INDEXES) {
    await tx.script(`delete from ${index} where ${places('place')}`)
    if (tx.dialect.engine === 'sqlite') await tx.script(`delete from ${index}_index where ${places('rowid')}`)
  }
  const current = wordsOf(await rawRows(tx, summariesIn(range)), await rawRows(tx, commentsIn(range)))
  for (const index of INDEXES) await insertWords(tx, index, current[index])
}
