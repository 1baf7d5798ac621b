import { mkdirSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { readSettings } from '../../access/installation.ts'
import type { Config } from '../../platform/config/config.ts'
import type { Db } from '../../platform/database/db.ts'
import { statement } from '../../platform/database/statements/statement.ts'
import type { Progress } from '../../platform/progress.ts'
import { Refusal } from '../../platform/refusal.ts'
import { markingUnfinished } from '../archive/unfinished-archive.ts'
import { type Addresses, addressIn } from './bugs/addresses.ts'
import { loadUserLookup } from './bugs/bug-lookup.ts'
import { bugsDone, bugsStep } from './bugs/import-bugs.ts'
import { linksStep } from './bugs/import-links.ts'
import { createIndexesStep, dropIndexesStep } from './bugs/load-indexes.ts'
import { importFields } from './catalogue/import-fields.ts'
import { importFlagTypes } from './catalogue/import-flag-types.ts'
import { importProducts } from './catalogue/import-products.ts'
import { finishImport } from './finish-import.ts'
import type { ImportContext } from './import-context.ts'
import { type BegunWith, ImportJournal } from './import-journal.ts'
import { importParameters } from './import-parameters.ts'
import { reportOrphans } from './orphan-rows.ts'
import { importAccountLog, importAuditLog } from './people/import-audit-log.ts'
import { importGroups } from './people/import-groups.ts'
import { importWatchingAndKeys, membershipsStep } from './people/import-memberships.ts'
import { importMissingUsers, usersStep } from './people/import-users.ts'
import { readParams } from './read-params.ts'
import { type ImportReport, type ReportOptions, writeReport } from './report.ts'
import { checkSearches } from './searches/check-searches.ts'
import { importSearches } from './searches/import-searches.ts'
import { importCounts, importSeries } from './searches/import-series.ts'
import { identityOf, openStaging, stageDump } from './stage-dump.ts'
import type { Staging } from './staging/staging.ts'
import { type TimeZone, timeZoneNamed } from './time-zone.ts'

export interface ImportOptions {
  /** A file, or `-`; undefined to continue an import without reading the dump again. */
  dump: string | undefined
  paramsFile: string | undefined
  attachmentsFolder: string | undefined
  timeZone: string | undefined
  /** Asks for the time zone if there is a terminal; undefined if nobody can be asked. */
  askTimeZone?: (() => Promise<string>) | undefined
  reportFile: string | undefined
}

/** The staging file is removed when the database is closed, and with it the last commit on the disk. */
export interface FinishedImport extends ImportReport {
  removeStaging(): void
}

const anyUser = statement<object>()((q) => q.selectFrom('users').select('id').limit(1))

/**
 * Imports a dump into an empty installation, or continues an import that was broken off. Nothing is written to the
 * installation before the whole dump was read and checked.
 */
export async function importBugzilla(
  db: Db,
  config: Config,
  given: ImportOptions,
  progress: Progress,
): Promise<FinishedImport> {
  const begun = await requireEmptyOrBegun(db)
  if (begun?.source.startsWith('rest '))
    throw new Refusal('An import with lacewing import rest was broken off. Give that command again to finish it.')
  const options = { ...given, ...asBegun(given, begun) }
  if (begun === undefined) options.timeZone ??= await zoneFrom(given)
  const zone = timeZoneNamed(options.timeZone ?? 'UTC')
  if (zone === undefined)
    throw new Refusal(`There is no time zone ${options.timeZone}. Use a name such as Europe/Berlin.`)
  const params = options.paramsFile === undefined ? {} : readParams(options.paramsFile)
  requireFolder(options.attachmentsFolder)
  const folder = join(config.dataFolder, 'import')
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const staging = await markingUnfinished(config.dataFolder, 'import', () =>
    stagingFor(join(folder, 'staging.db'), begun, options.dump, progress),
  )
  const staged: StagedImport = {
    staging,
    begun,
    zone,
    params,
    attachmentsFolder: options.attachmentsFolder,
    begunWith: asBegun(options, begun),
    addresses: { old: params.urlbase || undefined, new: config.baseUrl },
    report: {
      reportFile: options.reportFile,
      wasZoneGiven: options.timeZone !== undefined,
      wereParamsGiven: options.paramsFile !== undefined,
    },
  }
  return importStaged(db, config, staged, progress)
}

/** The dump of a Bugzilla never says its zone: a wrong one would shift every time, and nobody might notice. */
async function zoneFrom({ askTimeZone, dump }: ImportOptions): Promise<string | undefined> {
  if (dump === undefined) return undefined
  if (askTimeZone !== undefined) return askTimeZone()
  throw new Refusal(
    'Bugzilla stores local times, and the dump does not say of which time zone. Name it with --time-zone, such as --time-zone Europe/Berlin: on the old host, ask timedatectl show -p Timezone --value. Nothing was imported.',
  )
}

/** The options that an import goes on with: those that it began with, where the command has none. */
function asBegun(
  { timeZone, paramsFile, attachmentsFolder }: ImportOptions,
  begun: ImportJournal | undefined,
): BegunWith {
  const before = begun?.begunWith ?? {}
  const zoneBefore = begun?.begunWith === undefined ? timeZone : (before.timeZone ?? 'UTC')
  if (timeZone !== undefined && timeZone !== zoneBefore)
    throw new Refusal(
      `The import that was broken off has read times as ${zoneBefore}. Give the command again without --time-zone, or import into a new installation.`,
    )
  const absolute = (path: string | undefined) => (path === undefined ? undefined : resolve(path))
  return {
    timeZone: before.timeZone ?? timeZone,
    paramsFile: absolute(paramsFile) ?? before.paramsFile,
    attachmentsFolder: absolute(attachmentsFolder) ?? before.attachmentsFolder,
  }
}

/** The import that was broken off; undefined if the installation is empty. Refuses any other installation. */
export async function requireEmptyOrBegun(db: Db): Promise<ImportJournal | undefined> {
  const begun = await ImportJournal.find(db)
  if (begun === undefined && (await db.first(anyUser, {})) !== undefined)
    throw new Refusal(
      'The installation is not empty: it has users. Import into a new one: set LACEWING_DATA to an empty folder, or LACEWING_DATABASE_URL to an empty database.',
    )
  return begun
}

/** Rows of a Bugzilla that are staged, and what the import needs besides them. */
export interface StagedImport {
  readonly staging: Staging
  /** The import that was broken off and goes on. */
  readonly begun: ImportJournal | undefined
  readonly zone: TimeZone
  readonly params: Readonly<Record<string, string>>
  readonly attachmentsFolder: string | undefined
  readonly addresses: Addresses
  /** What an import that is broken off goes on with. */
  readonly begunWith?: BegunWith
  readonly report: Omit<ReportOptions, 'folder'>
}

/** Imports staged rows into the installation, wherever they come from. */
export async function importStaged(
  db: Db,
  config: Config,
  { staging, begun, zone, params, attachmentsFolder, addresses, begunWith = {}, report: reportOptions }: StagedImport,
  progress: Progress,
): Promise<FinishedImport> {
  try {
    staging.prepareReading()
    const journal = begun ?? (await ImportJournal.begin(db, staging.facts()?.identity ?? '', begunWith))
    const context: ImportContext = {
      db,
      staging,
      journal,
      zone,
      progress,
      dataFolder: config.dataFolder,
      settings: await readSettings(db),
      attachmentsFolder,
      params,
    }
    await importAll(context, { ...addresses, old: addresses.old ?? addressIn(staging) })
    await finishImport(context, config.baseUrl !== undefined)
    const report = await writeReport(context, { ...reportOptions, folder: join(config.dataFolder, 'import') })
    await journal.finish()
    return { ...report, removeStaging: () => staging.remove() }
  } catch (fault) {
    staging.close()
    throw fault
  }
}

/** The staged dump of an import that was broken off, or a newly staged one. */
async function stagingFor(
  file: string,
  begun: ImportJournal | undefined,
  dump: string | undefined,
  progress: Progress,
): Promise<Staging> {
  const staged = openStaging(file)
  if (begun === undefined) {
    staged?.close()
    if (dump === undefined) throw new Refusal('There is no import to resume. Name the dump to import.')
    return stageDump(dump, file, progress)
  }
  if (staged?.facts()?.identity === begun.source) {
    if (dump === undefined || dump === '-' || identityOf(dump) === begun.source) {
      progress.note('Resuming the import that was broken off.')
      return staged
    }
    staged.close()
    throw new Refusal(
      'An import from another dump was broken off. Resume that one with --resume, or import into a new installation.',
    )
  }
  staged?.close()
  if (dump !== undefined && dump !== '-' && identityOf(dump) === begun.source) return stageDump(dump, file, progress)
  throw new Refusal(
    'An import was broken off, and its staging file is gone. Import the same dump file again, or import into a new installation.',
  )
}

async function importAll(context: ImportContext, addresses: Addresses) {
  const { journal, staging, progress, db } = context
  const { step } = { step: journal.step.bind(journal) }
  if (!journal.isDone('staging notes')) await step('staging notes', async () => copyNotes(context))
  progress.begin('Importing users', staging.count('profiles'), 'rows')
  await step('groups', (tx) => importGroups(context, tx))
  await usersStep(context, () => progress.advance(Number(Object.values(journal.counts.profiles ?? {})[0] ?? 0)))
  await step('missing users', (tx) => importMissingUsers(context, tx))
  const people = await loadUserLookup(db, context)
  await membershipsStep(context, people, () => {})
  await step('watching and keys', (tx) => importWatchingAndKeys(context, tx, people))
  progress.advance(people.users.size)
  progress.end()
  progress.begin('Importing products and fields')
  await step('products', (tx) => importProducts(context, tx, people))
  await step('fields', (tx) => importFields(context, tx))
  await step('flag types', (tx) => importFlagTypes(context, tx, people))
  progress.end()
  progress.begin('Importing bugs', staging.count('bugs'), 'bugs', bugsDone(context))
  await dropIndexesStep(context)
  await bugsStep(context, addresses, (bugs) => progress.advance(bugs))
  await linksStep(context, addresses)
  progress.end()
  progress.begin('Building indexes', journal.indexes.length, 'indexes')
  await createIndexesStep(context)
  progress.end()
  progress.begin('Importing searches, series and logs')
  await step('searches', (tx) => importSearches(context, tx, people))
  await step('series', (tx) => importSeries(context, tx, people))
  await step('check searches', (tx) => checkSearches(context, tx))
  await step('counts', (tx, after) => importCounts(context, tx, after))
  await step('audit log', (tx, after) => importAuditLog(context, tx, people, after))
  await step('account log', (tx, after) => importAccountLog(context, tx, people, after))
  await step('rows of nothing', () => reportOrphans(context))
  await step('parameters', (tx) => importParameters(context, tx, addresses.new !== undefined))
  progress.end()
}

/** What was odd about the texts of the dump. */
async function copyNotes({ staging, journal }: ImportContext): Promise<'done'> {
  for (const row of staging.iterate('select source, key, note from notes'))
    journal.note(String(row.source), String(row.key), String(row.note))
  return 'done'
}

function requireFolder(folder: string | undefined) {
  if (folder === undefined) return
  const isFolder = statSync(folder, { throwIfNoEntry: false })?.isDirectory()
  if (!isFolder)
    throw new Refusal(`${folder} is not a folder. --attachments names the folder data/attachments of Bugzilla.`)
}
