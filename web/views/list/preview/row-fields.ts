// The values of a bug that can be changed in a list, with the keys that its own page has for them.
import { signal } from '@preact/signals'
import type { FieldKind } from '../../../../shared/bug-fields/bug-field.ts'
import { fieldNameOf, findField } from '../../../../shared/bug-fields/field-names.ts'
import { ROW_FIELDS } from '../../../core/bugs/field-places.ts'
import { displayOf, standardLabel } from '../../../core/bugs/fields.ts'
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

const KINDS: ReadonlyMap<FieldKind, RowField['kind']> = new Map([
  ['choice', 'choice'],
  ['place', 'choice'],
  ['user', 'person'],
  ['keywords', 'list'],
])

/** `e` alone begins the key of every other field, so that a second one is left for the status. */
const STATUS_LETTER = 'e'

const rowFields: readonly RowField[] = ROW_FIELDS.map((name) => {
  const { letter = STATUS_LETTER, isFrequent } = displayOf(name).key ?? {}
  const kind = findField(name)?.kind
  return {
    name,
    label: standardLabel(name),
    kind: name === 'status' ? 'status' : ((kind && KINDS.get(kind)) ?? 'text'),
    field: fieldNameOf(name),
    letter,
    ...(isFrequent && { isFrequent }),
  }
})

/** Those that the parameters do not hide. */
export function shownRowFields(): readonly RowField[] {
  return rowFields.filter(({ name }) => isShownField(name))
}

export function rowField(name: string): RowField | undefined {
  return rowFields.find((field) => field.name === name)
}

/** The value that is being changed; undefined if none is. */
export const editedValue = signal<{ bug: number; field: string; typed?: string } | undefined>(undefined)
