import { type BugField, bugFields } from '../../shared/bug-fields/bug-fields.ts'

/** The fields that have a property, by the name of the REST API. */
export function fieldsWith(is: (field: BugField) => boolean): ReadonlySet<string> {
  return new Set(bugFields.filter(is).map(({ name }) => name))
}
