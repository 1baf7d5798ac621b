import { type RawBuilder, sql } from 'kysely'
import type { LimitedDb } from '../../platform/database/db.ts'
import type { IdRange } from '../../platform/dialects/dialect.ts'
import type { WordTerm } from '../../platform/text/word-terms.ts'
import type { TextContext } from '../named-ids.ts'
import {
  COMMON_TERM_PLACES,
  MANY_BUGS_WITH_A_PART,
  MOST_IDS_WITH_A_PART,
  PLACES_COUNTED,
  TERMS_COUNTED_TOGETHER,
} from '../thresholds.ts'
import { estimateOf } from './estimates.ts'
import { type IndexedTextPart, type SoughtPart, withRarePieces } from './rare-pieces.ts'

/**
 * What is known about the words and texts of a query before it becomes SQL. SQLite does not know whether half of all bugs have a word or
 * only three of them, and these two cases need very different SQL.
 */
export interface KnownTexts {
  /** The bugs that may contain a part of a text, unless they are many; by keyOfPart. */
  readonly parts: ReadonlyMap<string, IndexedPart>
  /** About how many places (summaries and comments) have each term; by keyOf. */
  readonly places: ReadonlyMap<string, number>
  /** Terms so common that bugs are tested for them one by one; by keyOf. */
  readonly common: ReadonlySet<string>
  /** Terms that all tested bugs have anyway. */
  readonly certain?: ReadonlySet<string>
  /** Only bugs of this range are read, so that even common terms can be listed. */
  readonly range?: IdRange
}

/** With it, every search is correct, but may be slow. */
export const nothingKnown: KnownTexts = { parts: new Map(), places: new Map(), common: new Set() }

/** The bugs that may contain a part; all that do are among them. */
export interface IndexedPart {
  readonly estimate: number
  /** The pieces by which the index finds them. */
  readonly pieces: readonly string[]
  /** Their ids, if they are few. */
  readonly ids?: readonly number[]
}

export interface TextRequest {
  readonly parts: readonly IndexedTextPart[]
  readonly terms: readonly WordTerm[]
}

/** `placesCounted` places of each term are counted, and the rest is estimated. */
export async function readIndexedTexts(
  context: TextContext,
  { parts, terms }: TextRequest,
  placesCounted = PLACES_COUNTED,
): Promise<KnownTexts> {
  const { db } = context
  const sought = await withRarePieces(context, [...new Map(parts.map((part) => [keyOfPart(part), part])).values()])
  const different = [...new Map(terms.map((term) => [keyOf(term), term]))]
  const withTerm = ([, term]: readonly [string, WordTerm]) => db.dialect.bugsWithWords('bug_words', term)
  const withPart = ({ column, pieces }: SoughtPart) => db.dialect.bugsWithPieces(column, pieces)
  const requests = [
    ...different.map((term) => ({ bugs: withTerm(term), isListed: false })),
    ...sought.map((part) => ({ bugs: withPart(part), isListed: true })),
  ]
  const keys = [...different.map(([key]) => key), ...sought.map(keyOfPart)]
  const counted = db.dialect.estimatesRows
    ? await estimateEach(context, keys, requests)
    : await countEach(db, requests, placesCounted)
  const known = sought.map((part, index): [string, IndexedPart] => {
    const { pieces } = part
    const { estimate, list } = counted[different.length + index] as TermCount
    return [keyOfPart(part), { estimate, pieces, ...(list && { ids: JSON.parse(list) as number[] }) }]
  })
  const places = different.map(([key], index) => [key, (counted[index] as TermCount).estimate] as const)
  return {
    parts: new Map(known.filter(([, { estimate }]) => estimate < MANY_BUGS_WITH_A_PART)),
    places: new Map(places),
    common: new Set(places.filter(([, estimate]) => estimate >= COMMON_TERM_PLACES).map(([key]) => key)),
  }
}

interface CountRequest {
  readonly bugs: RawBuilder<unknown>
  readonly isListed: boolean
}

interface TermCount {
  readonly estimate: number
  /** The ids as JSON, if they are requested and few; otherwise empty. */
  readonly list: string
}

/** One after another: a search with many terms must not fill the queue of slow reads. */
async function estimateEach(
  context: TextContext,
  keys: readonly string[],
  requests: readonly CountRequest[],
): Promise<TermCount[]> {
  const estimates: TermCount[] = []
  for (const [place, { bugs }] of requests.entries())
    estimates.push({ estimate: await estimateOf(context, keys[place] ?? '', bugs), list: '' })
  return estimates
}

/** Counts each list up to `most`. For a longer list, the rest is estimated as if its bugs were equally frequent among all bugs. */
function countEach(db: LimitedDb, lists: readonly CountRequest[], most: number): Promise<TermCount[]> {
  return inChunks(lists, (some) => countChunk(db, some, most))
}

async function inChunks<Thing, Answer>(
  things: readonly Thing[],
  answer: (some: readonly Thing[]) => Promise<Answer[]>,
): Promise<Answer[]> {
  const parts = Array.from({ length: Math.ceil(things.length / TERMS_COUNTED_TOGETHER) }, (_, part) =>
    things.slice(part * TERMS_COUNTED_TOGETHER, (part + 1) * TERMS_COUNTED_TOGETHER),
  )
  // One after another: a search with many terms must not fill the queue of slow reads.
  const answers: Answer[] = []
  for (const part of parts) answers.push(...(await answer(part)))
  return answers
}

async function countChunk(db: LimitedDb, lists: readonly CountRequest[], most: number): Promise<TermCount[]> {
  const rows = await db.querySlowly((q, d) => {
    const each = lists.map(({ bugs, isListed }, number) => {
      const some = sql`select id as value from (${bugs}) as found limit ${most}`
      const share = most < COMMON_TERM_PLACES ? sql`max(value) * 1.0 / (select max(id) from bugs)` : sql`1`
      const figures = sql`count(*) as many, ${share} as share`
      const list = sql`(case when count(*) < ${Math.min(most, MOST_IDS_WITH_A_PART)} then ${d.jsonListOf(sql`select value from perhaps`)} else '' end)`
      const counted = isListed
        ? sql`with perhaps as (${some}) select ${figures}, ${list} as list from perhaps`
        : sql`select ${figures}, '' as list from (${some}) as perhaps`
      return sql`select ${sql.lit(number)} as number, counted.* from (${counted}) as counted`
    })
    return {
      compile: () =>
        sql<{ number: number; many: number; share: number; list: string }>`${sql.join(each, sql` union all `)}`.compile(
          q,
        ),
    }
  })
  return rows
    .toSorted((one, other) => one.number - other.number)
    .map(({ many, share, list }) => {
      const estimate = Number(many) < most ? Number(many) : Number(many) / Math.min(1, Number(share))
      return { estimate: Math.min(Math.round(estimate), COMMON_TERM_PLACES), list }
    })
}

export function keyOf({ words, isPrefix }: WordTerm) {
  return words.join(' ') + (isPrefix ? '*' : '')
}

export function keyOfPart({ column, text }: IndexedTextPart) {
  return `${column} ${text}`
}
