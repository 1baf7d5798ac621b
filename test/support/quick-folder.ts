import { existsSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'

/** Where there is room in memory, the worlds live there: SQLite waits for the disk at each commit, and no test cuts the power. */
export function quickFolder() {
  const memory = '/dev/shm'
  if (!existsSync(memory)) return tmpdir()
  const { bavail, bsize } = statfsSync(memory)
  return bavail * bsize > 4e9 ? memory : tmpdir()
}
