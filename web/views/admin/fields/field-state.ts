import { findField, restNameOf } from '../../../../shared/bug-fields/field-names.ts'
import { ALL_PRODUCTS_CALL } from '../../../../shared/first-calls.ts'
import { addressOf } from '../../../../shared/rest-address.ts'
import { get } from '../../../core/server/rest.ts'
import type { Field, FieldValue } from '../../../core/server/types.ts'
import type { ChangedObject, NamedObject } from '../changes/effects-in-words.ts'
import { noteItemName } from '../item-names.ts'
import { ruleInWords } from './field-words.ts'

export const FIELDS_PART = 'fields'

/** What the page of the fields shows. */
export interface FieldsState {
  /** All of them, also obsolete ones, in their order. */
  fields: readonly Field[]
  /** Names of the products that the reader may see. */
  products: readonly string[]
}

export type NamedValue = FieldValue & { name: string; sort_key: number }

export async function loadFields(): Promise<FieldsState> {
  const [{ fields }, { products }] = await Promise.all([
    get(addressOf('/field/bug', { include_obsolete: 1, include_fields: '_default,_extra' })),
    get(ALL_PRODUCTS_CALL),
  ])
  for (const { name, display_name } of fields) noteItemName(FIELDS_PART, name, display_name)
  // The preview begins with a product in which bugs can be filed.
  const openFirst = products.toSorted((a, b) => Number(b.is_active) - Number(a.is_active))
  return { fields, products: openFirst.map(({ name }) => name) }
}

const SELECTS: ReadonlySet<number> = new Set([2, 3])

/** Whether it can control others: its values are a closed list. */
export function isSelect({ type }: Field) {
  return SELECTS.has(type)
}

/** Whether its values are changed on this page, and not as products, components or keywords. */
export function hasOwnValues(field: Field) {
  return isSelect(field) && (field.is_custom || findField(field.name)?.kind === 'choice')
}

/** The values that have a name: the first status stands for a new bug, and no resolution has the empty one. */
export function ownValues({ values = [] }: Field): NamedValue[] {
  return values.filter((it): it is NamedValue => it.name !== null && it.name !== '' && it.sort_key !== undefined)
}

/** The names that a controlling field can have. */
export function controllingNames({ fields, products }: FieldsState, name: string): string[] {
  if (name === 'product') return [...products]
  const field = fields.find((it) => it.name === name)
  return field === undefined ? [] : [...new Set((field.values ?? []).flatMap((it) => it.name || []))]
}

/** What is changed as a text, and what as yes or no, by the names of PUT /rest/field/bug. */
export const TEXTS = ['display_name', 'description', 'reverse_name'] as const
export type FieldText = (typeof TEXTS)[number]
export const SWITCHES = ['is_mandatory', 'is_on_bug_entry', 'is_in_new_mail', 'is_obsolete'] as const
export type FieldSwitch = (typeof SWITCHES)[number]

export const ORDER_KEY = 'fields order'

export function fieldKey(field: Field, part: FieldText | FieldSwitch | 'rule' | 'value_field') {
  return `field ${field.name} ${part}`
}

/** Without `part`, the key of its removal. */
export function valueKey(field: Field, name: string, part = '') {
  return `value ${field.name}\n${name}\n${part}`
}

export function valueOrderKey(field: Field) {
  return `values ${field.name} order`
}

/** Every value that can be changed, by the key of its change. */
export function valuesOf({ fields }: FieldsState): Map<string, string> {
  const values = new Map<string, string>()
  const custom = fields.filter((it) => it.is_custom)
  values.set(ORDER_KEY, orderOf(custom.map((it) => it.display_name)))
  for (const field of custom) {
    for (const name of TEXTS) values.set(fieldKey(field, name), field[name] ?? '')
    for (const name of SWITCHES) values.set(fieldKey(field, name), yesNo(field[name]))
    values.set(fieldKey(field, 'rule'), ruleInWords(fields, field))
    values.set(fieldKey(field, 'value_field'), field.value_field ?? '')
  }
  for (const field of fields.filter(hasOwnValues)) {
    const own = ownValues(field)
    values.set(valueOrderKey(field), orderOf(own.map(({ name }) => name)))
    for (const { name, is_active, visibility_values: shownWith = [] } of own) {
      values.set(valueKey(field, name), name)
      values.set(valueKey(field, name, 'name'), name)
      values.set(valueKey(field, name, 'is_active'), yesNo(is_active))
      values.set(valueKey(field, name, 'shown_with'), shownWith.join(', '))
    }
  }
  return values
}

export function orderOf(names: readonly string[]) {
  return names.join(', ')
}

export function yesNo(is: boolean | undefined) {
  return is ? 'yes' : 'no'
}

export function fieldAddress({ name }: Pick<Field, 'name'>) {
  return `/admin/${FIELDS_PART}/${encodeURIComponent(name)}`
}

export function bugsWithValue({ name }: Field, value: string) {
  return `/bugs?${new URLSearchParams({ [restNameOf(name)]: value, quicksearch: 'ALL' })}`
}

/** What lists and numbers have where nothing was entered, which a search counts as a value. */
const EMPTY_VALUES: ReadonlyMap<number, string> = new Map([
  [2, '---'],
  [10, '0'],
])

/** The search for bugs on which the field is filled in. */
export function searchOfFilled({ name, type }: Field): Record<string, string> {
  const empty = EMPTY_VALUES.get(type)
  return empty === undefined ? { f1: name, o1: 'isnotempty' } : { f1: name, o1: 'notequals', v1: empty }
}

/** What the preview calls fields and values, with their bugs. */
export function nameIn({ fields }: FieldsState, { class: className, id }: ChangedObject): NamedObject | undefined {
  if (className === 'Tracker::Field') {
    const field = fields.find((it) => it.id === id)
    if (field === undefined) return undefined
    const bugs = `/bugs?${new URLSearchParams(searchOfFilled(field))}`
    return { name: `a value in ${field.display_name}`, bugs }
  }
  if (className !== 'Tracker::FieldValue') return undefined
  for (const field of fields) {
    const value = field.is_custom || hasOwnValues(field) ? ownValues(field).find((it) => it.id === id) : undefined
    if (value !== undefined)
      return { name: `${field.display_name} ${value.name}`, bugs: bugsWithValue(field, value.name) }
  }
  return undefined
}
