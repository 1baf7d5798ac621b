import type { LineRules } from '../../../shared/bug-fields/bug-field.ts'
import { BUG_FIELDS } from '../../../shared/bug-fields/bug-fields.ts'
import { restNameOf } from '../../../shared/bug-fields/field-names.ts'
import type { FieldDefinitions, FieldValue, SelectField } from '../../catalogue/fields/field.ts'
import { aboutField } from '../../platform/about-field.ts'
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

/** The fields that are one line of text. */
export type LineField = Extract<(typeof BUG_FIELDS)[number], { kind: 'line' }>

export const LINE_FIELDS = BUG_FIELDS.filter((field): field is LineField => field.kind === 'line')

/** The line that a client sends for a field, within its rules. */
export function fieldLineIn(field: LineField, input: unknown): string {
  return aboutField(field.name, () => lineWithin(field, input))
}

function lineWithin({ name, line: rules }: LineField, input: unknown): string {
  const { mostCharacters, isRequired, meansEmpty }: LineRules = rules
  const line = lineIn(name, input)
  if (isRequired && line === '') throw errors.summary_empty()
  // compat: Bugzilla has no limit. A change of a thousand bugs writes the text a thousand times, and the history keeps both.
  if (isLongerThan(line, mostCharacters)) throw errors.text_too_long({ name, most: mostCharacters })
  return line === meansEmpty ? '' : line
}

/** A date without a time; null if empty. */
export function deadlineIn(input: unknown): string | null {
  return aboutField('deadline', () => dayIn(input))
}

function dayIn(input: unknown): string | null {
  const text = textIn('deadline', input).trim()
  if (text === '') return null
  const date = readDate(text)
  if (!date?.isWholeDay) throw errors.bad_day({ name: 'deadline', value: input })
  return date.time.slice(0, 10)
}

const MOST_HUNDREDTHS = 9_999_999

/** Hours, in hundredths. Only work_time can be negative, to correct earlier entries. */
export function hoursIn(name: HoursField, input: unknown): number {
  return aboutField(name, () => hundredthsIn(name, input))
}

type HoursField = 'estimated_time' | 'remaining_time' | 'work_time'

function hundredthsIn(name: HoursField, input: unknown): number {
  const text = textIn(name, input).trim()
  if (!/^[+-]?(?:\d+\.?\d*|\.\d+)$/.test(text)) throw errors.not_hours({ name, value: input })
  const hundredths = Math.round(Number(text) * 100)
  if (hundredths > MOST_HUNDREDTHS) throw errors.number_too_large({ name, value: input, most: '99999.99' })
  const least = name === 'work_time' ? -MOST_HUNDREDTHS : 0
  if (hundredths < least) throw errors.number_too_small({ name, value: input, least: String(least / 100) })
  return hundredths
}

/** The choices that have a default from a parameter, in the order in which they are checked. The others follow the workflow. */
export const DEFAULTED_CHOICES = BUG_FIELDS.filter((field) => field.kind === 'choice' && 'defaultFrom' in field).sort(
  (a, b) => (a.name < b.name ? -1 : 1),
)

/** The value with this name, in any letter case. Throws for a disabled value, unless the bug already has it. */
export function valueIn(fields: FieldDefinitions, field: SelectField, input: unknown, keptId?: number): FieldValue {
  const name = restNameOf(field)
  return aboutField(name, () => valueNamed(fields.valuesOf(field), name, input, keptId))
}

function valueNamed(values: readonly FieldValue[], name: string, input: unknown, keptId?: number): FieldValue {
  const text = textIn(name, input).trim()
  if (text === '') throw errors.parameter_required({ name })
  const isNamed = sameAs(text)
  const value = values.find((it) => isNamed(it.name))
  if (value === undefined) throw errors.no_such_object({ what: name, ref: text })
  if (value.is_active === 0 && value.id !== keptId) throw errors.value_not_in_use({ what: name, name: value.name })
  return value
}
