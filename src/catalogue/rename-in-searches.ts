import { restNameOf } from '../../shared/bug-fields/field-names.ts'
import { changeTileQueries } from '../people/dashboards/dashboard-store.ts'
import { renameInQuery } from '../people/saved-searches/rename-in-query.ts'
import { renameInSavedSearches } from '../people/saved-searches/saved-search-store.ts'
import type { Db } from '../platform/database/db.ts'
import { renameValueInSeries } from './series/series-store.ts'
import { changeQueueQueries } from './triage-queues/queue-store.ts'

/** Updates the old name of a value in saved searches, series and tiles of dashboards. `field` is Bugzilla's name of the field. */
export async function renameInSearches(tx: Db, field: string, from: string, to: string) {
  const renaming = { fields: [...new Set([field, restNameOf(field)])], from, to }
  const searches = await renameInSavedSearches(tx, renaming)
  const series = await renameValueInSeries(tx, renaming)
  const dashboards = await changeTileQueries(tx, (query) => renameInQuery(query, renaming))
  const queues = await changeQueueQueries(tx, (query) => renameInQuery(query, renaming))
  renamed.set(tx, searchesRenamedIn(tx) + searches + series + dashboards + queues)
}

const renamed = new WeakMap<Db, number>()

/** How many saved searches, series and dashboards this transaction has updated. */
export function searchesRenamedIn(tx: Db): number {
  return renamed.get(tx) ?? 0
}
