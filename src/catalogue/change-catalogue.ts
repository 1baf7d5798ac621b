import { noteCatalogueChanged } from '../access/installation.ts'
import type { ConfigurationTransaction, Db } from '../platform/database/db.ts'

/**
 * Every change of the catalogue runs in this transaction. Such changes run one after another, exclude writes to bugs, and are noticed
 * by every process.
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
