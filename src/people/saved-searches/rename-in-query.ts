import { fold } from '../../platform/text/fold.ts'

/** A renamed value of a field, and the parameter names that searches use for the field. */
export interface Renaming {
  fields: readonly string[]
  from: string
  to: string
}

/** Replaces the old name of the value in a query. A query without it is returned unchanged, byte for byte. */
export function renameInQuery(query: string, { fields, from, to }: Renaming): string {
  const parameters = [...new URLSearchParams(query)]
  const values = chartValues(new Map(parameters), fields)
  let isChanged = false
  const renamed = parameters.map(([name, value]): [string, string] => {
    if (!(fields.includes(name) || values.has(name)) || fold(value) !== fold(from)) return [name, value]
    isChanged = true
    return [name, to]
  })
  return isChanged ? new URLSearchParams(renamed).toString() : query
}

const WHOLE = ['equals', 'notequals', 'anyexact', 'changedfrom', 'changedto']

/** The parameters in which a line of the search form compares the field with a whole value: `v3` for `f3` and `o3`. */
function chartValues(parameters: ReadonlyMap<string, string>, fields: readonly string[]): ReadonlySet<string> {
  const lines = [...parameters].flatMap(([name, value]) => {
    const line = /^(?:f(\d+)|field(\d+-\d+-\d+))$/.exec(name)
    if (line === null || !fields.includes(value)) return []
    const [, isNew, isOld] = line
    const operator = isNew === undefined ? `type${isOld}` : `o${isNew}`
    if (!WHOLE.includes(parameters.get(operator) ?? '')) return []
    return [isNew === undefined ? `value${isOld}` : `v${isNew}`]
  })
  return new Set(lines)
}
