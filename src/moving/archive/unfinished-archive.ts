import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { timeNow } from '../../platform/time/clock.ts'

/** An import of an archive, also a restored backup; a move to another database; or an import that reads its source. */
export type Filling = 'archive' | 'move' | 'import'

/** The file that is there while a database is filled. */
function markerIn(dataFolder: string, filling: Filling) {
  return join(dataFolder, 'import', `unfinished-${filling}`)
}

/** Marks the data folder until `work` is done: a process that is killed, or fails, leaves the mark behind. */
export async function markingUnfinished<Result>(
  dataFolder: string,
  filling: Filling,
  work: () => Promise<Result>,
): Promise<Result> {
  const marker = markerIn(dataFolder, filling)
  mkdirSync(join(dataFolder, 'import'), { recursive: true, mode: 0o700 })
  // A mark of a process that was killed, or a link that somebody put there, is not written through.
  rmSync(marker, { force: true })
  writeFileSync(marker, timeNow(), { mode: 0o600, flag: 'wx', flush: true })
  const result = await work()
  rmSync(marker, { force: true })
  return result
}

/** When the filling began that was killed, and the file that says so; undefined if there was none. */
export function findUnfinished(dataFolder: string, filling: Filling): { begunAt: string; marker: string } | undefined {
  const marker = markerIn(dataFolder, filling)
  return existsSync(marker) ? { begunAt: readFileSync(marker, 'utf8').trim(), marker } : undefined
}

export function forgetUnfinished(dataFolder: string, filling: Filling) {
  rmSync(markerIn(dataFolder, filling), { force: true })
}
