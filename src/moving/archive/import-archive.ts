import { createWriteStream, existsSync, mkdirSync, readdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { makeInstallationSecrets } from '../../access/installation-secrets.ts'
import type { Config } from '../../platform/config/config.ts'
import { Contents } from '../../platform/contents/contents.ts'
import type { ConfigurationTransaction, Db } from '../../platform/database/db.ts'
import { migrations } from '../../platform/database/migrations/index.ts'
import { migrate } from '../../platform/database/migrations/migrate.ts'
import type { Progress } from '../../platform/progress.ts'
import { Refusal } from '../../platform/refusal.ts'
import { randomWord } from '../../platform/secrets/secrets.ts'
import { PRIVATE_AND_NEW } from '../../platform/whole-file.ts'
import type { ArchivePart, RowCounts } from './archive-part.ts'
import { columnsOf, rawRows } from './database-catalogue.ts'
import { discardWaiting } from './discard-waiting.ts'
import { InstallationLoader, type LoadedParts } from './load-installation.ts'
import type { Manifest } from './manifest.ts'
import { readArchive, verifyArchive } from './read-archive.ts'
import { markingUnfinished } from './unfinished-archive.ts'
import { UnreadableArchive } from './unreadable-archive.ts'

export interface ArchiveImportOptions {
  /** Deletes messages and webhook deliveries that were waiting when the archive was written. */
  discardWaiting: boolean
  /** Stores contents in the data folder, also if the archive is of an installation with an S3 store. */
  attachmentsInFolder: boolean
}

export interface ImportedArchive extends LoadedParts {
  manifest: Manifest
}

/**
 * Makes an installation of an archive, in one transaction: after any failure the database is as empty as before. The
 * whole archive is verified first. `-` is standard input, which is saved to a file for that.
 */
export async function importArchive(
  db: Db,
  config: Config,
  file: string,
  options: ArchiveImportOptions,
  progress: Progress,
): Promise<ImportedArchive> {
  await requireEmpty(db)
  if (file !== '-') sizeOf(file)
  removeSavedInput(config)
  const contents = new Contents(join(config.dataFolder, 'attachments'))
  const importFile = async (archive: string) => {
    const manifest = await verifyArchiveFile(archive, progress)
    return {
      manifest,
      ...(await loadInstallation(
        { db, contents },
        { ...manifest, parts: () => readArchive(archive) },
        options,
        progress,
      )),
    }
  }
  // Reading a large archive takes as long as importing it, and can be killed too.
  return markingUnfinished(config.dataFolder, 'archive', () =>
    file === '-' ? withSavedInput(config, importFile) : importFile(file),
  )
}

export async function verifyArchiveFile(file: string, progress: Progress): Promise<Manifest> {
  progress.begin('Verifying the archive', sizeOf(file), 'bytes')
  const manifest = await verifyArchive(file, (bytes) => progress.advance(bytes))
  progress.end()
  return manifest
}

function sizeOf(file: string): number {
  const size = statSync(file, { throwIfNoEntry: false })?.size
  if (size === undefined) throw new Refusal(`The file ${file} does not exist.`)
  return size
}

/** Fills an empty database with an installation of an older schema or of this one, and migrates it to this release. */
export async function loadInstallation(
  { db, contents }: { db: Db; contents: Contents },
  { schema, counts, parts }: { schema: number; counts: RowCounts; parts: () => AsyncIterable<ArchivePart> },
  options: ArchiveImportOptions,
  progress: Progress,
): Promise<LoadedParts> {
  const total = Object.values(counts).reduce((sum, rows) => sum + rows, 0)
  progress.begin('Importing', total)
  const loaded = await onConstraint(db, () =>
    db.transaction(async (tx) => {
      await prepareTables(tx, schema)
      const loader = await InstallationLoader.of(tx, contents, options.attachmentsInFolder)
      // Called here, because PostgreSQL may end a transaction for another one, and then it is repeated.
      const result = await loader.load(parts(), (rows) => progress.advance(rows))
      if (result.rows !== total) throw new UnreadableArchive(`it has ${result.rows} rows instead of ${total}`)
      if (options.discardWaiting) await discardWaiting(tx)
      await migrate(tx)
      return result
    }, 'migration'),
  )
  progress.end()
  await makeInstallationSecrets(db)
  if (db.dialect.engine === 'postgres') await db.script('analyze')
  return loaded
}

export async function requireEmpty(db: Db) {
  const tables = await columnsOf(db)
  const filled = []
  for (const table of ['users', 'bugs', 'imports'])
    if (tables.has(table) && (await rawRows(db, `select 1 as one from ${table} limit 1`)).length > 0) filled.push(table)
  if (filled.length > 0)
    throw new Refusal(
      `The installation is not empty: it has ${filled.join(' and ')}. Import into a new one: set LACEWING_DATA to an empty folder, or LACEWING_DATABASE_URL to an empty database.`,
    )
}

/** The tables of the release that wrote the archive. */
async function prepareTables(tx: ConfigurationTransaction, schema: number) {
  await requireEmpty(tx)
  if (!Number.isInteger(schema) || schema < 1) throw new UnreadableArchive('its manifest has no schema')
  await migrate(tx, schema)
  const [newest] = await rawRows(tx, 'select max(number) as number from schema_migrations')
  if (newest?.number !== schema)
    throw new Refusal(
      `The archive has the schema ${schema}, and the database has tables of the schema ${newest?.number} already (this release has ${migrations.length}). Import into a database without tables.`,
    )
}

/** A row that breaks a constraint: the checksums are right, but the rows are not those of one installation. */
async function onConstraint<Result>({ dialect }: Db, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (fault) {
    const code = String((fault as { code?: string }).code ?? '')
    const message = (fault as Error).message
    const isOfRows =
      dialect.isUniqueViolation(fault) ||
      dialect.isForeignKeyViolation(fault) ||
      /^2[23]/.test(code) ||
      /constraint failed|datatype mismatch/.test(message)
    throw isOfRows ? new UnreadableArchive(`its rows contradict each other (${message})`) : fault
  }
}

const SAVED_INPUT = /^archive-\w{16}\.tar\.gz$/

/** Removes what a killed import has saved: it has all secrets of an installation. */
function removeSavedInput({ dataFolder }: Config) {
  const folder = join(dataFolder, 'import')
  if (!existsSync(folder)) return
  for (const name of readdirSync(folder)) if (SAVED_INPUT.test(name)) rmSync(join(folder, name), { force: true })
}

async function withSavedInput<Result>(config: Config, work: (file: string) => Promise<Result>): Promise<Result> {
  const folder = join(config.dataFolder, 'import')
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const file = join(folder, `archive-${randomWord(16)}.tar.gz`)
  try {
    await pipeline(process.stdin, createWriteStream(file, PRIVATE_AND_NEW))
    return await work(file)
  } finally {
    rmSync(file, { force: true })
  }
}
