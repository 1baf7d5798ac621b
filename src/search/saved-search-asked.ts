import type { Caller } from '../access/caller.ts'
import { parametersOfSaved } from '../people/saved-searches/find-saved-search.ts'
import type { Db } from '../platform/database/db.ts'
import { type Given, readInteger, readText } from '../platform/wire/params.ts'
import { possibleId } from '../platform/wire/reference.ts'

/** The parameters by which a search names a saved one; see docs/api/saved_search.md. */
export const SAVED_SEARCH_PARAMS = ['savedsearch', 'sharer_id'] as const

/** The parameters of the saved search that a search names; undefined when it names none. */
export async function savedSearchAsked(db: Db, caller: Caller, given: Given): Promise<Given | undefined> {
  const { savedsearch, sharer_id } = given
  if (savedsearch === undefined || savedsearch === null || savedsearch === '') return undefined
  const sharer = sharer_id === undefined || sharer_id === null || sharer_id === '' ? undefined : sharer_id
  return parametersOfSaved(
    db,
    caller,
    readText('savedsearch', savedsearch),
    sharer === undefined ? undefined : possibleId(readInteger('sharer_id', sharer)),
  )
}
