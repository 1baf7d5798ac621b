import { sql } from 'kysely'
import type { Dialect } from '../../platform/dialects/dialect.ts'
import { faultInSearched } from '../../platform/dialects/postgres-pattern.ts'
import { textFunctions } from '../../platform/dialects/text-functions.ts'
import type { TextTest } from '../../platform/dialects/text-tests.ts'
import { errors } from '../../platform/errors.ts'
import { fold } from '../../platform/text/fold.ts'
import { compilePattern } from '../../platform/text/regexps.ts'
import { dateIn, timeIn } from '../parsing/search-dates.ts'
import { type Condition, constantCondition, never, type Sql, withSubquery } from './condition.ts'
import { testedText } from './text-conditions.ts'

/** A value in a row, with the tests that operators use. All input is text as the caller sent it. */
export interface ComparedValue {
  equals(input: string): Condition
  equalsAny(input: readonly string[]): Condition
  contains(input: string): Condition
  /** Case-sensitive. */
  containsExactly(input: string): Condition
  hasWord(input: string): Condition
  /** Where several words can be tested as one list. */
  hasAnyWord?(input: readonly string[]): Condition
  hasPattern(input: string): Condition
  compares(sign: ComparisonSign, input: string): Condition
  /** Neither an empty text nor zero. */
  isFilled: Condition
  sort: SortBy
  /** It can be null, which sorts like an empty value. */
  isOptional?: boolean
}

/** The expression that a value is sorted by, and the value that stands for null. */
export interface SortBy {
  readonly by: Sql
  readonly empty: '' | 0
}

export type ComparisonSign = '<' | '<=' | '>' | '>='

/** All comparison signs that are written into SQL, so that none can come from a request. */
const SIGNS = { '<': sql`<`, '<=': sql`<=`, '>': sql`>`, '>=': sql`>=` } as const

export function compared(one: Sql, sign: ComparisonSign, other: Sql): Condition {
  return sql`${one} ${SIGNS[sign]} ${other}`
}

/** Text, and its case-folded form, with which it is compared. */
export function text(dialect: Dialect, written: Sql, folded?: Sql): ComparedValue {
  const { folded: foldedBy, hasWord, hasPattern } = textFunctions(dialect)
  const key = (folded ?? foldedBy(written)) as Sql & ReturnType<typeof foldedBy>
  const tested = (condition: Condition, test: TextTest) => testedText(dialect, condition, written, test)
  // Text with a stored folded form is tested in SQL. Other text may be long.
  const testedIfLong = (condition: Condition, test: TextTest) =>
    folded === undefined ? tested(condition, test) : condition
  return {
    equals: (input) => testedIfLong(sql`${key} = ${fold(input)}`, { equalsAny: [fold(input)] }),
    equalsAny: (input) => testedIfLong(isAnyOf(dialect, key, input.map(fold)), { equalsAny: input.map(fold) }),
    contains: (input) => testedIfLong(dialect.contains(key, fold(input)), { contains: fold(input) }),
    containsExactly: (input) =>
      testedIfLong(dialect.contains(sql<string>`${written}`, input), { containsExactly: input }),
    hasWord: (input) => tested(hasWord(key, fold(input)), { hasWord: fold(input) }),
    hasPattern: (input) => tested(hasPattern(written, usablePattern(input)), { hasPattern: input }),
    compares: (sign, input) => testedIfLong(compared(key, sign, sql`${fold(input)}`), comparison(sign, fold(input))),
    isFilled: sql`${written} <> ''`,
    sort: { by: folded ?? foldedBy(sql`substr(${written}, 1, ${sql.lit(LONGEST_SORTED)})`), empty: '' },
  }
}

/** Bugs are sorted by the first characters of long texts. */
const LONGEST_SORTED = 200

function comparison(sign: ComparisonSign, text: string): TextTest {
  return sign.startsWith('<')
    ? { isBelow: text, orEqual: sign.endsWith('=') }
    : { isAbove: text, orEqual: sign.endsWith('=') }
}

/** A list is bound as one value. */
function isAnyOf(dialect: Dialect, stored: Sql, texts: readonly string[]): Condition {
  if (texts.length === 0) return never
  return texts.length === 1
    ? sql`${stored} = ${texts[0]}`
    : withSubquery(sql`${stored} in ${dialect.textsIn(JSON.stringify(texts))}`)
}

function usablePattern(input: string) {
  const fault = faultInSearched(input)
  if (fault !== undefined)
    throw errors.bad_value({ name: 'regexp', value: input, right: `it must be a regular expression (${fault})` })
  return input
}

/** An integer. The input is in units of `scale`: hours are stored as hundredths. */
export function number(dialect: Dialect, name: string, stored: Sql, scale = 1): ComparedValue {
  const written = scale === 1 ? sql`cast(${stored} as text)` : decimal(stored, scale)
  const exactly = (input: string) => {
    const wanted = numberIn(input)
    return wanted === undefined || scale === 1 ? wanted : withoutRoundingFault(wanted * scale)
  }
  return {
    ...text(dialect, written, written),
    equals(input) {
      const wanted = exactly(input)
      return wanted !== undefined && isPossible(wanted) ? sql`${stored} = ${wanted}` : never
    },
    equalsAny(input) {
      const wanted = input.map(exactly).filter((it) => it !== undefined && isPossible(it))
      return wanted.length === 0 ? never : withSubquery(sql`${stored} in ${dialect.integersIn(JSON.stringify(wanted))}`)
    },
    compares(sign, input) {
      const wanted = exactly(input)
      if (wanted === undefined) throw errors.not_a_number({ name, value: input })
      // Between two whole numbers: below 2.5 is below 3, and above 2.5 is above 2.
      const bound = sign === '<' || sign === '>=' ? Math.ceil(wanted) : Math.floor(wanted)
      return compared(stored, sign, sql`${Math.max(-LARGEST, Math.min(LARGEST, bound))}`)
    },
    isFilled: sql`${stored} <> 0`,
    sort: { by: stored, empty: 0 },
  }
}

/** 0.29 hours are 29 hundredths, though 0.29 * 100 is 28.999999999999996. */
function withoutRoundingFault(scaled: number) {
  const nearest = Math.round(scaled)
  return Math.abs(scaled - nearest) < 1e-6 ? nearest : scaled
}

/** The largest value of an integer column. */
const LARGEST = 2_147_483_647

function isPossible(wanted: number) {
  return Number.isInteger(wanted) && Math.abs(wanted) <= LARGEST
}

function numberIn(input: string): number | undefined {
  return /^\s*[+-]?\d{1,15}(\.\d{0,15})?\s*$/.test(input) ? Number(input) : undefined
}

/** With a decimal point and two digits. */
function decimal(stored: Sql, scale: number): Sql {
  const rest = sql`abs(${stored}) % ${sql.lit(scale)}`
  return sql`(case when ${stored} < 0 then '-' else '' end || cast(abs(${stored}) / ${sql.lit(scale)} as text)
    || case when ${rest} < 10 then '.0' else '.' end || cast(${rest} as text))`
}

/** A boolean, stored as 1 or 0. */
export function yesOrNo(dialect: Dialect, name: string, stored: Sql): ComparedValue {
  const digits = number(dialect, name, stored)
  const digit = (input: string) => (/^true$/i.test(input.trim()) ? '1' : /^false$/i.test(input.trim()) ? '0' : input)
  return {
    ...digits,
    equals: (input) => digits.equals(digit(input)),
    equalsAny: (input) => digits.equalsAny(input.map(digit)),
    compares: (sign, input) => digits.compares(sign, digit(input)),
  }
}

/** A time, or a date without a time of day. */
export function moment(dialect: Dialect, name: string, stored: Sql, now: number, kind: 'time' | 'date'): ComparedValue {
  const read = (input: string) => (kind === 'date' ? dateIn : timeIn)(name, input, now)
  return {
    ...text(dialect, stored, sql`lower(${stored})`),
    equals: (input) => sql`${stored} = ${read(input)}`,
    equalsAny: (input) => isAnyOf(dialect, stored, input.map(read)),
    compares: (sign, input) => compared(stored, sign, sql`${read(input)}`),
    isFilled: sql`${stored} <> ''`,
    sort: { by: stored, empty: '' },
  }
}

/** The value of a reference that is null. */
export const emptyValue: ComparedValue = {
  equals: (input) => constantCondition(input === ''),
  equalsAny: (input) => constantCondition(input.includes('')),
  contains: (input) => constantCondition(input === ''),
  containsExactly: (input) => constantCondition(input === ''),
  hasWord: () => never,
  hasPattern: (input) => constantCondition(compilePattern(usablePattern(input)).occursIn('')),
  compares: (sign, input) =>
    constantCondition((sign.startsWith('<') && input !== '') || (sign.endsWith('=') && input === '')),
  isFilled: never,
  sort: { by: sql`''`, empty: '' },
}
