// A bug that is being written: what is in the form, and what is sent.
import type { CustomValue, Field } from '../../core/types.ts'

export interface NewBug {
  product: string
  component: string
  version: string
  summary: string
  description: string
  /** Every other field, under the name that the API has for it. */
  values: Record<string, string>
  isRestricted: boolean
}

export const EMPTY_BUG: NewBug = {
  product: '',
  component: '',
  version: '',
  summary: '',
  description: '',
  values: {},
  isRestricted: false,
}

/** Fields with values to choose from, by the name that a bug has for each. */
export const CHOICES = {
  bug_severity: 'severity',
  priority: 'priority',
  rep_platform: 'platform',
  op_sys: 'op_sys',
} as const

/** Fields that hold a list, written with commas. */
export const LISTS = {
  cc: 'CC',
  keywords: 'Keywords',
  depends_on: 'Depends on',
  blocks: 'Blocks',
  alias: 'Alias',
} as const

const LONGEST_SUMMARY = 255

/** What is wrong with it, by field. The server checks again. */
export function faultsIn(bug: NewBug, needed: readonly Field[]): Map<string, string> {
  const faults = new Map<string, string>()
  if (bug.product === '') faults.set('product', 'Choose a product.')
  if (bug.component === '') faults.set('component', 'Choose a component.')
  if (bug.version === '') faults.set('version', 'Choose the version in which it happens.')
  if (bug.summary.trim() === '') faults.set('summary', 'Say in one line what happens, and where.')
  if ([...bug.summary].length > LONGEST_SUMMARY)
    faults.set('summary', `At most ${LONGEST_SUMMARY} characters; the rest belongs into the description.`)
  for (const { name, display_name } of needed)
    if ((bug.values[name] ?? '') === '') faults.set(name, `${display_name} is needed.`)
  return faults
}

/** The custom fields that the form has: those for new bugs whose condition holds. */
export function customFieldsFor(fields: readonly Field[], bug: NewBug): Field[] {
  return fields.filter(({ is_custom, is_on_bug_entry, visibility_field, visibility_values = [] }) => {
    if (!is_custom || !is_on_bug_entry) return false
    if (!visibility_field) return true
    return visibility_values.includes(chosenValue(bug, visibility_field))
  })
}

const OWN_NAMES: Readonly<Record<string, string>> = { bug_severity: 'severity', rep_platform: 'platform' }

function chosenValue(bug: NewBug, field: string): string {
  if (field === 'product' || field === 'component' || field === 'version') return bug[field]
  return bug.values[OWN_NAMES[field] ?? field] ?? ''
}

const MULTI_SELECT = 3
const LISTED: ReadonlySet<string> = new Set(Object.keys(LISTS))

/** As POST /rest/bug takes it. Empty fields are left to their defaults. */
export function bodyOf(bug: NewBug, custom: readonly Field[]): Record<string, CustomValue> {
  const shown = new Set(custom.map(({ name }) => name))
  const several = new Set(custom.filter(({ type }) => type === MULTI_SELECT).map(({ name }) => name))
  const body: Record<string, CustomValue> = {
    product: bug.product,
    component: bug.component,
    version: bug.version,
    summary: bug.summary.trim(),
    description: bug.description,
  }
  for (const [name, value] of Object.entries(bug.values)) {
    if (value === '' || (name.startsWith('cf_') && !shown.has(name))) continue
    body[name] = LISTED.has(name) || several.has(name) ? value.split(',').map((item) => item.trim()) : value
  }
  return body
}
