// A bug as text: in the editor, and in the file that keeps it until it is filed.
import { shownValue } from '../reading/shown-value.ts'
import { type FormField, formText, readForm } from './bug-form.ts'
import { type Fields, flagOf, itemsOf, typedValue } from './field-options.ts'

/** These lines are always there. */
const LINES: readonly FormField[] = [
  { label: 'Summary', name: 'summary' },
  { label: 'Product', name: 'product' },
  { label: 'Component', name: 'component' },
  { label: 'Version', name: 'version' },
]
/** These are there if they have a value, and may be added. Other words with a colon may be the beginning of a description. */
const MORE =
  /^(?:priority|severity|type|target_milestone|status|resolution|assigned_to|qa_contact|alias|cc|keywords|see_also|groups|depends_on|blocks|url|whiteboard|op_sys|platform|deadline|flags|cf_\w+)$/i

export interface BugText {
  readonly fields: Fields
  /** Lines before the empty one that are no field. */
  readonly unknown: readonly string[]
}

export function bugText(fields: Fields): string {
  const more = Object.keys(fields).filter((name) => MORE.test(name) && shownValue(fields[name]) !== '')
  const form = [...LINES, ...more.map((name) => ({ label: name, name }))]
  const values = new Map(form.map(({ name }) => [name, shownValue(fields[name])]))
  return formText(form, values, shownValue(fields.description))
}

/** The fields that the text has. An empty line of the form is not among them: the server fills such a field. */
export function readBugText(text: string): BugText {
  const labels = text.split('\n').map((line) => line.split(':')[0]?.trim().toLowerCase() ?? '')
  const more = labels.filter((label) => MORE.test(label)).map((name) => ({ label: name, name }))
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

/** Whether the text can have the field. Its description is below the lines. */
export function hasLine(name: string): boolean {
  return name === 'description' || LINES.some((it) => it.name === name) || MORE.test(name)
}

/** The labels of what a bug needs and the text lacks. */
export function missingIn(fields: Fields): string[] {
  return LINES.filter(({ name }) => name !== 'version' && !fields[name]).map(({ label }) => label)
}
