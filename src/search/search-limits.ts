import { fieldNameOf } from '../../shared/bug-fields/field-names.ts'
import { errors } from '../platform/errors.ts'
import { operatorInput } from './conditions/operators.ts'
import { type Criterion, criteriaIn, type OperatorName, type Query } from './parsing/query.ts'

/** A larger search takes the engines longer to plan than to run, and SQLite refuses it. */
export const MOST_CRITERIA = 300
/** What a search can have at most: the name of each limit in errors, and its words in their messages. */
const LIMITS = {
  criteria: { most: MOST_CRITERIA, what: 'criteria' },
  // Each is compiled, and tested on every text.
  regular_expressions: { most: 50, what: 'regular expressions' },
  criterion_words: { most: 100, what: 'words in one criterion' },
  words: { most: 500, what: 'words in all criteria together' },
  quicksearch_characters: { most: 10_000, what: 'characters in a quicksearch' },
  brackets: { most: 50, what: 'brackets inside each other' },
  order_columns: { most: 20, what: 'columns to sort by' },
} as const

/** Refuses a query that is too large, before anything is compiled or looked up for it. */
export function requireSmall(query: Query) {
  const criteria = criteriaIn(query)
  requireAtMost('criteria', criteria.length)
  requireAtMost('regular_expressions', patternsIn(query).length)
  const words = criteria.map(countWords)
  requireAtMost('criterion_words', Math.max(0, ...words))
  requireAtMost(
    'words',
    words.reduce((sum, count) => sum + count, 0),
  )
}

/** The regular expressions of a query. */
export function patternsIn(query: Query): string[] {
  return criteriaIn(query)
    .filter(({ operator }) => operator === 'regexp' || operator === 'notregexp')
    .map(({ value }) => operatorInput(value).text)
}

/** The number of conditions in a query, where each word is one. */
export function countTerms(query: Query): number {
  return criteriaIn(query).reduce((sum, criterion) => sum + Math.max(1, countWords(criterion)), 0)
}

/** Ids of bugs are one list, so that their number is not limited. */
function countWords({ field, operator, value }: Criterion): number {
  const isList = fieldNameOf(field) === 'bug_id' && (operator === 'anywords' || operator === 'nowords')
  return WORD_OPERATORS.has(operator) && !isList ? operatorInput(value).words.length : 0
}

const WORD_OPERATORS: ReadonlySet<OperatorName> = new Set<OperatorName>([
  'anywords',
  'allwords',
  'nowords',
  'anywordssubstr',
  'allwordssubstr',
  'nowordssubstr',
  'matches',
  'notmatches',
])

/** Of a line, measured before it is read. Lists of ids are not read, so that their length is not limited. */
export function requireShortQuicksearch(line: string) {
  requireAtMost('quicksearch_characters', line.length)
}

export function requireFewBrackets(depth: number) {
  requireAtMost('brackets', depth)
}

export function requireFewColumns(count: number) {
  requireAtMost('order_columns', count)
}

function requireAtMost(limit: keyof typeof LIMITS, count: number) {
  const { most, what } = LIMITS[limit]
  if (count > most) throw errors.search_too_large({ limit, subject: what, most })
}
