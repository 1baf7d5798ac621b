// What is saved of a list: its search, and how it is shown.

import { SAVED_CALL, searchOf } from '../../../shared/first-calls.ts'
import type { FieldList } from '../../core/bugs/fields.ts'
import { isOwn, LOOK_PARAMETERS, type SavedSearch } from '../../core/bugs/saved-searches.ts'
import { get } from '../../core/server/rest.ts'
import {
  type Condition,
  isBracket,
  type Part,
  readCriteria,
  withCriteria,
  withoutCriteria,
} from './criteria/criteria.ts'

/** The query to save. The server does not save a search that uses another one, so that one is copied into it. */
export async function queryToSave(query: URLSearchParams, fields: FieldList): Promise<string> {
  const own = searchOf(query)
  for (const name of LOOK_PARAMETERS) {
    const value = query.get(name)
    if (value && value !== 'search') own.set(name, value)
  }
  if (!query.has('savedsearch')) return own.toString()
  own.delete('savedsearch')
  own.delete('sharer_id')
  return joined(new URLSearchParams((await savedSearchIn(query))?.query), own, fields).toString()
}

/** The saved search that a query is based on. */
export async function savedSearchIn(query: URLSearchParams): Promise<SavedSearch | undefined> {
  const name = query.get('savedsearch')
  const sharer = Number(query.get('sharer_id'))
  const { saved_searches: all } = await get(SAVED_CALL)
  return all.find((it) => it.name === name && (sharer ? it.owner_id === sharer : isOwn(it)))
}

/** Both searches hold. What the second one says about the look replaces that of the first. */
function joined(first: URLSearchParams, second: URLSearchParams, fields: FieldList): URLSearchParams {
  const all = withoutCriteria(first)
  for (const name of LOOK_PARAMETERS) if (second.has(name)) all.delete(name)
  const parts: Part[] = [first, second].map(readCriteria).filter((root) => root.parts.length > 0)
  for (const name of new Set(withoutCriteria(second).keys())) {
    // Several values of a parameter mean any of them, so those of the second search become a condition. Quicksearches all hold.
    if (all.has(name) && name !== 'quicksearch') parts.push(conditionOf(name, second.getAll(name), fields))
    else for (const value of second.getAll(name)) all.append(name, value)
  }
  const [only, ...others] = parts
  if (only === undefined) return all
  const isAlone = others.length === 0 && isBracket(only)
  return withCriteria(all, isAlone ? only : { join: 'AND', isNegated: false, parts })
}

function conditionOf(field: string, values: readonly string[], fields: FieldList): Condition {
  const [value = ''] = values
  if (value === '__open__') return { field: 'resolution', operator: 'isempty', value: '', isNegated: false }
  if (value === '__closed__') return { field: 'resolution', operator: 'isnotempty', value: '', isNegated: false }
  // As the parameter does: text has every word somewhere in it, a value is one of several.
  return fields.kind(field) === 'text'
    ? { field, operator: 'allwordssubstr', value: values.join(' '), isNegated: false }
    : { field, operator: 'anyexact', value: values.join(','), isNegated: false }
}
