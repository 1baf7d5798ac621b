import { sql } from 'kysely'
import type { Dialect } from '../../platform/dialects/dialect.ts'
import { faultInSearched } from '../../platform/dialects/postgres-pattern.ts'
import { textFunctions } from '../../platform/dialects/text-functions.ts'
import type { TextTest } from '../../platform/dialects/text-tests.ts'
import { errors } from '../../platform/errors.ts'
import { fold } from '../../platform/text/fold.ts'
import { compilePattern } from '../../platform/text/regexps.ts'
import { dateIn, timeIn } from '../parsing/search-dates.ts'
import { type Condition, constantCondition, never, type Sql } from './condition.ts'
import { testedText } from './text-conditions.ts'

/** A value in some row, with what operators can ask about it. All text that is given is what somebody typed. */
export interface ComparedValue {
  equals(given: string): Condition
  equalsAny(given: readonly string[]): Condition
  contains(given: string): Condition
  /** Capital letters differ from small ones. */
  containsExactly(given: string): Condition
  hasWord(given: string): Condition
  /** Where any number of words can be looked for as one list. */
  hasAnyWord?(given: readonly string[]): Condition
  hasPattern(given: string): Condition
  compares(sign: ComparisonSign, given: string): Condition
  /** There is something: no empty text, no zero. */
  isFilled: Condition
  sort: SortBy
  /** There may be none, which sorts like an empty one. */
  isOptional?: boolean
}

/** What a value is sorted by, and what stands for none. */
export interface SortBy {
  readonly by: Sql
  readonly empty: '' | 0
}

export type ComparisonSign = '<' | '<=' | '>' | '>='

/** Signs are written out here and nowhere else, so that none can come from outside. */
const SIGNS = { '<': sql`<`, '<=': sql`<=`, '>': sql`>`, '>=': sql`>=` } as const

export function compared(one: Sql, sign: ComparisonSign, other: Sql): Condition {
  return sql`${one} ${SIGNS[sign]} ${other}`
}

/** Text, as it is and in the form in which it is compared. */
export function text(dialect: Dialect, written: Sql, folded?: Sql): ComparedValue {
  const { folded: foldedBy, hasWord, hasPattern } = textFunctions(dialect)
  const key = (folded ?? foldedBy(written)) as Sql & ReturnType<typeof foldedBy>
  const tested = (condition: Condition, test: TextTest) => testedText(dialect, condition, written, test)
  // What is kept folded is compared by SQL alone, and what is not may be long.
  const testedIfLong = (condition: Condition, test: TextTest) =>
    folded === undefined ? tested(condition, test) : condition
  return {
    equals: (given) => testedIfLong(sql`${key} = ${fold(given)}`, { equalsAny: [fold(given)] }),
    equalsAny: (given) => testedIfLong(isAnyOf(dialect, key, given.map(fold)), { equalsAny: given.map(fold) }),
    contains: (given) => testedIfLong(dialect.contains(key, fold(given)), { contains: fold(given) }),
    containsExactly: (given) =>
      testedIfLong(dialect.contains(sql<string>`${written}`, given), { containsExactly: given }),
    hasWord: (given) => tested(hasWord(key, fold(given)), { hasWord: fold(given) }),
    hasPattern: (given) => tested(hasPattern(written, usablePattern(given)), { hasPattern: given }),
    compares: (sign, given) => testedIfLong(compared(key, sign, sql`${fold(given)}`), comparison(sign, fold(given))),
    isFilled: sql`${written} <> ''`,
    sort: { by: folded ?? foldedBy(sql`substr(${written}, 1, ${sql.lit(LONGEST_SORTED)})`), empty: '' },
  }
}

/** Bugs are sorted by the beginnings of long texts. */
const LONGEST_SORTED = 200

function comparison(sign: ComparisonSign, text: string): TextTest {
  return sign.startsWith('<')
    ? { isBelow: text, orEqual: sign.endsWith('=') }
    : { isAbove: text, orEqual: sign.endsWith('=') }
}

/** A list is one value, however long it is. */
function isAnyOf(dialect: Dialect, kept: Sql, texts: readonly string[]): Condition {
  if (texts.length === 0) return never
  return texts.length === 1 ? sql`${kept} = ${texts[0]}` : sql`${kept} in ${dialect.textsIn(JSON.stringify(texts))}`
}

function usablePattern(given: string) {
  const fault = faultInSearched(given)
  if (fault !== undefined)
    throw errors.bad_value({ name: 'regexp', value: given, right: `it is no regular expression (${fault})` })
  return given
}

/** A whole number. What was typed may be a number `scale` times smaller, as hours are to what is kept of them. */
export function number(dialect: Dialect, name: string, kept: Sql, scale = 1): ComparedValue {
  const written = scale === 1 ? sql`cast(${kept} as text)` : decimal(kept, scale)
  const exactly = (given: string) => {
    const wanted = numberIn(given)
    return wanted === undefined ? undefined : wanted * scale
  }
  return {
    ...text(dialect, written, written),
    equals(given) {
      const wanted = exactly(given)
      return wanted !== undefined && isPossible(wanted) ? sql`${kept} = ${wanted}` : never
    },
    equalsAny(given) {
      const wanted = given.map(exactly).filter((it) => it !== undefined && isPossible(it))
      return wanted.length === 0 ? never : sql`${kept} in ${dialect.integersIn(JSON.stringify(wanted))}`
    },
    compares(sign, given) {
      const wanted = exactly(given)
      if (wanted === undefined) throw errors.not_a_number({ name, value: given })
      // Between two whole numbers: below 2.5 is below 3, and above 2.5 is above 2.
      const bound = sign === '<' || sign === '>=' ? Math.ceil(wanted) : Math.floor(wanted)
      return compared(kept, sign, sql`${Math.max(-LARGEST, Math.min(LARGEST, bound))}`)
    },
    isFilled: sql`${kept} <> 0`,
    sort: { by: kept, empty: 0 },
  }
}

/** What a column of integers can hold. */
const LARGEST = 2_147_483_647

function isPossible(wanted: number) {
  return Number.isInteger(wanted) && Math.abs(wanted) <= LARGEST
}

function numberIn(given: string): number | undefined {
  return /^\s*[+-]?\d{1,15}(\.\d{0,15})?\s*$/.test(given) ? Number(given) : undefined
}

/** With a point and two digits after it. */
function decimal(kept: Sql, scale: number): Sql {
  const rest = sql`abs(${kept}) % ${sql.lit(scale)}`
  return sql`(case when ${kept} < 0 then '-' else '' end || cast(abs(${kept}) / ${sql.lit(scale)} as text)
    || case when ${rest} < 10 then '.0' else '.' end || cast(${rest} as text))`
}

/** Yes or no, kept as 1 or 0. */
export function yesOrNo(dialect: Dialect, name: string, kept: Sql): ComparedValue {
  const digits = number(dialect, name, kept)
  const digit = (given: string) => (/^true$/i.test(given.trim()) ? '1' : /^false$/i.test(given.trim()) ? '0' : given)
  return {
    ...digits,
    equals: (given) => digits.equals(digit(given)),
    equalsAny: (given) => digits.equalsAny(given.map(digit)),
    compares: (sign, given) => digits.compares(sign, digit(given)),
  }
}

/** A time, or a date, which has no hours. */
export function moment(dialect: Dialect, name: string, kept: Sql, now: number, kind: 'time' | 'date'): ComparedValue {
  const read = (given: string) => (kind === 'date' ? dateIn : timeIn)(name, given, now)
  return {
    ...text(dialect, kept, sql`lower(${kept})`),
    equals: (given) => sql`${kept} = ${read(given)}`,
    equalsAny: (given) => isAnyOf(dialect, kept, given.map(read)),
    compares: (sign, given) => compared(kept, sign, sql`${read(given)}`),
    isFilled: sql`${kept} <> ''`,
    sort: { by: kept, empty: '' },
  }
}

/** No text at all, about which everything is known without asking. */
export const nothing: ComparedValue = {
  equals: (given) => constantCondition(given === ''),
  equalsAny: (given) => constantCondition(given.includes('')),
  contains: (given) => constantCondition(given === ''),
  containsExactly: (given) => constantCondition(given === ''),
  hasWord: () => never,
  hasPattern: (given) => constantCondition(compilePattern(usablePattern(given)).occursIn('')),
  compares: (sign, given) =>
    constantCondition((sign.startsWith('<') && given !== '') || (sign.endsWith('=') && given === '')),
  isFilled: never,
  sort: { by: sql`''`, empty: '' },
}
