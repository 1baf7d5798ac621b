import { restNameOf } from '../../shared/bug-fields/field-names.ts'
import { renameInSavedSearches } from '../people/saved-searches/saved-search-store.ts'
import type { Db } from '../platform/database/db.ts'
import { renameValueInSeries } from './series/series-store.ts'

/** Updates the old name of a value in saved searches and series. `field` is Bugzilla's name of the field. */
export async function renameInSearches(tx: Db, field: string, from: string, to: string) {
  const renaming = { fields: [...new Set([field, restNameOf(field)])], from, to }
  const count = (await renameInSavedSearches(tx, renaming)) + (await renameValueInSeries(tx, renaming))
  renamed.set(tx, searchesRenamedIn(tx) + count)
}

const renamed = new WeakMap<Db, number>()

/** How many saved searches and series this transaction has updated. */
export function searchesRenamedIn(tx: Db): number {
  return renamed.get(tx) ?? 0
}
