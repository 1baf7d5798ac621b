import { type RawBuilder, sql } from 'kysely'
import { bugsVisibleTo, type ViewerParams, type VisibilityRules } from '../../../access/visibility/visible-bugs.ts'
import type { Db, LimitedDb } from '../../../platform/database/db.ts'
import type { Dialect } from '../../../platform/dialects/dialect.ts'
import type { WordTerm } from '../../../platform/text/word-terms.ts'
import { inSummary } from '../../../platform/text/words.ts'
import { type KnownTexts, keyOf, readIndexedTexts } from '../../../search/text/known-texts.ts'
import { COMMON_TERM_PLACES } from '../../../search/thresholds.ts'

export interface Candidate {
  id: number
  summary: string
  dupe_of_id: number | null
}

/** A limit is needed because half a million bugs may have the same word. */
const MOST_AT_ONCE = 500
/** With more words than this, bugs with all but one of them are about as rare as bugs with all. */
const MOST_WORDS_TO_LEAVE_OUT = 10

/**
 * Visible bugs that may be similar to a summary with these words: the newest bugs with each of the words, and bugs of any age with
 * all of them or all but one.
 */
export async function listCandidates(
  db: LimitedDb,
  rules: VisibilityRules,
  viewer: ViewerParams,
  words: readonly string[],
  productKeys: readonly string[] | undefined,
): Promise<Candidate[]> {
  const terms = words.map((word): WordTerm => ({ words: [inSummary(word)], isPrefix: false }))
  // A common word is tested on each bug. For a rare word that would take very long, so the index shows which words are common.
  const known = await readIndexedTexts(db, { parts: [], terms }, COMMON_TERM_PLACES[db.dialect.engine])
  const found = await Promise.all(
    setsToLookFor(terms).map((wanted) =>
      db.querySlowly((q, d) => {
        let query = bugsVisibleTo(q, d, rules, viewer)
          .select(['bugs.id', 'bugs.summary', 'bugs.dupe_of_id'])
          .where((bug) => bug.and(wanted.map((term) => hasTerm(d, term, known))))
        if (productKeys !== undefined)
          query = query.where('bugs.product_id', 'in', (products) =>
            products
              .selectFrom('products')
              .select('products.id')
              .where('products.name_key', 'in', d.textsIn(JSON.stringify(productKeys))),
          )
        return query.orderBy('bugs.id', 'desc').limit(MOST_AT_ONCE)
      }),
    ),
  )
  return [...new Map(found.flat().map((bug) => [bug.id, bug])).values()]
}

function setsToLookFor(terms: readonly WordTerm[]): readonly (readonly WordTerm[])[] {
  const each = terms.map((term) => [term])
  if (terms.length < 2) return each
  const leavesOut = terms.length > 2 && terms.length <= MOST_WORDS_TO_LEAVE_OUT
  return [...each, terms, ...(leavesOut ? terms.map((_, index) => terms.toSpliced(index, 1)) : [])]
}

function hasTerm(dialect: Dialect, term: WordTerm, { common }: KnownTexts): RawBuilder<boolean> {
  const bugId = sql.ref<number>('bugs.id')
  if (common.has(keyOf(term))) return dialect.hasWords('bug_words', term, bugId)
  return sql<boolean>`${bugId} in (${dialect.bugsWithWords('bug_words', term)})`
}

/** Of these bugs, those that the caller may see, each with the bug that it duplicates. */
export function listDuplicated(
  db: Db,
  rules: VisibilityRules,
  viewer: ViewerParams,
  ids: readonly number[],
): Promise<{ id: number; dupe_of_id: number | null }[]> {
  return db.query((q, d) =>
    bugsVisibleTo(q, d, rules, viewer)
      .select(['bugs.id', 'bugs.dupe_of_id'])
      .where('bugs.id', 'in', d.integersIn(JSON.stringify(ids))),
  )
}
