import { mkdirSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Config } from '../../platform/config/config.ts'
import type { Db } from '../../platform/database/db.ts'
import { statement } from '../../platform/database/statements/statement.ts'
import type { Progress } from '../../platform/progress.ts'
import { Refusal } from '../../platform/refusal.ts'
import { markingUnfinished } from '../archive/unfinished-archive.ts'
import { type BegunWith, ImportJournal } from './import-journal.ts'
import { type FinishedImport, importStaged, type StagedImport } from './import-staged.ts'
import { readParams } from './read-params.ts'
import { identityOf, openStaging, stageDump } from './stage-dump.ts'
import type { Staging } from './staging/staging.ts'
import { timeZoneNamed } from './time-zone.ts'

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
  requireSource(begun, options.dump)
  return markingUnfinished(config.dataFolder, 'import', async () => {
    const staging = await stagingFor(join(folder, 'staging.db'), begun, options.dump, progress)
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
  })
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
    return stageDump(requireDump(dump), file, progress)
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

function requireFolder(folder: string | undefined) {
  if (folder === undefined) return
  const isFolder = statSync(folder, { throwIfNoEntry: false })?.isDirectory()
  if (!isFolder)
    throw new Refusal(`${folder} is not a folder. --attachments names the folder data/attachments of Bugzilla.`)
}

/** Refuses what cannot begin at all, before the data folder is marked. */
function requireSource(begun: ImportJournal | undefined, dump: string | undefined) {
  if (begun === undefined) identityOf(requireDump(dump))
}

function requireDump(dump: string | undefined): string {
  if (dump === undefined) throw new Refusal('There is no import to resume. Name the dump to import.')
  return dump
}
