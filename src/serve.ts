import { firstStart, type MadeUp } from './admin/first-start.ts'
import { buildApp } from './app.ts'
import { deliverApart } from './outbound/deliver-apart.ts'
import { type Config, prepareDataFolder, WrongSetting } from './platform/config.ts'
import type { Db } from './platform/database/db.ts'
import { migrate } from './platform/database/migrate.ts'
import { isPostgres, openDatabase } from './platform/database/open-database.ts'
import { DatabaseInUse, joinServer, lockForServer } from './platform/database/server-lock.ts'
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
  return namingTheDatabase(config, () => openDatabase(config.databaseUrl, config.processes > 1))
}

/** Makes sure that no second server uses the same SQLite file. PostgreSQL serves any number of them. */
export function claimDatabase(config: Config, as: 'server' | 'worker') {
  prepareDataFolder(config)
  const { databaseUrl } = config
  if (isPostgres(databaseUrl)) return
  namingTheDatabase(config, () => (as === 'server' ? lockForServer(databaseUrl) : joinServer(databaseUrl)))
}

function namingTheDatabase<Result>({ databaseUrl }: Config, open: () => Result): Result {
  try {
    return open()
  } catch (fault) {
    const name = withoutPassword(databaseUrl)
    if (fault instanceof DatabaseInUse)
      throw new WrongSetting(
        `Another server uses the database ${name}. Stop it first; to serve with several processes, set LACEWING_PROCESSES.`,
      )
    throw new WrongSetting(`The database ${name} cannot be opened: ${(fault as Error).message}.`)
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
