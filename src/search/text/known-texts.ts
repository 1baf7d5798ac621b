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
}

/** For whoever has not asked: right, but perhaps slow. */
export const nothingKnown: KnownTexts = { fewBugs: new Map(), common: new Set() }

const FEW_BUGS = 5000
/** To gather this many takes some tens of milliseconds. */
const COMMON = 100_000

/** Asks for texts that summaries or whiteboards should contain, given folded, and for terms. */
export async function knowTexts(
  db: Db,
  { parts, terms }: { parts: readonly string[]; terms: readonly WordTerm[] },
): Promise<KnownTexts> {
  const [fewBugs, common] = await Promise.all([
    Promise.all([...new Set(parts)].map((part) => bugsPerhapsContaining(db, part))),
    Promise.all(terms.map((term) => isCommon(db, 'bug_words', term))),
  ])
  return {
    fewBugs: new Map(fewBugs.filter((it) => it !== undefined)),
    common: new Set(terms.filter((_, place) => common[place]).map(keyOf)),
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

async function isCommon(db: Db, index: WordIndex, term: WordTerm) {
  const [found] = await db.querySlowly((q, d) => ({
    compile: () =>
      sql<{ many: number }>`select count(*) as many from
        (select 1 from (${d.bugsWithWords(index, term)}) as found limit ${COMMON}) as counted`.compile(q),
  }))
  return Number(found?.many) >= COMMON
}

export function keyOf({ words, isPrefix }: WordTerm) {
  return words.join(' ') + (isPrefix ? '*' : '')
}
