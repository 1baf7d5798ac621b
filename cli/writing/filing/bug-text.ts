// A bug as text: in the editor, and in the file that keeps it until it is filed.
import { shownValue } from '../../reading/shown-value.ts'
import { linesOf } from '../../text/clean-text.ts'
import { FIELD_NAMES, type Fields, flagOf, itemsOf, typedValue } from '../field-options.ts'
import { type FormField, formText, readForm } from './bug-form.ts'

/** These lines are always there. */
const LINES: readonly FormField[] = [
  { label: 'Summary', name: 'summary' },
  { label: 'Product', name: 'product' },
  { label: 'Component', name: 'component' },
  { label: 'Version', name: 'version' },
]
/** These may be added. Other words with a colon may be the beginning of a description. */
const MORE = new Set([...FIELD_NAMES, 'flags'])
/** Of any other field, and so that it is not taken for a description. */
const SET = 'set '

export interface BugText {
  readonly fields: Fields
  /** Lines before the empty one that are no field. */
  readonly unknown: readonly string[]
}

export function bugText(fields: Fields): string {
  const more = othersIn(fields)
    .filter((name) => !hasSeveralLines(fields[name]))
    .map((name) => ({ label: MORE.has(name) ? name : `${SET}${name}`, name }))
  const form = [...LINES, ...more]
  const values = new Map(form.map(({ name }) => [name, shownValue(fields[name])]))
  return formText(form, values, shownValue(fields.description))
}

/** What the text cannot have. */
export function withoutLine(fields: Fields): Fields {
  const names = othersIn(fields).filter((name) => hasSeveralLines(fields[name]))
  return Object.fromEntries(names.map((name) => [name, fields[name]]))
}

function othersIn(fields: Fields): string[] {
  const isOther = (name: string) => name !== 'description' && !LINES.some((it) => it.name === name)
  return Object.keys(fields).filter((name) => isOther(name) && shownValue(fields[name]) !== '')
}

function hasSeveralLines(value: unknown) {
  return linesOf(shownValue(value)).length > 1
}

/** The fields that the text has. An empty line of the form is not among them: the server fills such a field. */
export function readBugText(text: string): BugText {
  const labels = text.split('\n').map((line) => line.split(':')[0]?.trim().toLowerCase() ?? '')
  const more = labels
    .filter((label) => MORE.has(label) || /^set \w+$/.test(label))
    .map((label) => ({ label, name: label.replace(SET, '') }))
  const form = readForm([...LINES, ...more], text)
  const fields: Fields = { description: form.text }
  const unknown = [...form.unknown]
  for (const [name, value] of form.fields) {
    if (value === '') continue
    const read = name === 'flags' ? flagsIn(value) : typedValue(name, value)
    if (read === undefined) unknown.push(`${name}: ${value}`)
    else fields[name] = read
  }
  return { fields, unknown }
}

/** Undefined if one of them is not understood. */
function flagsIn(value: string) {
  try {
    return itemsOf(value).map(flagOf)
  } catch {
    return undefined
  }
}

/** The labels of what a bug needs and the text lacks. */
export function missingIn(fields: Fields): string[] {
  return LINES.filter(({ name }) => name !== 'version' && !fields[name]).map(({ label }) => label)
}
