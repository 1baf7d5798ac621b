import { masked } from '../text/masked.ts'

// How errors repeat what a client sent: in the message, and as data.

export function because(hint: string | undefined) {
  return hint ? `: ${hint}` : ''
}

export function quoted(text: string) {
  return `“${shortened(text)}”`
}

export function shown(value: unknown) {
  return typeof value === 'string' ? quoted(value) : shortened(asJson(value))
}

export function asJson(value: unknown) {
  return JSON.stringify(value) ?? 'nothing'
}

/** The first few of several names. */
export function listed(names: readonly string[]) {
  return [...names.slice(0, MOST_LISTED).map(shortened), ...(names.length > MOST_LISTED ? ['…'] : [])].join(', ')
}

export const MOST_LISTED = 10

/**
 * A message repeats the beginning of the input without credentials. They are masked before the text is cut, or half a
 * key could remain.
 */
export function shortened(text: string) {
  const shown = masked(text.slice(0, MOST_LOOKED_AT))
  return shown.length > MOST_REPEATED ? `${shown.slice(0, MOST_REPEATED).replace(/[\ud800-\udbff]$/, '')}…` : shown
}

const MOST_REPEATED = 40
/** A credential that begins within the repeated part ends within this limit, or is cut as a whole. */
const MOST_LOOKED_AT = 10_000

export type ErrorValue = string | number | boolean
export type ErrorValues = Readonly<Record<string, ErrorValue | readonly ErrorValue[]>>

/** Details that are parts of a sentence, which may change with it. */
const PROSE: ReadonlySet<string> = new Set([
  'field',
  'found',
  'hint',
  'known',
  'need',
  'reason',
  'remedy',
  'right',
  'subject',
  'why',
])

/**
 * The details of an error for programs: those that its message shows, and no more of them. `named` is the detail that has its own
 * property.
 */
export function valuesIn(
  details: object,
  shown: ReadonlySet<PropertyKey>,
  named: PropertyKey | undefined,
): ErrorValues | undefined {
  const values = Object.entries(details)
    .filter(([name, value]) => shown.has(name) && !PROSE.has(name) && name !== named && isShown(value))
    .map(([name, value]) => [name, isList(name, value) ? value.slice(0, MOST_LISTED).map(plain) : plain(value)])
  return values.length === 0 ? undefined : Object.fromEntries(values)
}

/** `…` stands for input that no message repeats. */
function isShown(value: unknown) {
  return value !== undefined && value !== null && value !== '…'
}

/** Input of a client can be a list too, but messages show it as one text. */
function isList(name: string, value: unknown): value is readonly unknown[] {
  return Array.isArray(value) && name !== 'value' && name !== 'status'
}

function plain(value: unknown): ErrorValue {
  if (typeof value === 'boolean' || Number.isFinite(value)) return value as boolean | number
  return shortened(typeof value === 'string' ? value : asJson(value))
}
