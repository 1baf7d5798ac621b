import { join } from 'node:path'
import { readSettings } from '../../access/installation.ts'
import type { Config } from '../../platform/config/config.ts'
import type { Db } from '../../platform/database/db.ts'
import type { Progress } from '../../platform/progress.ts'
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
import { type ImportReport, type ReportOptions, writeReport } from './report.ts'
import { checkSearches } from './searches/check-searches.ts'
import { importSearches } from './searches/import-searches.ts'
import { importCounts, importSeries } from './searches/import-series.ts'
import type { Staging } from './staging/staging.ts'
import type { TimeZone } from './time-zone.ts'

/** The staging file is removed when the database is closed, and with it the last commit on the disk. */
export interface FinishedImport extends ImportReport {
  removeStaging(): void
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
