import { existsSync, statfsSync } from 'node:fs'
import { dirname } from 'node:path'
import { checkOldestWriter } from './access/installation.ts'
import { makeInstallationSecrets } from './access/installation-secrets.ts'
import { type GeneratedLogin, saveLogin } from './admin/first-login.ts'
import { firstStart } from './admin/first-start.ts'
import { findUnfinished, forgetUnfinished } from './moving/archive/unfinished-archive.ts'
import { type Config, prepareDataFolder, WrongSetting } from './platform/config/config.ts'
import type { Db } from './platform/database/db.ts'
import { type MigrationReport, migrate } from './platform/database/migrations/migrate.ts'
import { isPostgres, openDatabase } from './platform/database/open-database.ts'
import { listPoolerSettings, listPoorSettings } from './platform/database/postgres/postgres-advice.ts'
import { requireSupportedPostgres } from './platform/database/postgres/postgres-requirements.ts'
import { reasonOfPostgres } from './platform/database/postgres/postgres-sentences.ts'
import { waitForPostgres } from './platform/database/postgres/wait-for-postgres.ts'
import { DatabaseInUse, joinServer, lockForServer } from './platform/database/sqlite/server-lock.ts'
import { statement } from './platform/database/statements/statement.ts'
import { requireMaildir } from './platform/maildir.ts'
import { logTo } from './platform/monitoring/log.ts'
import { Refusal } from './platform/refusal.ts'

/**
 * The credentials that a first start has generated, and the file that they are saved in; no file if they are shown on a
 * terminal.
 */
export interface FirstLogin {
  generated: GeneratedLogin
  file: string | undefined
}

/** Opens the database and migrates it to this release; in an empty one, creates everything that a first bug needs. */
export async function prepare(config: Config, hasTerminal = false): Promise<{ db: Db; firstLogin: FirstLogin }> {
  const db = await openMigrated(config)
  await requireNoUnfinishedImport(db)
  await requireNoUnfinishedFilling(db, config)
  let file: string | undefined
  const save = (login: GeneratedLogin) => {
    if (!hasTerminal) file = saveLogin(config.dataFolder, login)
  }
  const generated = await firstStart(db, config, save)
  await makeInstallationSecrets(db)
  for (const { name, value, better } of await listPoorSettings(db))
    logTo().info('setting of the database', { name, value, better })
  return { db: await servingDatabase(db, config), firstLogin: { generated, file } }
}

/** The database for requests, through the pooler if there is one. What came before it needs PostgreSQL itself, such as migrations. */
async function servingDatabase(db: Db, config: Config): Promise<Db> {
  const { databaseUrl, poolerUrl } = config
  if (poolerUrl === undefined) return db
  await db.close()
  const pooled = openDatabase(databaseUrl, true, undefined, poolerUrl)
  checkOldestWriter(pooled)
  const poor = await listPoolerSettings(pooled).catch((fault: Error) => {
    const reason = reasonOfPostgres((fault.cause ?? fault) as Error, poolerUrl) ?? fault.message
    throw new WrongSetting(`The pooler ${withoutPassword(poolerUrl)} cannot be used: ${reason}.`)
  })
  for (const { name, value, better } of poor) logTo().info('setting of the pooler', { name, value, better })
  return pooled
}

/** Opens the database and migrates it to this release, and leaves an empty one empty. `isBulk`: to fill it. */
export async function openMigrated(config: Config, isBulk = false): Promise<Db> {
  const db = await openDatabaseOf(config, isBulk)
  await requireSupportedPostgres(db, withoutPassword(config.databaseUrl))
  await migrate(db, undefined, reportOfMigration(config))
  checkOldestWriter(db)
  return db
}

/** On standard error, once for people and once as lines of the log. */
function reportOfMigration({ databaseUrl }: Config): MigrationReport {
  const log = logTo()
  let began = 0
  return {
    begins(from, to) {
      began = performance.now()
      console.error(
        `Migrating the database ${withoutPassword(databaseUrl)} from schema ${from} to ${to}, in ${to - from} steps. ` +
          'Only a backup leads back: without one, stop now, which changes nothing, and run lacewing backup first.',
      )
      log.info('migration begins', { from, to, steps: to - from })
    },
    step(number, name) {
      console.error(`Step ${number}: ${name}`)
      log.info('migration step', { schema: number, name })
    },
    ends(from, to) {
      const seconds = Math.round((performance.now() - began) / 100) / 10
      console.error(`The database has the schema ${to} now. It took ${seconds} seconds.`)
      log.info('migration ends', { from, to, seconds })
    },
  }
}

const unfinishedImport = statement<object>()((q) =>
  q.selectFrom('imports').select(['begun_at', 'source']).where('finished_at', 'is', null).limit(1),
)

/** Half an import would look like a whole installation. */
async function requireNoUnfinishedImport(db: Db) {
  const unfinished = await db.first(unfinishedImport, {})
  if (unfinished === undefined) return
  await db.close()
  const command = unfinished.source.startsWith('rest ')
    ? 'give the command npx lacewing import rest again'
    : 'npx lacewing import bugzilla --resume'
  throw new WrongSetting(`The import that began at ${unfinished.begun_at} was broken off. Finish it first: ${command}`)
}

const anyUser = statement<object>()((q) => q.selectFrom('users').select('id').limit(1))

const FILLINGS = {
  archive: 'import or restore of an archive',
  import: 'import',
  move: 'move to another database',
} as const

/** A first start would make a new installation where one is to be restored, imported or moved to. */
async function requireNoUnfinishedFilling(db: Db, { dataFolder }: Config) {
  for (const filling of ['archive', 'import', 'move'] as const) {
    const unfinished = findUnfinished(dataFolder, filling)
    if (unfinished === undefined) continue
    if ((await db.first(anyUser, {})) === undefined) {
      await db.close()
      throw new WrongSetting(
        `The ${FILLINGS[filling]} that began at ${unfinished.begunAt} was broken off. Give the command again. To start with an empty installation instead, delete ${unfinished.marker}`,
      )
    }
    // The mark of a move stays: this may be the old database.
    if (filling !== 'move') forgetUnfinished(dataFolder, filling)
  }
}

/** PostgreSQL may start after the server. */
export async function waitForDatabase({ databaseUrl, databaseWaitSeconds }: Config) {
  if (!isPostgres(databaseUrl)) return
  await waitForPostgres(databaseUrl, databaseWaitSeconds, (reason) =>
    console.error(
      `The database ${withoutPassword(databaseUrl)} does not respond (${reason}). ` +
        `The server waits for it, for up to ${databaseWaitSeconds} seconds.`,
    ),
  )
}

/** Opens the database as it is. */
export async function openDatabaseOf(config: Config, isBulk = false): Promise<Db> {
  prepareDataFolder(config)
  const deferredSync = isBulk ? { after: undefined, isBulk } : undefined
  return namingTheDatabase(config, () => openDatabase(config.databaseUrl, config.processes > 1, deferredSync))
}

/**
 * Checks the folders that the server needs, and that no other server uses the same SQLite file. PostgreSQL allows any
 * number of servers.
 */
export function claimFolders(config: Config, as: 'server' | 'worker') {
  prepareDataFolder(config)
  const { databaseUrl, maildir } = config
  if (maildir !== undefined) requireMaildir(maildir)
  if (isPostgres(databaseUrl)) return
  namingTheDatabase(config, () => (as === 'server' ? lockForServer(databaseUrl) : joinServer(databaseUrl)))
}

function namingTheDatabase<Result>({ databaseUrl }: Config, open: () => Result): Result {
  try {
    return open()
  } catch (fault) {
    const name = withoutPassword(databaseUrl)
    if (fault instanceof Refusal) throw fault
    if (fault instanceof DatabaseInUse)
      throw new WrongSetting(
        `Another server uses the database ${name}. Stop it first; to serve with several processes, set LACEWING_PROCESSES.`,
      )
    throw new WrongSetting(
      `The database ${name} cannot be opened: ${(fault as Error).message}${hintFor(fault, databaseUrl)}.`,
    )
  }
}

/** SQLite reports an I/O error if it cannot create its files next to the database. */
function hintFor(fault: unknown, file: string) {
  const { code } = fault as { code?: string }
  const isThere = existsSync(dirname(file))
  return code === 'ERR_SQLITE_ERROR' && isThere && statfsSync(dirname(file)).bavail === 0 ? ' (the disk is full)' : ''
}

/** The URL of a database for messages. A password can be before the host, and also in the parameters. */
export function withoutPassword(url: string) {
  if (!isPostgres(url)) return url
  const { protocol, host, pathname } = new URL(url)
  return `${protocol}//${host}${pathname}`
}
