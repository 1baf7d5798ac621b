import { sql } from 'kysely'
import type { Db } from '../../platform/database/db.ts'
import type { IdRange, WordIndex } from '../../platform/dialects/dialect.ts'
import type { WordTerm } from '../../platform/word-terms.ts'

/**
 * What was found out about the texts of a question before it is written as SQL: SQLite cannot tell whether half of all bugs have a word or
 * three of them, and the one wants to be looked for in quite another way than the other.
 */
export interface KnownTexts {
  /** The bugs with a part in a column, where they are few; see keyOfPart. */
  readonly fewBugs: ReadonlyMap<string, readonly number[]>
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
export const nothingKnown: KnownTexts = { fewBugs: new Map(), places: new Map(), common: new Set() }

/** What one of the columns with an index of their parts should contain, folded. */
export interface Part {
  readonly column: IndexedColumn
  readonly text: string
}

export type IndexedColumn = 'summary' | 'whiteboard'

const FEW_BUGS = 2000

export interface AskedTexts {
  readonly parts: readonly Part[]
  readonly terms: readonly WordTerm[]
}

export async function knowTexts(db: Db, { parts, terms }: AskedTexts): Promise<KnownTexts> {
  const different = new Map(terms.map((term) => [keyOf(term), term]))
  const [fewBugs, counted] = await Promise.all([
    Promise.all([...new Map(parts.map((part) => [keyOfPart(part), part])).values()].map((part) => listFew(db, part))),
    Promise.all([...different].map(async ([key, term]) => [key, await countPlaces(db, 'bug_words', term)] as const)),
  ])
  const isMany = ([, count]: readonly [string, number]) => count >= db.dialect.mostToGather
  return {
    fewBugs: new Map(fewBugs.filter((it) => it !== undefined)),
    places: new Map(counted),
    common: new Set(counted.filter(isMany).map(([key]) => key)),
  }
}

async function listFew(db: Db, part: Part): Promise<[string, number[]] | undefined> {
  const bugs = db.dialect.bugsContaining(part.column, part.text)
  if (bugs === undefined) return undefined
  const found = await db.querySlowly((q) => ({
    compile: () => sql<{ id: number }>`select id from (${bugs}) as found limit ${FEW_BUGS + 1}`.compile(q),
  }))
  return found.length > FEW_BUGS ? undefined : [keyOfPart(part), found.map(({ id }) => id)]
}

/** As far as it matters: whether it takes longer to gather the bugs with a term than to ask one bug after the other. */
async function countPlaces(db: Db, index: WordIndex, term: WordTerm): Promise<number> {
  const [found] = await db.querySlowly((q, d) => ({
    compile: () =>
      sql<{ many: number }>`select count(*) as many from
        (select 1 from (${d.bugsWithWords(index, term)}) as found limit ${d.mostToGather}) as counted`.compile(q),
  }))
  return Number(found?.many)
}

export function keyOf({ words, isPrefix }: WordTerm) {
  return words.join(' ') + (isPrefix ? '*' : '')
}

export function keyOfPart({ column, text }: Part) {
  return `${column} ${text}`
}
