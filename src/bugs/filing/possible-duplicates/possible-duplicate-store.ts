import { type RawBuilder, sql } from 'kysely'
import {
  bugsVisibleTo,
  isVisible,
  type ViewerParams,
  type VisibilityRules,
} from '../../../access/visibility/visible-bugs.ts'
import type { Db, LimitedDb } from '../../../platform/database/db.ts'
import type { Dialect } from '../../../platform/dialects/dialect.ts'
import type { WordTerm } from '../../../platform/text/word-terms.ts'
import { inSummary } from '../../../platform/text/words.ts'

export interface DuplicateCandidate {
  id: number
  summary: string
  dupe_of_id: number | null
}

/** The number of bugs that are compared word by word: those that are in most of the lists, the newest first. */
const MOST_CANDIDATES = 500
/** A list is not longer, because half a million bugs may have the same word. */
const LONGEST_LIST = 300
/** With more words than this, bugs with all but one of them are about as rare as bugs with all. */
const MOST_WORDS_TO_LEAVE_OUT = 10

/**
 * Visible bugs that may be similar to a summary with these words: the newest bugs with each of the words, with all of them, and with
 * all but one. Hidden bugs are left out of each list before it is cut, so that they do not push out others.
 */
export async function listCandidates(
  db: LimitedDb,
  rules: VisibilityRules,
  viewer: ViewerParams,
  words: readonly string[],
  productKeys: readonly string[] | undefined,
): Promise<DuplicateCandidate[]> {
  if (words.length === 0) return []
  const terms = words.map((word): WordTerm => ({ words: [inSummary(word)], isPrefix: false }))
  return db.querySlowly((q, d) => {
    const holds = sql`${isVisible(d, rules, viewer)} and ${isOfProducts(d, productKeys)}`
    const lists = setsToLookFor(terms).map(
      (wanted, number) => sql`select id, ${sql.lit(wanted.length)} as words
        from (${d.lastBugsWithAll('bug_words', wanted, holds, LONGEST_LIST)}) as ${sql.ref(`list${number}`)}`,
    )
    return {
      compile: () =>
        sql<DuplicateCandidate>`select bugs.id, bugs.summary, bugs.dupe_of_id from (
          select id, sum(words) as words from (${sql.join(lists, sql` union all `)}) as listed group by id
        ) as likely join bugs on bugs.id = likely.id order by likely.words desc, bugs.id desc limit ${MOST_CANDIDATES}`.compile(
          q,
        ),
    }
  })
}

function setsToLookFor(terms: readonly WordTerm[]): readonly (readonly WordTerm[])[] {
  const each = terms.map((term) => [term])
  if (terms.length < 2) return each
  const leavesOut = terms.length > 2 && terms.length <= MOST_WORDS_TO_LEAVE_OUT
  return [...each, terms, ...(leavesOut ? terms.map((_, index) => terms.toSpliced(index, 1)) : [])]
}

function isOfProducts(dialect: Dialect, productKeys: readonly string[] | undefined): RawBuilder<unknown> {
  if (productKeys === undefined) return sql`1 = 1`
  return sql`bugs.product_id in (select products.id from products
    where products.name_key in ${dialect.textsIn(JSON.stringify(productKeys))})`
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
