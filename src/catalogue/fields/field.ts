import type { Selectable } from 'kysely'
import { BUG_FIELDS } from '../../../shared/bug-fields/bug-fields.ts'
import { fieldNameOf } from '../../../shared/bug-fields/field-names.ts'
import { FIELDS_OF_BUGS } from '../../bug-fields/recorded-fields.ts'
import { FIELD_TYPE } from '../../platform/database/coded-values.ts'
import type { Database, Flag } from '../../platform/database/tables.ts'
import { dictionary } from '../../platform/text/dictionary.ts'
import { fold } from '../../platform/text/fold.ts'

export { FIELD_TYPE }

/** The types that a custom field can have, by name. */
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

/** The type of a custom field from its number or name, with or without spaces; undefined if there is no such type. */
export function creatableType(input: string): number | undefined {
  if (input.length > LONGEST_TYPE) return undefined
  const word = input.toLowerCase().replace(/[^a-z]/g, '')
  if (Object.hasOwn(CREATABLE_TYPES, word)) return CREATABLE_TYPES[word]
  return Object.values(CREATABLE_TYPES).find((type) => String(type) === input.trim())
}

export type Field = Selectable<Database['fields']>

export interface FieldValue {
  id: number
  field_id: number
  name: string
  sort_key: number
  is_active: Flag
  /** Null except for statuses. */
  is_open: Flag | null
  visibility_value_id: number | null
}

/** A field with its values, and the values of another field for which it is shown. */
export interface FieldDefinition extends Field {
  visibilityValueIds: readonly number[]
  /** Ordered by sort key and name. Empty for fields whose values have their own tables, such as components. */
  values: readonly FieldValue[]
}

/** The standard fields whose values are in field_values, each with the column of bugs that has the id of the value. */
export const VALUE_COLUMNS = Object.fromEntries(
  BUG_FIELDS.filter((field) => field.kind === 'choice').map((field) => [
    'searchName' in field ? field.searchName : field.name,
    field.column,
  ]),
) as { readonly [Field in ChoiceField as SearchNameOf<Field>]: Field['column'] }

type ChoiceField = Extract<(typeof BUG_FIELDS)[number], { kind: 'choice' }>
type SearchNameOf<Field> = Field extends { searchName: infer Name extends string }
  ? Name
  : Field extends { name: infer Name extends string }
    ? Name
    : never

/** The standard select fields, by their names in the call for fields. */
export type SelectField = keyof typeof VALUE_COLUMNS

/** The select field with this name in the REST API. */
export function selectFieldOf(name: ChoiceField['name']): SelectField {
  return fieldNameOf(name) as SelectField
}

/** The fields whose values are not in field_values, each with the table of its values. */
const OWN_VALUE_TABLES = {
  product: 'products',
  component: 'components',
  classification: 'classifications',
} as const

export type OwnValueTable = (typeof OWN_VALUE_TABLES)[keyof typeof OWN_VALUE_TABLES]

/** The table of the values of a select field, if they are not in field_values. */
export function ownValueTableOf({ name }: Pick<Field, 'name'>): OwnValueTable | undefined {
  return Object.hasOwn(OWN_VALUE_TABLES, name) ? OWN_VALUE_TABLES[name as keyof typeof OWN_VALUE_TABLES] : undefined
}

/** The fields whose values belong to products. */
export const PRODUCT_SPECIFIC = ['version', 'target_milestone', 'component'] as const
export type ProductSpecific = (typeof PRODUCT_SPECIFIC)[number]

export function isProductSpecific(name: string): name is ProductSpecific {
  return (PRODUCT_SPECIFIC as readonly string[]).includes(name)
}

/** Whether it is a select field, which can control others. */
export function isSelect({ type }: Pick<Field, 'type'>) {
  return type === FIELD_TYPE.singleSelect || type === FIELD_TYPE.multiSelect
}

/** Whether its values are in field_values, and not products, components or classifications. */
export function hasValues(field: Pick<Field, 'name' | 'type'>) {
  return isSelect(field) && ownValueTableOf(field) === undefined
}

/** A snapshot of all fields of the installation and their values. */
export interface FieldDefinitions {
  /** Ordered by sort key and name. */
  readonly all: readonly FieldDefinition[]
  /** The custom fields that are not obsolete. */
  readonly custom: readonly FieldDefinition[]
  withId(id: number): FieldDefinition | undefined
  named(name: string): FieldDefinition | undefined
  /** The names of the fields whose values are other bugs. */
  readonly namingBugs: ReadonlySet<string>
  /** The values of a standard field. */
  valuesOf(name: string): readonly FieldValue[]
  /** The value with this id, of any field. */
  valueWithId(id: number): FieldValue | undefined
  /** Whether a product has votes, so that bugs are returned with theirs. */
  readonly hasVoting: boolean
}

export function definitionsOf(all: readonly FieldDefinition[], hasVoting = false): FieldDefinitions {
  const byId = new Map(all.map((field) => [field.id, field]))
  const byName = new Map(all.map((field) => [field.name, field]))
  const values = new Map(all.flatMap((field) => field.values.map((value) => [value.id, value])))
  return {
    all,
    withId: (id) => byId.get(id),
    namingBugs: new Set([
      ...FIELDS_OF_BUGS,
      ...all.filter(({ type }) => type === FIELD_TYPE.bugId).map(({ name }) => name),
    ]),
    named: (name) => byName.get(fold(name.trim())),
    valuesOf: (name) => byName.get(name)?.values ?? [],
    custom: all.filter(({ is_custom, is_obsolete }) => is_custom === 1 && is_obsolete === 0),
    valueWithId: (id) => values.get(id),
    hasVoting,
  }
}
