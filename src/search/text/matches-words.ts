import { type RawBuilder, sql } from 'kysely'
import type { Dialect, IdRange, WordIndex } from '../../platform/dialects/dialect.ts'
import type { WantedWords, WordTerm } from '../../platform/text/word-terms.ts'
import { inSummary } from '../../platform/text/words.ts'
import { isListed } from '../conditions/candidates.ts'
import { always, type Condition, never } from '../conditions/condition.ts'
import { allOf, anyOf, not } from '../conditions/conditions.ts'
import { BUGS_WITH_A_WORD } from '../thresholds.ts'
import { type KnownTexts, keyOf } from './known-texts.ts'

/** Who looks for words: those of private comments are found by insiders alone. */
export interface WordReader {
  readonly isInsider: boolean
}

/**
 * Whether the bug has the words: each of them somewhere in its summary or in a comment that the reader may see. Where nothing is looked
 * for, nothing is found.
 */
export function matchesWords(
  dialect: Dialect,
  { all, none }: WantedWords,
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
    return anyOf(indexes.map((index) => dialect.hasWords(index, term, sql.ref<number>('bugs.id'))))
  const bugs = indexes.map((index) => dialect.bugsWithWords(index, term, known.range))
  return isListed(sql`${sql.join(bugs, sql` union all `)}`, known.places.get(key) ?? BUGS_WITH_A_WORD)
}

/**
 * How well the bug answers: the number of terms that its summary has. The score looks at nothing but the bug and what was asked, so that
 * no bug that the reader cannot see moves another, and so that both engines agree.
 */
export function relevanceOf(dialect: Dialect, { all }: WantedWords, range?: IdRange): RawBuilder<number> {
  const points = all.map(
    (term) =>
      sql`(case when bugs.id in (${dialect.bugsWithWords('bug_words', inSummaries(term), range)}) then 1 else 0 end)`,
  )
  return points.length === 0 ? sql<number>`0` : sql<number>`(${sql.join(points, sql` + `)})`
}

/** The first bugs, by id, whose summary has every term: none is more relevant. */
export function mostRelevant(dialect: Dialect, { all }: WantedWords, from: number, most: number): RawBuilder<unknown> {
  return dialect.firstBugsWithAll('bug_words', all.map(inSummaries), from, most)
}

function inSummaries({ words, isPrefix }: WordTerm): WordTerm {
  return { words: words.map(inSummary), isPrefix }
}
