import { statSync } from 'node:fs'
import type { Config } from '../platform/config/config.ts'
import { readConfig } from '../platform/config/config.ts'
import { withoutPassword } from '../prepare.ts'
import { backUp, getBackupFile } from '../upkeep/backup.ts'
import { noteBackup } from '../upkeep/backup-store.ts'
import { type CheckResult, checkInstallation } from '../upkeep/check/check-installation.ts'
import { type InstallationStatus, readStatus } from '../upkeep/status.ts'
import { NOT_DONE } from './exit-codes.ts'
import type { CommandOutput } from './output.ts'
import { runArchiveImport, sentenceFor } from './run-archive.ts'
import { withInstallation } from './with-installation.ts'

export async function runBackup(
  folder: string,
  attachmentsByReference: boolean,
  keep: number | undefined,
  output: CommandOutput,
) {
  const backup = await backUp(readConfig(), folder, { attachmentsByReference, keep }, output.progress)
  await noteWritten(backup.file)
  const { file, rows, contents, missingContents, lostContents, deleted } = backup
  const lines = [sentenceFor(backup, file), ...deleted.map((name) => `Deleted the older backup ${name}.`)]
  output.confirm(
    { file, rows, contents, missing_contents: missingContents.length, lost_contents: lostContents, deleted },
    lines.join('\n'),
  )
  if (backup.lostContents === 0) return
  console.error(
    `Attachments have lost ${backup.lostContents} contents. Older backups may have them and are not deleted.`,
  )
  process.exitCode = NOT_DONE
}

/** Only a database of this release has the table for it. An older one is backed up before it is migrated. */
async function noteWritten(file: string) {
  try {
    await withInstallation((db) => noteBackup(db, 'lacewing backup', statSync(file).size).then(() => {}))
  } catch (fault) {
    console.error(`The backup is complete, but the installation could not note it: ${(fault as Error).message}`)
  }
}

export async function runRestore(backup: string, attachmentsInFolder: boolean, output: CommandOutput) {
  const file = getBackupFile(backup)
  output.note(`Restoring ${file}`)
  await runArchiveImport(file, { discardWaiting: false, attachmentsInFolder }, output)
}

export function runCheck(repair: boolean, withContents: boolean, output: CommandOutput) {
  return withInstallation(async (db, config) => {
    const results = await checkInstallation(db, config, { repair, withContents }, output.progress)
    const isWrong = results.some(({ count, wasRepaired }) => count > 0 && !wasRepaired)
    const wrong = results.filter(({ count }) => count > 0)
    const json = wrong.map(({ name, count, sentences, isRepairable, wasRepaired }) => ({
      name,
      count,
      sentences,
      is_repairable: isRepairable,
      was_repaired: wasRepaired,
    }))
    const print = wrong.length > 0 ? output.print : output.confirm
    print.call(output, { is_wrong: isWrong, findings: json }, linesOf(wrong).join('\n'))
    if (isWrong) process.exitCode = NOT_DONE
  })
}

function linesOf(wrong: readonly CheckResult[]): string[] {
  if (wrong.length === 0) return ['Nothing is wrong.']
  return wrong.flatMap(({ name, count, sentences, isRepairable, wasRepaired }) => [
    `${name}: ${count} wrong${wasRepaired ? ', repaired' : isRepairable ? ', can be repaired with --repair' : ''}`,
    ...sentences.map((sentence) => `  ${sentence}`),
    ...(count > sentences.length ? [`  and ${count - sentences.length} more`] : []),
  ])
}

export async function runStatus(output: CommandOutput) {
  const config = readConfig()
  const status = await readStatus(config)
  output.print(status, statusLines(status, config).join('\n'))
}

function statusLines(status: InstallationStatus, config: Config): string[] {
  const { mail_outage } = status
  const schema = status.schema === status.newest_schema ? '' : ` (this release has ${status.newest_schema})`
  return [
    `Release ${status.release}, schema ${status.schema}${schema}`,
    `Database ${withoutPassword(config.databaseUrl)}, ${(status.database_bytes / 1e6).toFixed(1)} MB`,
    status.is_served ? 'A server uses it.' : 'No server uses it.',
    ...Object.entries(status.counts).map(([name, count]) => `${name}: ${count.toLocaleString('en')}`),
    `Newest change: ${status.newest_change ?? 'none'}`,
    `Last backup: ${status.last_backup ?? 'none seen'}`,
    `Deliveries: ${status.waiting_deliveries} waiting, ${status.failed_deliveries} given up`,
    ...(mail_outage === null
      ? []
      : [
          `Warning: no mail can be sent since ${mail_outage.since}, last tried at ${mail_outage.last_at}: ${mail_outage.error}`,
        ]),
    ...(status.unfinished_import === null ? [] : [`The import of ${status.unfinished_import} is not finished.`]),
  ]
}
