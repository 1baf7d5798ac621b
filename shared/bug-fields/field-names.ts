import { pageFields } from './page-fields.ts'

/**
 * Maps the names of fields in the fields call and in searches to their names in bugs, changes and history. A field that is not listed
 * has the same name in both.
 */
export const REST_NAMES: ReadonlyMap<string, string> = new Map(
  pageFields.flatMap(({ name, searchName }) => (searchName === undefined ? [] : [[searchName, name]])),
)

const SEARCH_NAMES = new Map([...REST_NAMES].map(([searchName, name]) => [name, searchName]))

/** The name in the fields call, from either name. */
export function fieldNameOf(name: string): string {
  return SEARCH_NAMES.get(name) ?? name
}

/** Columns of Bugzilla's lists with names of their own. */
const COLUMNS: ReadonlyMap<string, string> = new Map([
  ['opendate', 'creation_ts'],
  ['changeddate', 'delta_ts'],
  ['short_short_desc', 'short_desc'],
])

/** The name in the fields call of what a column of a list shows. */
export function fieldOfColumn(column: string): string {
  return COLUMNS.get(column) ?? fieldNameOf(column)
}

/** The name in bugs, changes and history. */
export function restNameOf(fieldName: string): string {
  return REST_NAMES.get(fieldName) ?? fieldName
}

const fields = new Map(pageFields.map((field) => [field.name as string, field]))

/** The standard field with this name, which may be either. */
export function findField(name: string) {
  return fields.get(restNameOf(name))
}

const NOTHING_CHOSEN = '---'

/** Names of values that mean that there is none. */
export const EMPTY_VALUES: ReadonlySet<string> = new Set([
  NOTHING_CHOSEN,
  ...pageFields.flatMap(({ emptyValue }) => emptyValue || []),
])

/** The value of a field that has been given none. */
export function emptyValueOf(name: string): string {
  return findField(name)?.emptyValue ?? NOTHING_CHOSEN
}
