import { noteCatalogueChanged } from '../access/installation.ts'
import type { ConfigurationTransaction, Db } from '../platform/database/db.ts'

/**
 * The unit of every change of the catalogue: all of it or nothing, one after another, and seen by every process. Bugs are written wholly
 * before it or wholly after it.
 */
export function changeCatalogue<Result>(
  db: Db,
  work: (tx: ConfigurationTransaction) => Promise<Result>,
): Promise<Result> {
  return db.transaction(async (tx) => {
    await noteCatalogueChanged(tx)
    return work(tx)
  }, 'configuration')
}
