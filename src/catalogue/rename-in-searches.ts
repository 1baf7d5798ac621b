import { renameInSavedSearches } from '../people/saved-searches/saved-search-store.ts'
import type { Db } from '../platform/database/db.ts'
import { interfaceNameOf } from './fields/field-names.ts'
import { renameValueInSeries } from './series/series-store.ts'

/** Saved searches and series go on meaning a value that has a new name. `field` is the original's name. */
export async function renameInSearches(tx: Db, field: string, from: string, to: string) {
  const renaming = { fields: [...new Set([field, interfaceNameOf(field)])], from, to }
  await renameInSavedSearches(tx, renaming)
  await renameValueInSeries(tx, renaming)
}
