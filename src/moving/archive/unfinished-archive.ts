import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { timeNow } from '../../platform/time/clock.ts'

/** The file that is there while an archive is imported or a backup is restored. */
function markerIn(dataFolder: string) {
  return join(dataFolder, 'import', 'unfinished-archive')
}

/** Marks the data folder for as long as `work` takes. Only a process that is killed leaves the mark behind. */
export async function markingUnfinished<Result>(dataFolder: string, work: () => Promise<Result>): Promise<Result> {
  const marker = markerIn(dataFolder)
  mkdirSync(join(dataFolder, 'import'), { recursive: true, mode: 0o700 })
  // A mark of a process that was killed, or a link that somebody put there, is not written through.
  rmSync(marker, { force: true })
  writeFileSync(marker, timeNow(), { mode: 0o600, flag: 'wx', flush: true })
  try {
    return await work()
  } finally {
    rmSync(marker, { force: true })
  }
}

/** When the import of an archive began that was killed, and the file that says so; undefined if there was none. */
export function findUnfinishedArchive(dataFolder: string): { begunAt: string; marker: string } | undefined {
  const marker = markerIn(dataFolder)
  return existsSync(marker) ? { begunAt: readFileSync(marker, 'utf8').trim(), marker } : undefined
}

export function forgetUnfinishedArchive(dataFolder: string) {
  rmSync(markerIn(dataFolder), { force: true })
}
