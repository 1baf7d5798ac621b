// The filters of a whole dashboard: each narrows the search of every tile. They are in the address.
import { type Part, readCriteria, withCriteria } from '../list/criteria/criteria.ts'

export const FILTER_FIELDS = ['product', 'target_milestone', 'assigned_to'] as const

/** The chosen values of each field that is filtered by. */
export type DashboardFilters = ReadonlyMap<string, readonly string[]>

export function filtersIn(query: URLSearchParams): DashboardFilters {
  return new Map(
    FILTER_FIELDS.flatMap((field) => {
      const values = query.getAll(field).filter((value) => value !== '')
      return values.length === 0 ? [] : [[field, values]]
    }),
  )
}

/** The search, and each field has one of its values, which are compared without regard to case, as searches do. Of values that the search names itself, those that both have are left. */
export function narrowed(search: URLSearchParams, filters: DashboardFilters): URLSearchParams {
  let next = new URLSearchParams(search)
  for (const [field, values] of filters) {
    const own = next.getAll(field)
    const ownNames = own.map((value) => value.toLowerCase())
    const both = own.length === 0 ? values : values.filter((value) => ownNames.includes(value.toLowerCase()))
    // A person is searched by parts of a name, so that only a condition finds exactly one.
    if (field === 'assigned_to' || next.has(`${field}_type`) || both.length === 0) next = withOneOf(next, field, values)
    else {
      next.delete(field)
      for (const value of both) next.append(field, value)
    }
  }
  return next
}

function withOneOf(query: URLSearchParams, field: string, values: readonly string[]): URLSearchParams {
  const own = readCriteria(query)
  const any = values.map((value): Part => ({ field, operator: 'equals', value, isNegated: false }))
  const [only] = any
  const added: Part = any.length === 1 && only !== undefined ? only : { join: 'OR', isNegated: false, parts: any }
  // Conditions that all hold take one more; others stay together in a bracket.
  const before = own.join === 'AND' ? own.parts : [own]
  return withCriteria(query, { join: 'AND', isNegated: false, parts: [...before, added] })
}
