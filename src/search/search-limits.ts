import { fieldNameOf } from '../../shared/bug-fields/field-names.ts'
import { errors } from '../platform/errors.ts'
import { operatorInput } from './conditions/operators.ts'
import { type Criterion, criteriaIn, type OperatorName, type Query } from './parsing/query.ts'

/** A larger search takes the engines longer to plan than to run, and SQLite refuses it. */
export const MOST_CRITERIA = 300
const MOST_WORDS = 100
const MOST_WORDS_OF_ALL = 500
const MOST_BRACKETS = 50
const MOST_CHARACTERS_OF_QUICKSEARCH = 10_000
const MOST_COLUMNS = 20
/** Each is compiled, and tested on every text. */
const MOST_PATTERNS = 50

/** Refuses a query that is too large, before anything is compiled or looked up for it. */
export function requireSmall(query: Query) {
  const criteria = criteriaIn(query)
  requireAtMost(MOST_CRITERIA, 'criteria', criteria.length)
  requireAtMost(MOST_PATTERNS, 'regular expressions', patternsIn(query).length)
  const words = criteria.map(countWords)
  requireAtMost(MOST_WORDS, 'words in one criterion', Math.max(0, ...words))
  requireAtMost(
    MOST_WORDS_OF_ALL,
    'words in all criteria together',
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
  requireAtMost(MOST_CHARACTERS_OF_QUICKSEARCH, 'characters in a quicksearch', line.length)
}

export function requireFewBrackets(depth: number) {
  requireAtMost(MOST_BRACKETS, 'brackets inside each other', depth)
}

export function requireFewColumns(count: number) {
  requireAtMost(MOST_COLUMNS, 'columns to sort by', count)
}

function requireAtMost(most: number, what: string, count: number) {
  if (count > most) throw errors.search_too_large({ subject: what, most })
}
