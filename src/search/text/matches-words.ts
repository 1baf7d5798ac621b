import { type RawBuilder, sql } from 'kysely'
import type { Dialect, IdRange, WordIndex } from '../../platform/dialects/dialect.ts'
import type { SearchWords, WordTerm } from '../../platform/text/word-terms.ts'
import { inSummary } from '../../platform/text/words.ts'
import { isListed } from '../conditions/candidates.ts'
import { always, type Condition, never, withSubquery } from '../conditions/condition.ts'
import { allOf, anyOf, not } from '../conditions/conditions.ts'
import { BUGS_WITH_A_WORD } from '../thresholds.ts'
import { type KnownTexts, keyOf } from './known-texts.ts'

/** Only insiders find the words of private comments. */
export interface WordReader {
  readonly isInsider: boolean
}

/** Whether each of the words is in the summary or in a comment that the caller may see. A search for no words finds nothing. */
export function matchesWords(
  dialect: Dialect,
  { all, none }: SearchWords,
  reader: WordReader,
  known: KnownTexts,
): Condition {
  if (all.length === 0) return never
  const has = (term: WordTerm) => hasTerm(dialect, term, reader, known)
  return allOf([...all.map(has), ...none.map((term) => not(has(term)))])
}

function hasTerm(dialect: Dialect, term: WordTerm, { isInsider }: WordReader, known: KnownTexts): Condition {
  const key = keyOf(term)
  if (known.certain?.has(key)) return always
  const indexes: WordIndex[] = isInsider ? ['bug_words', 'private_words'] : ['bug_words']
  if (known.common.has(key) && known.range === undefined)
    return anyOf(indexes.map((index) => withSubquery(dialect.hasWords(index, term, sql.ref<number>('bugs.id')))))
  const bugs = indexes.map((index) => dialect.bugsWithWords(index, term, known.range))
  return isListed(sql`${sql.join(bugs, sql` union all `)}`, known.places.get(key) ?? BUGS_WITH_A_WORD)
}

/**
 * The relevance of a bug: the number of terms in its summary. It depends only on the bug and the query, so that hidden bugs do not influence
 * it and both engines agree.
 */
export function relevanceOf(dialect: Dialect, { all }: SearchWords, range?: IdRange): RawBuilder<number> {
  const points = all.map(
    (term) =>
      sql`(case when bugs.id in (${dialect.bugsWithWords('bug_words', inSummaries(term), range)}) then 1 else 0 end)`,
  )
  return points.length === 0 ? sql<number>`0` : sql<number>`(${sql.join(points, sql` + `)})`
}

/** The first bugs, by id, whose summary has every term. No bug is more relevant. */
export function mostRelevant(dialect: Dialect, { all }: SearchWords, from: number, most: number): RawBuilder<unknown> {
  return dialect.firstBugsWithAll('bug_words', all.map(inSummaries), from, most)
}

function inSummaries({ words, isPrefix }: WordTerm): WordTerm {
  return { words: words.map(inSummary), isPrefix }
}
