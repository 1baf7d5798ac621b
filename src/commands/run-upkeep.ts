import { messageFor } from '../fault-sentences.ts'
import type { Config } from '../platform/config/config.ts'
import { readConfig } from '../platform/config/config.ts'
import { isPostgres } from '../platform/database/open-database.ts'
import { isServed } from '../platform/database/served.ts'
import { ProgressReporter } from '../platform/progress.ts'
import { Refusal } from '../platform/refusal.ts'
import { claimFolders, openDatabaseOf, withoutPassword } from '../prepare.ts'
import { backUp, backupAt } from '../upkeep/backup.ts'
import { type CheckResult, checkInstallation } from '../upkeep/check/check-installation.ts'
import { moveInstallation, SourceFault } from '../upkeep/move.ts'
import { requireInstallation } from '../upkeep/require-installation.ts'
import { type InstallationStatus, readStatus } from '../upkeep/status.ts'
import { NOT_DONE } from './exit-codes.ts'
import { runArchiveImport, sentenceFor } from './run-archive.ts'

export async function runBackup(folder: string, attachmentsByReference: boolean, keep: number | undefined) {
  const backup = await backUp(readConfig(), folder, { attachmentsByReference, keep }, new ProgressReporter())
  console.log(sentenceFor(backup, backup.file))
  for (const name of backup.deleted) console.log(`Deleted the older backup ${name}.`)
  if (backup.lostContents === 0) return
  console.error(
    `Attachments have lost ${backup.lostContents} contents. Older backups may have them and are not deleted.`,
  )
  process.exitCode = NOT_DONE
}

export async function runRestore(backup: string, attachmentsInFolder: boolean) {
  const file = backupAt(backup)
  console.error(`Restoring ${file}`)
  await runArchiveImport(file, { discardWaiting: false, attachmentsInFolder })
}

export async function runCheck(repair: boolean, withContents: boolean) {
  const config = readConfig()
  await requireInstallation(config.databaseUrl)
  const db = await openDatabaseOf(config)
  try {
    const results = await checkInstallation(db, config, { repair, withContents }, new ProgressReporter())
    console.log(linesOf(results).join('\n'))
    if (results.some(({ count, wasRepaired }) => count > 0 && !wasRepaired)) process.exitCode = 1
  } finally {
    await db.close()
  }
}

function linesOf(results: readonly CheckResult[]): string[] {
  const wrong = results.filter(({ count }) => count > 0)
  if (wrong.length === 0) return ['Nothing is wrong.']
  return wrong.flatMap(({ name, count, sentences, isRepairable, wasRepaired }) => [
    `${name}: ${count} wrong${wasRepaired ? ', repaired' : isRepairable ? ', can be repaired with --repair' : ''}`,
    ...sentences.map((sentence) => `  ${sentence}`),
    ...(count > sentences.length ? [`  and ${count - sentences.length} more`] : []),
  ])
}

export async function runStatus(asJson: boolean) {
  const config = readConfig()
  const status = await readStatus(config)
  console.log(asJson ? JSON.stringify(status, null, 1) : statusLines(status, config).join('\n'))
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
    `Deliveries: ${status.waiting_deliveries} waiting, ${status.failed_deliveries} given up`,
    ...(mail_outage === null
      ? []
      : [
          `Warning: no mail can be sent since ${mail_outage.since}, last tried at ${mail_outage.last_at}: ${mail_outage.error}`,
        ]),
    ...(status.unfinished_import === null ? [] : [`The import of ${status.unfinished_import} is not finished.`]),
  ]
}

export async function runMove(to: string, evenIfServed: boolean) {
  const config = readConfig()
  if (!isPostgres(to) && to.includes('://'))
    throw new Refusal(`--to is ${withoutPassword(to)}, but it must be postgres://… or the path of a file.`)
  await requireInstallation(config.databaseUrl)
  const target = { ...config, databaseUrl: to }
  // A server on SQLite would go on writing to the old file.
  claimFolders(config, 'server')
  if (isPostgres(config.databaseUrl) && !evenIfServed && (await isServed(config.databaseUrl)))
    throw new Refusal(
      'Other programs are connected to the database. Stop the servers first; changes that they make meanwhile are not moved. To move anyway, add --even-if-served.',
    )
  claimFolders(target, 'server')
  const db = await openDatabaseOf(target)
  try {
    const { rows } = await moveInstallation(config, db, new ProgressReporter())
    console.log(
      `Moved ${rows.toLocaleString('en')} rows to ${withoutPassword(to)}. Set LACEWING_DATABASE_URL to it, keep LACEWING_DATA (attachments stay there), and start the server.\n` +
        `The old database ${withoutPassword(config.databaseUrl)} is unchanged: do not start a server on it any more.`,
    )
  } catch (fault) {
    if (fault instanceof SourceFault) throw fault.cause
    // All other faults are of the new database, and not of the one that the settings name.
    throw fault instanceof Refusal ? fault : new Refusal(messageFor(fault as Error, to))
  } finally {
    await db.close()
  }
}
