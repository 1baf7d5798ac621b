import { sql } from 'kysely'
import type { Db } from '../../platform/database/db.ts'
import type { Dialect, WordIndex } from '../../platform/dialects/dialect.ts'
import type { WordTerm } from '../../platform/word-terms.ts'

/**
 * What was found out about the texts of a question before it is written as SQL: SQLite cannot tell whether half of all bugs have a word or
 * three of them, and the one wants to be looked for in quite another way than the other.
 */
export interface KnownTexts {
  /** The bugs that may have a text in their summary or whiteboard, where they are few; by the text. */
  readonly fewBugs: ReadonlyMap<string, readonly number[]>
  /** Terms that so many bugs have that they are not to be gathered; see keyOf. */
  readonly common: ReadonlySet<string>
  /** Terms that every bug has that is looked at. */
  readonly held?: ReadonlySet<string>
}

/** For whoever has not asked: right, but perhaps slow. */
export const nothingKnown: KnownTexts = { fewBugs: new Map(), common: new Set() }

const FEW_BUGS = 5000

export interface AskedTexts {
  /** What summaries or whiteboards should contain, folded. */
  readonly parts: readonly string[]
  readonly terms: readonly WordTerm[]
  /** Bugs are looked at one after the other until there are enough, so that what most of them have need not be gathered. */
  readonly stopsEarly?: boolean
}

export async function knowTexts(db: Db, { parts, terms, stopsEarly = true }: AskedTexts): Promise<KnownTexts> {
  const different = [...new Map(terms.map((term) => [keyOf(term), term]))]
  const [fewBugs, common] = await Promise.all([
    Promise.all([...new Set(parts)].map((part) => bugsPerhapsContaining(db, part))),
    Promise.all(stopsEarly ? different.map(([, term]) => isCommon(db, 'bug_words', term)) : []),
  ])
  return {
    fewBugs: new Map(fewBugs.filter((it) => it !== undefined)),
    common: new Set(different.filter((_, place) => common[place]).map(([key]) => key)),
  }
}

async function bugsPerhapsContaining(db: Db, part: string): Promise<[string, number[]] | undefined> {
  const build = (dialect: Dialect) => dialect.bugsPerhapsContaining(part)
  if (build(db.dialect) === undefined) return undefined
  const found = await db.querySlowly((q, d) => ({
    compile: () => sql<{ id: number }>`select id from (${build(d)}) as found limit ${FEW_BUGS + 1}`.compile(q),
  }))
  return found.length > FEW_BUGS ? undefined : [part, found.map(({ id }) => id)]
}

/** Whether it takes longer to gather the bugs with a term than to ask one bug after the other. */
async function isCommon(db: Db, index: WordIndex, term: WordTerm) {
  const many = db.dialect.mostToGather
  const [found] = await db.querySlowly((q, d) => ({
    compile: () =>
      sql<{ many: number }>`select count(*) as many from
        (select 1 from (${d.bugsWithWords(index, term)}) as found limit ${many}) as counted`.compile(q),
  }))
  return Number(found?.many) >= many
}

export function keyOf({ words, isPrefix }: WordTerm) {
  return words.join(' ') + (isPrefix ? '*' : '')
}
