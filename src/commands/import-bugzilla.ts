import { type FinishedImport, importBugzilla } from '../moving/bugzilla/import-bugzilla.ts'
import { readConfig } from '../platform/config/config.ts'
import { ProgressReporter } from '../platform/progress.ts'
import { requireWritableFile } from '../platform/whole-file.ts'
import { claimFolders, openMigrated } from '../prepare.ts'
import { askTimeZone } from './ask-time-zone.ts'
import type { ImportBugzillaOptions } from './import-options.ts'

export async function runImport(dump: string | undefined, options: ImportBugzillaOptions) {
  const config = readConfig()
  if (options.report !== undefined) requireWritableFile(options.report)
  claimFolders(config, 'server')
  const db = await openMigrated(config, true)
  let finished: FinishedImport | undefined
  try {
    finished = await importBugzilla(
      db,
      config,
      {
        dump,
        paramsFile: options.params,
        attachmentsFolder: options.attachments,
        timeZone: options.timeZone,
        askTimeZone: process.stdin.isTTY === true && dump !== '-' ? askTimeZone : undefined,
        reportFile: options.report,
      },
      new ProgressReporter(),
    )
    console.log(finished.summary)
  } finally {
    await db.close()
    finished?.removeStaging()
  }
}
