import { firstStart, type MadeUp } from './admin/first-start.ts'
import { buildApp } from './app.ts'
import { deliverApart } from './outbound/deliver-apart.ts'
import { type Config, prepareDataFolder, WrongSetting } from './platform/config.ts'
import type { Db } from './platform/database/db.ts'
import { migrate } from './platform/database/migrate.ts'
import { isPostgres, openDatabase } from './platform/database/open-database.ts'
import { logTo } from './platform/log.ts'
import { DailyCollection } from './search/series/daily-collection.ts'

/** Opens the database and brings it to this release; on an empty one, makes all that a first bug needs. */
export async function prepare(config: Config): Promise<{ db: Db; madeUp: MadeUp }> {
  prepareDataFolder(config)
  const db = await opened(config)
  await migrate(db)
  return { db, madeUp: await firstStart(db, config) }
}

async function opened(config: Config): Promise<Db> {
  try {
    return openDatabase(config.databaseUrl, config.processes > 1)
  } catch (fault) {
    throw new WrongSetting(
      `The database ${withoutPassword(config.databaseUrl)} cannot be opened: ${(fault as Error).message}.`,
    )
  }
}

/** A database as it may be named in a message: a password can stand before the host, and in the parameters as well. */
export function withoutPassword(url: string) {
  if (!isPostgres(url)) return url
  const { protocol, host, pathname } = new URL(url)
  return `${protocol}//${host}${pathname}`
}

/** Listens until it is told to end; what is under way then is finished first. */
export async function listen(config: Config, db: Db) {
  const log = logTo()
  const app = buildApp(db, config, log, deliverApart)
  const own = await app.listen({ host: config.host, port: config.port })
  const address = config.baseUrl ?? own
  const series = new DailyCollection(db, log, address)
  return {
    address,
    async end() {
      const late = setTimeout(() => app.server.closeAllConnections(), config.limits.drainMilliseconds)
      await app.close()
      clearTimeout(late)
      await series.end()
      await db.close()
      await log.flush()
    },
  }
}
