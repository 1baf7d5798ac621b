import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { importBugzilla } from '../../src/moving/bugzilla/import-bugzilla.ts'
import { type Config, readConfig } from '../../src/platform/config/config.ts'
import type { Db } from '../../src/platform/database/db.ts'
import { NO_PROGRESS, type Progress } from '../../src/platform/progress.ts'
import { openMigrated } from '../../src/prepare.ts'
import { type Engine, required } from './copy-database.ts'
import { newInstallation } from './server-process.ts'

/** A migrated installation without rows, that a dump is imported into. */
export interface Target {
  config: Config
  db: Db
  folder: string
}

export async function openTarget(engine: Engine, more: Record<string, string> = {}): Promise<Target> {
  const config = readConfig({ ...(await newInstallation(engine, 'migrated')), LACEWING_PORT: '0', ...more })
  return {
    config,
    db: await openMigrated(config),
    folder: mkdtempSync(join(required('LACEWING_TEST_FOLDER'), 'import-')),
  }
}

export function writeDump({ folder }: { folder: string }, dump: Buffer, name = 'dump.sql') {
  const file = join(folder, name)
  writeFileSync(file, dump)
  return file
}

/** The files of a Bugzilla that are not in its database. */
export function writeDataFolder({ folder }: Target) {
  const attachments = join(folder, 'attachments')
  mkdirSync(join(attachments, 'group.06'), { recursive: true })
  writeFileSync(join(attachments, 'group.06', 'attachment.6'), 'from a file')
  const params = {
    urlbase: 'http://bugs.old.test/',
    insidergroup: 'secret',
    timetrackinggroup: 'editbugs',
    mailfrom: 'daemon',
    maxattachmentsize: '5000',
    useclassification: 1,
    // They hide fields in pages and mail; nothing that a bug has is left out.
    ...{ usestatuswhiteboard: 0, usetargetmilestone: 0, use_see_also: 0, useqacontact: 0, usebugaliases: 0 },
    LDAPserver: '',
    defaultpriority: 'Low',
    defaultseverity: 'no such value',
    maintainer: 'admin@example.com',
  }
  writeFileSync(join(folder, 'params.json'), JSON.stringify(params))
  return { attachments, params: join(folder, 'params.json') }
}

export async function importInto(
  target: Target,
  dump: string | undefined,
  progress: Progress = NO_PROGRESS,
  timeZone: string | undefined = 'Europe/Berlin',
  hasParams = true,
) {
  const { attachments, params } = writeDataFolder(target)
  const options = {
    dump,
    paramsFile: hasParams ? params : undefined,
    attachmentsFolder: attachments,
    timeZone,
    reportFile: undefined,
    // An import that goes on without the dump needs none of them.
    ...(dump === undefined ? { paramsFile: undefined, attachmentsFolder: undefined, timeZone: undefined } : {}),
  }
  const finished = await importBugzilla(target.db, target.config, options, progress)
  finished.removeStaging()
  return finished
}
