import { bugFields } from '../../../../shared/bug-fields/bug-fields.ts'
import { fieldNameOf } from '../../../../shared/bug-fields/field-names.ts'
import type { FieldDefinitions } from '../../../catalogue/fields/field.ts'

/** The field that a name before a colon stands for: that of this name, or the only one whose name begins with it. */
export type FieldMatch =
  | { readonly field: string }
  | { readonly unknown: string }
  | { readonly severalOf: readonly string[] }

/** Short names, and names of fields that have no other name in a quicksearch. */
const OTHER_NAMES = bugFields.flatMap(({ name, searchName = name, quickNames = [] }) =>
  quickNames.map((it): [string, string] => [it, searchName]),
)

/** compat: Bugzilla does not know these fields by their own names. */
const NOT_BY_OWN_NAME: ReadonlySet<string> = new Set(
  bugFields.filter((it) => it.isQuickByOtherNames).map(({ name, searchName }) => searchName ?? name),
)

const IN_FULL: ReadonlySet<string> = new Set(
  bugFields.filter((it) => it.isQuickInFull).map(({ name, searchName }) => searchName ?? name),
)

const CUSTOM = 'cf_'

/** Finds fields by full names, names of the REST API, names without `cf_`, and unique beginnings of names. */
export function quickNamesOf(fields: FieldDefinitions): (typed: string) => FieldMatch {
  const own = fields.all
    .filter(({ name, is_obsolete }) => is_obsolete === 0 && !name.includes('.') && !NOT_BY_OWN_NAME.has(name))
    .map(({ name }): [string, string] => [name, name])
  const names = new Map([...own, ...OTHER_NAMES])
  const custom = new Map(
    own.filter(([name]) => name.startsWith(CUSTOM)).map(([name]) => [name.slice(CUSTOM.length), name]),
  )

  return (typed) => {
    const name = typed.toLowerCase()
    const exact = names.get(name) ?? names.get(fieldNameOf(name)) ?? custom.get(name)
    if (exact !== undefined) return { field: exact }
    const [first, ...others] = beginningWith(name, names).union(beginningWith(name, custom))
    if (first === undefined) return { unknown: typed }
    return others.length > 0 ? { severalOf: [first, ...others] } : { field: first }
  }
}

function beginningWith(beginning: string, names: ReadonlyMap<string, string>): Set<string> {
  const fits = [...names].filter(([name, field]) => name.startsWith(beginning) && !IN_FULL.has(field))
  return new Set(fits.map(([, field]) => field))
}
