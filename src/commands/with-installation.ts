import { checkOldestWriter } from '../access/installation.ts'
import { type Config, readConfig } from '../platform/config/config.ts'
import type { Db } from '../platform/database/db.ts'
import { openDatabaseOf } from '../prepare.ts'
import { requireInstallation } from '../upkeep/require-installation.ts'

/** Opens the database of an existing installation for `work`. A server may run meanwhile. */
export async function withInstallation(work: (db: Db, config: Config) => Promise<void>) {
  const config = readConfig()
  await requireInstallation(config.databaseUrl)
  const db = await openDatabaseOf(config)
  checkOldestWriter(db)
  try {
    await work(db, config)
  } finally {
    await db.close()
  }
}
