import type { OperatorName } from '../parsing/query.ts'
import type { ComparedValue } from './compared.ts'
import type { Condition } from './condition.ts'
import { allOf, anyOf } from './conditions.ts'

/** The input of an operator: the text as sent, and the same text split into a list and into words. */
export interface OperatorInput {
  readonly text: string
  readonly list: readonly string[]
  readonly words: readonly string[]
}

/** The values of a list are not split, because they may contain commas and spaces. */
export function operatorInput(value: string | readonly string[]): OperatorInput {
  if (typeof value !== 'string') return { text: value.join(','), list: value, words: value }
  return { text: value, list: parts(value, /,/), words: parts(value, /[\s,]+/) }
}

function parts(text: string, separator: RegExp) {
  return text
    .split(separator)
    .map((part) => part.trim())
    .filter((part) => part !== '')
}

type Operator = (value: ComparedValue, input: OperatorInput) => Condition

/** The test of each operator. The operators of the history are in change-conditions.ts, and `matches` is in content.ts. */
export const OPERATORS = {
  equals: (value, { text }) => value.equals(text),
  anyexact: (value, { list }) => value.equalsAny(list),
  substring: (value, { text }) => value.contains(text),
  casesubstring: (value, { text }) => value.containsExactly(text),
  anywordssubstr: (value, { words }) => anyOf(words.map(value.contains)),
  allwordssubstr: (value, { words }) => allOf(words.map(value.contains)),
  anywords: (value, { words }) => value.hasAnyWord?.(words) ?? anyOf(words.map(value.hasWord)),
  allwords: (value, { words }) => allOf(words.map(value.hasWord)),
  regexp: (value, { text }) => value.hasPattern(text),
  lessthan: (value, { text }) => value.compares('<', text),
  lessthaneq: (value, { text }) => value.compares('<=', text),
  greaterthan: (value, { text }) => value.compares('>', text),
  greaterthaneq: (value, { text }) => value.compares('>=', text),
  isnotempty: (value) => value.isFilled,
} as const satisfies Partial<Record<OperatorName, Operator>>

export type ValueOperator = keyof typeof OPERATORS

export function isValueOperator(name: OperatorName): name is ValueOperator {
  return Object.hasOwn(OPERATORS, name)
}

/** Operators that negate another one. A bug with several items matches if the other operator holds for none of them. */
export const OPPOSITES: Partial<Record<OperatorName, OperatorName>> = {
  notequals: 'equals',
  notsubstring: 'substring',
  nowordssubstr: 'anywordssubstr',
  nowords: 'anywords',
  notregexp: 'regexp',
  notmatches: 'matches',
  isempty: 'isnotempty',
}

/** A bug with several items may have each word in another item, so each word is searched for separately, with these operators. */
export const WORD_BY_WORD: Partial<Record<OperatorName, OperatorName>> = {
  allwords: 'anywords',
  allwordssubstr: 'anywordssubstr',
}

/** Operators with which an index finds the matching items. */
export const INDEXED_OPERATORS: ReadonlySet<OperatorName> = new Set<OperatorName>(['equals', 'anyexact'])
