import type { Flag } from '../../platform/database/tables.ts'
import { dictionary } from '../../platform/text/dictionary.ts'
import { fold } from '../../platform/text/fold.ts'

/** The interface's numbers for the kinds of fields. */
export const FIELD_TYPE = {
  special: 0,
  freeText: 1,
  singleSelect: 2,
  multiSelect: 3,
  largeText: 4,
  dateTime: 5,
  bugId: 6,
  bugUrls: 7,
  keywords: 8,
  date: 9,
  integer: 10,
} as const

/** The types that a custom field can have, by the words for them. */
const CREATABLE_TYPES: Readonly<Record<string, number>> = dictionary({
  freetext: FIELD_TYPE.freeText,
  singleselect: FIELD_TYPE.singleSelect,
  dropdown: FIELD_TYPE.singleSelect,
  multiselect: FIELD_TYPE.multiSelect,
  largetext: FIELD_TYPE.largeText,
  datetime: FIELD_TYPE.dateTime,
  bugid: FIELD_TYPE.bugId,
  date: FIELD_TYPE.date,
  integer: FIELD_TYPE.integer,
})

export const TYPE_WORDS = 'free text, single select, multi select, large text, date time, bug id, date, integer'

const LONGEST_TYPE = 64

/** The type of a custom field from its number or its word, however the word is spaced; undefined when there is no such type. */
export function creatableType(given: string): number | undefined {
  if (given.length > LONGEST_TYPE) return undefined
  const word = given.toLowerCase().replace(/[^a-z]/g, '')
  if (Object.hasOwn(CREATABLE_TYPES, word)) return CREATABLE_TYPES[word]
  return Object.values(CREATABLE_TYPES).find((type) => String(type) === given.trim())
}

export interface Field {
  id: number
  name: string
  display_name: string
  description: string
  type: number
  is_custom: Flag
  is_mandatory: Flag
  is_on_bug_entry: Flag
  is_obsolete: Flag
  is_in_new_mail: Flag
  sort_key: number
  /** The field that decides whether this one is shown. */
  visibility_field_id: number | null
  /** The field that decides which values of this one are shown. */
  value_field_id: number | null
  /** What a bug-id field is called on the bug that it names. */
  reverse_name: string
}

export interface FieldValue {
  id: number
  field_id: number
  name: string
  sort_key: number
  is_active: Flag
  /** Of statuses only. */
  is_open: Flag | null
  visibility_value_id: number | null
}

/** A field with its values and the values with which it is shown. */
export interface FieldDefinition extends Field {
  visibilityValueIds: readonly number[]
  /** By sort key and name. Empty for fields whose values are things of their own, such as components. */
  values: readonly FieldValue[]
}

/** The fields whose values stand elsewhere: each has the table that holds them. */
const OWN_TABLES = {
  product: 'products',
  component: 'components',
  classification: 'classifications',
} as const

export type OwnTable = (typeof OWN_TABLES)[keyof typeof OWN_TABLES]

/** Where the values of a select field stand, when not among the field values. */
export function ownTableOf({ name }: Pick<Field, 'name'>): OwnTable | undefined {
  return Object.hasOwn(OWN_TABLES, name) ? OWN_TABLES[name as keyof typeof OWN_TABLES] : undefined
}

/** The fields whose values belong to products, as their names are. */
export const PRODUCT_SPECIFIC = ['version', 'target_milestone', 'component'] as const
export type ProductSpecific = (typeof PRODUCT_SPECIFIC)[number]

export function isProductSpecific(name: string): name is ProductSpecific {
  return (PRODUCT_SPECIFIC as readonly string[]).includes(name)
}

/** Whether the field offers values to choose from, so that it can control others. */
export function isSelect({ type }: Pick<Field, 'type'>) {
  return type === FIELD_TYPE.singleSelect || type === FIELD_TYPE.multiSelect
}

/** Whether its values are made and changed as values of a field, and not as products, components or classifications. */
export function hasValues(field: Pick<Field, 'name' | 'type'>) {
  return isSelect(field) && ownTableOf(field) === undefined
}

/** All fields of the installation and their values, as they are at one moment. */
export interface FieldDefinitions {
  /** By sort key and name. */
  readonly all: readonly FieldDefinition[]
  /** The custom ones that are in use. */
  readonly custom: readonly FieldDefinition[]
  withId(id: number): FieldDefinition | undefined
  named(name: string): FieldDefinition | undefined
  /** The values of a standard field. */
  valuesOf(name: string): readonly FieldValue[]
  /** The value of that id, of whichever field. */
  valueWithId(id: number): FieldValue | undefined
}

export function definitionsOf(all: readonly FieldDefinition[]): FieldDefinitions {
  const byId = new Map(all.map((field) => [field.id, field]))
  const byName = new Map(all.map((field) => [field.name, field]))
  const values = new Map(all.flatMap((field) => field.values.map((value) => [value.id, value])))
  return {
    all,
    withId: (id) => byId.get(id),
    named: (name) => byName.get(fold(name.trim())),
    valuesOf: (name) => byName.get(name)?.values ?? [],
    custom: all.filter(({ is_custom, is_obsolete }) => is_custom === 1 && is_obsolete === 0),
    valueWithId: (id) => values.get(id),
  }
}
