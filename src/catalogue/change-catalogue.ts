import { noteCatalogueChanged } from '../access/installation.ts'
import type { Db } from '../platform/database/db.ts'

/**
 * The unit of every change of the catalogue: all of it or nothing, one after another, and seen by every process. The counter moves
 * first: its row stays locked until the end, so that whoever holds it (see holdCatalogue) before filing a bug files it wholly before or
 * wholly after the change.
 */
export function changeCatalogue<Result>(db: Db, work: (tx: Db) => Promise<Result>): Promise<Result> {
  return db.transaction(async (tx) => {
    await noteCatalogueChanged(tx)
    return work(tx)
  }, 'configuration')
}
