import type { BugField } from './bug-field.ts'
import { BUG_FIELDS } from './bug-fields.ts'

/** All entries with the same type; BUG_FIELDS has the exact one of each. */
export const bugFields: readonly BugField[] = BUG_FIELDS

/**
 * Maps the names of fields in the fields call and in searches to their names in bugs, changes and history. A field that is not listed
 * has the same name in both.
 */
export const REST_NAMES: ReadonlyMap<string, string> = new Map(
  bugFields.flatMap(({ name, searchName }) => (searchName === undefined ? [] : [[searchName, name]])),
)

const SEARCH_NAMES = new Map([...REST_NAMES].map(([searchName, name]) => [name, searchName]))

/** The name in the fields call, from either name. */
export function fieldNameOf(name: string): string {
  return SEARCH_NAMES.get(name) ?? name
}

/** The name in bugs, changes and history. */
export function restNameOf(fieldName: string): string {
  return REST_NAMES.get(fieldName) ?? fieldName
}

/** The fields that have a property, by the name of the REST API. */
export function fieldsWith(is: (field: BugField) => boolean): ReadonlySet<string> {
  return new Set(bugFields.filter(is).map(({ name }) => name))
}
