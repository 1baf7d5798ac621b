import { importBugzilla } from '../moving/bugzilla/import-bugzilla.ts'
import type { FinishedImport } from '../moving/bugzilla/import-staged.ts'
import { readConfig } from '../platform/config/config.ts'
import { requireWritableFile } from '../platform/whole-file.ts'
import { claimFolders, openMigrated } from '../prepare.ts'
import { askTimeZone } from './ask-time-zone.ts'
import type { ImportBugzillaOptions } from './import-options.ts'
import type { CommandOutput } from './output.ts'
import { requireNew } from './require-new.ts'

export async function runImport(dump: string | undefined, options: ImportBugzillaOptions, output: CommandOutput) {
  const config = readConfig()
  requireNew(options.report, options.force)
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
      output.progress,
    )
    output.confirm({ report: finished.file, summary: finished.summary.split('\n') }, finished.summary)
  } finally {
    await db.close()
    finished?.removeStaging()
  }
}
