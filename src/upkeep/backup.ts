import { lstatSync, mkdirSync, readdirSync, rmSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'
import { type ExportOptions, exportArchive } from '../moving/archive/export-archive.ts'
import { verifyArchiveFile } from '../moving/archive/import-archive.ts'
import { KEYS_OF_CONTENTS } from '../moving/archive/read-installation.ts'
import type { WrittenArchive } from '../moving/archive/write-archive.ts'
import type { Config } from '../platform/config/config.ts'
import { openSnapshot } from '../platform/database/open-snapshot.ts'
import type { Progress } from '../platform/progress.ts'
import { Refusal } from '../platform/refusal.ts'

/** `lacewing-2026-01-31T120000.000Z.tar.gz`: the order of names is the order of time. */
const BACKUP = /^lacewing-\d{4}-\d\d-\d\dT\d{6}\.\d{3}Z\.tar\.gz$/

export interface Backup extends WrittenArchive {
  file: string
  deleted: readonly string[]
  /** Contents that attachments refer to, but that no store has. */
  lostContents: number
}

/** Writes an archive and reads all of it back. Only then are older backups deleted, unless they may have more. */
export async function backUp(
  config: Config,
  folder: string,
  options: ExportOptions & { keep: number | undefined },
  progress: Progress,
): Promise<Backup> {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  removeUnfinished(folder)
  const file = join(folder, `lacewing-${new Date().toISOString().replaceAll(':', '')}.tar.gz`)
  const written = await exportArchive(config, file, options, progress)
  await verifyArchiveFile(file, progress)
  const lostContents = await countUsed(config, written.missingContents)
  const superfluous = options.keep === undefined || lostContents > 0 ? [] : olderThanKept(folder, options.keep, file)
  for (const name of superfluous) rmSync(join(folder, name))
  return { ...written, file, deleted: superfluous, lostContents }
}

/** The clock may have been wrong before, so that the backup that was just written is not the newest by its name. */
function olderThanKept(folder: string, keep: number, written: string): string[] {
  return backupsIn(folder)
    .slice(0, -keep)
    .filter((name) => name !== basename(written))
}

/** A content may also be missing because its attachment was deleted meanwhile. */
async function countUsed({ databaseUrl }: Config, keys: readonly string[]): Promise<number> {
  if (keys.length === 0) return 0
  const missing = new Set(keys)
  const snapshot = await openSnapshot(databaseUrl)
  try {
    let used = 0
    for await (const rows of snapshot.rows(KEYS_OF_CONTENTS))
      for (const { key } of rows) if (missing.has(String(key))) used++
    return used
  } finally {
    await snapshot.close()
  }
}

const UNFINISHED = /^lacewing-\d{4}-\d\d-\d\dT\d{6}\.\d{3}Z\.tar\.gz(\.[\w-]+)?\.part$/
/** A backup that runs writes all the time, so a file that has not changed for so long is of one that was killed. */
const STALE_MILLISECONDS = 24 * 3_600_000

/** Removes what backups left behind that were killed. Another one that runs now keeps its file. */
function removeUnfinished(folder: string) {
  for (const name of readdirSync(folder).filter((it) => UNFINISHED.test(it))) {
    const found = lstatSync(join(folder, name), { throwIfNoEntry: false })
    if (found?.isFile() && Date.now() - found.mtimeMs > STALE_MILLISECONDS) rmSync(join(folder, name), { force: true })
  }
}

/** The file of a backup: the newest one if a folder is named. */
export function getBackupFile(path: string): string {
  const found = statSync(path, { throwIfNoEntry: false })
  if (found === undefined) throw new Refusal(`${path} does not exist.`)
  if (!found.isDirectory()) return path
  const newest = backupsIn(path).at(-1)
  if (newest === undefined) throw new Refusal(`The folder ${path} has no backup of lacewing backup.`)
  return join(path, newest)
}

function backupsIn(folder: string): string[] {
  return readdirSync(folder)
    .filter((name) => BACKUP.test(name))
    .sort()
}
