import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../platform/database/db.ts'
import type { IdRange, WordIndex } from '../../platform/dialects/dialect.ts'
import type { WordTerm } from '../../platform/word-terms.ts'

/**
 * What was found out about the texts of a question before it is written as SQL: SQLite cannot tell whether half of all bugs have a word or
 * three of them, and the one wants to be looked for in quite another way than the other.
 */
export interface KnownTexts {
  /** The bugs that may have a part in a column, where they are not too many; see keyOfPart. */
  readonly parts: ReadonlyMap<string, KnownPart>
  /** In how many places terms are, if they are not too many to be counted; see keyOf. */
  readonly places: ReadonlyMap<string, number>
  /** Terms that so many bugs have that they are not to be gathered where a few bugs are enough. */
  readonly common: ReadonlySet<string>
  /** Terms that every bug has that is looked at. */
  readonly held?: ReadonlySet<string>
  /** No other bugs are looked at, so that what is common elsewhere is not gathered. */
  readonly range?: IdRange
}

/** For whoever has not asked: right, but perhaps slow. */
export const nothingKnown: KnownTexts = { parts: new Map(), places: new Map(), common: new Set() }

/** What one of the columns with an index of their parts should contain, folded. */
export interface Part {
  readonly column: IndexedColumn
  readonly text: string
}

export type IndexedColumn = 'summary' | 'whiteboard'

/** All that have it are among them. */
export interface KnownPart {
  readonly about: number
  /** Where they are few. */
  readonly ids?: readonly number[]
}

const FEW_BUGS = 2000
const MOST_BUGS = 10_000

export interface AskedTexts {
  readonly parts: readonly Part[]
  readonly terms: readonly WordTerm[]
}

export async function knowTexts(db: Db, { parts, terms }: AskedTexts): Promise<KnownTexts> {
  const different = new Map(terms.map((term) => [keyOf(term), term]))
  const [known, counted] = await Promise.all([
    Promise.all([...new Map(parts.map((part) => [keyOfPart(part), part])).values()].map((part) => knowPart(db, part))),
    Promise.all([...different].map(async ([key, term]) => [key, await countPlaces(db, 'bug_words', term)] as const)),
  ])
  const isMany = ([, count]: readonly [string, number]) => count >= db.dialect.mostToGather
  return {
    parts: new Map(known.filter((it) => it !== undefined)),
    places: new Map(counted),
    common: new Set(counted.filter(isMany).map(([key]) => key)),
  }
}

async function knowPart(db: Db, part: Part): Promise<[string, KnownPart] | undefined> {
  const bugs = db.dialect.bugsPerhapsContaining(part.column, part.text)
  if (bugs === undefined) return undefined
  const [found] = await db.querySlowly((q, d) => {
    const some = sql`select id as value from (${bugs}) as found limit ${MOST_BUGS}`
    const list = sql`(case when count(*) <= ${FEW_BUGS} then ${d.jsonListOf(sql`select value from perhaps`)} else '' end)`
    return {
      compile: () =>
        sql<{
          many: number
          list: string
        }>`with perhaps as (${some}) select count(*) as many, ${list} as list from perhaps`.compile(q),
    }
  })
  const about = Number(found?.many)
  if (about >= MOST_BUGS) return undefined
  return [keyOfPart(part), found?.list ? { about, ids: JSON.parse(found.list) } : { about }]
}

/** As far as it matters: whether it takes longer to gather the bugs with a term than to ask one bug after the other. */
function countPlaces(db: Db, index: WordIndex, term: WordTerm): Promise<number> {
  return countUpTo(db, db.dialect.mostToGather, db.dialect.bugsWithWords(index, term))
}

async function countUpTo(db: Db, most: number, rows: RawBuilder<unknown>): Promise<number> {
  const [found] = await db.querySlowly((q) => ({
    compile: () =>
      sql<{
        many: number
      }>`select count(*) as many from (select 1 from (${rows}) as found limit ${most}) as counted`.compile(q),
  }))
  return Number(found?.many)
}

export function keyOf({ words, isPrefix }: WordTerm) {
  return words.join(' ') + (isPrefix ? '*' : '')
}

export function keyOfPart({ column, text }: Part) {
  return `${column} ${text}`
}
