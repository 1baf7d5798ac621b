// The values of a bug that can be changed in a list, with the keys that its own page has for them.
import { signal } from '@preact/signals'
import { isShownField } from '../../../core/bugs/hidden-fields.ts'

export interface RowField {
  /** The name in a bug. */
  name: string
  label: string
  kind: 'choice' | 'person' | 'status' | 'list' | 'text'
  /** Where its values are, by the field's internal name. */
  field: string
  /** The key after `e`. Frequent ones work without `e` too. */
  letter: string
  isFrequent?: boolean
}

const ROW_FIELDS: readonly RowField[] = [
  { name: 'priority', label: 'Priority', kind: 'choice', field: 'priority', letter: 'p', isFrequent: true },
  { name: 'severity', label: 'Severity', kind: 'choice', field: 'bug_severity', letter: 's', isFrequent: true },
  { name: 'assigned_to', label: 'Assignee', kind: 'person', field: 'assigned_to', letter: 'a', isFrequent: true },
  {
    name: 'target_milestone',
    label: 'Milestone',
    kind: 'choice',
    field: 'target_milestone',
    letter: 'm',
    isFrequent: true,
  },
  { name: 'status', label: 'Status', kind: 'status', field: 'bug_status', letter: 'e' },
  { name: 'component', label: 'Component', kind: 'choice', field: 'component', letter: 'c' },
  { name: 'version', label: 'Version', kind: 'choice', field: 'version', letter: 'v' },
  { name: 'keywords', label: 'Keywords', kind: 'list', field: 'keywords', letter: 'k' },
  { name: 'summary', label: 'Summary', kind: 'text', field: 'short_desc', letter: 't' },
]

/** Those that the parameters do not hide. */
export function shownRowFields(): readonly RowField[] {
  return ROW_FIELDS.filter(({ name }) => isShownField(name))
}

export function rowField(name: string): RowField | undefined {
  return ROW_FIELDS.find((field) => field.name === name)
}

/** The value that is being changed; undefined if none is. */
export const editedValue = signal<{ bug: number; field: string } | undefined>(undefined)
