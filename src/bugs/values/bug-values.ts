import type { FieldDefinitions, FieldValue } from '../../catalogue/fields/field.ts'
import { restNameOf } from '../../catalogue/fields/field-names.ts'
import { errors } from '../../platform/errors.ts'
import { isLongerThan } from '../../platform/text/characters.ts'
import { sameAs } from '../../platform/text/fold.ts'
import { readDate } from '../../platform/time/read-time.ts'

// Parses the values that clients send for fields of a bug, for all calls.

/** One text. Null means empty. */
export function textIn(name: string, input: unknown): string {
  if (typeof input === 'string') return input
  if (input === undefined || input === null) return ''
  if (typeof input === 'number' || typeof input === 'boolean') return String(input)
  throw errors.bad_value({ name, value: input, right: 'it must be a single text' })
}

/** Text of a single line. Line breaks and control characters become spaces, because it appears in lists and mail headers. */
export function lineIn(name: string, input: unknown): string {
  return textIn(name, input)
    .replace(/[\p{Cc}\u2028\u2029]/gu, ' ')
    .trim()
}

const LONGEST_SUMMARY = 255

export function summaryIn(input: unknown): string {
  const summary = lineIn('summary', input)
  if (summary === '') throw errors.summary_empty()
  if (isLongerThan(summary, LONGEST_SUMMARY)) throw errors.text_too_long({ name: 'summary', most: LONGEST_SUMMARY })
  return summary
}

/** compat: Bugzilla has no limit. A change of a thousand bugs writes the text a thousand times, and the history keeps both. */
const LONGEST_LINE = 65_535

/** A long text of a single line. */
export function longLineIn(name: 'url' | 'whiteboard', input: unknown): string {
  const line = lineIn(name, input)
  if (isLongerThan(line, LONGEST_LINE)) throw errors.text_too_long({ name, most: LONGEST_LINE })
  return line
}

/** compat: `http://`, which Bugzilla's forms contain at the start, means empty. */
export function urlIn(input: unknown): string {
  const url = longLineIn('url', input)
  return url === 'http://' ? '' : url
}

/** A date without a time; null if empty. */
export function deadlineIn(input: unknown): string | null {
  const text = textIn('deadline', input).trim()
  if (text === '') return null
  const date = readDate(text)
  if (!date?.isWholeDay) throw errors.bad_day({ name: 'deadline', value: input })
  return date.time.slice(0, 10)
}

const MOST_HUNDREDTHS = 9_999_999

/** Hours, in hundredths. Only work_time can be negative, to correct earlier entries. */
export function hoursIn(name: 'estimated_time' | 'remaining_time' | 'work_time', input: unknown): number {
  const text = textIn(name, input).trim()
  if (!/^[+-]?(?:\d+\.?\d*|\.\d+)$/.test(text)) throw errors.not_hours({ name, value: input })
  const hundredths = Math.round(Number(text) * 100)
  if (hundredths > MOST_HUNDREDTHS) throw errors.number_too_large({ name, value: input, most: '99999.99' })
  const least = name === 'work_time' ? -MOST_HUNDREDTHS : 0
  if (hundredths < least) throw errors.number_too_small({ name, value: input, least: String(least / 100) })
  return hundredths
}

/** Standard select fields, by their names in the call for fields. */
export type SelectField = 'bug_status' | 'resolution' | 'priority' | 'bug_severity' | 'op_sys' | 'rep_platform'

/** The value with this name, in any letter case. Throws for a disabled value, unless the bug already has it. */
export function valueIn(fields: FieldDefinitions, field: SelectField, input: unknown, keptId?: number): FieldValue {
  const name = restNameOf(field)
  const text = textIn(name, input).trim()
  if (text === '') throw errors.parameter_required({ name })
  const isNamed = sameAs(text)
  const value = fields.valuesOf(field).find((it) => isNamed(it.name))
  if (value === undefined) throw errors.no_such_object({ what: name, ref: text })
  if (value.is_active === 0 && value.id !== keptId)
    throw errors.refused({ why: `The ${name} ${value.name} is no longer in use` })
  return value
}
