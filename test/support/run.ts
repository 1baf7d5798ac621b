import { existsSync, globSync, mkdtempSync, rmSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findBundle } from '../../src/bundle/bundle.mjs'
import { loadAssets } from '../../src/pages/assets.ts'
import { startPostgres } from './postgres.ts'
import { processorSeconds } from './processor-time.ts'
import { makeTemplates } from './templates.ts'
import { runInProcesses } from './test-processes.ts'

/** `npm test`: starts a private PostgreSQL, makes the databases that worlds are copied from, and runs the tests on both engines. */
const files =
  process.argv.length > 2
    ? process.argv.slice(2)
    : [...globSync('src/**/*.test.ts'), ...globSync('test/**/*.test.ts')].sort()
const postgres = await startPostgres(quickFolder())
const folder = mkdtempSync(join(quickFolder(), 'lacewing-test-'))
let hasPassed = false
try {
  await makeTemplates(postgres.url, folder)
  // Saved here once, so that the servers of the tests only read them.
  await Promise.all([loadAssets(), findBundle()])
  hasPassed = await runInProcesses(files, {
    ...process.env,
    LACEWING_TEST_POSTGRES: postgres.url,
    LACEWING_TEST_FOLDER: folder,
    NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? join(folder, 'compiled'),
  })
} finally {
  const withoutPostgres = processorSeconds()
  await postgres.stop()
  const all = processorSeconds()
  rmSync(folder, { recursive: true, force: true })
  console.log(
    `${all.toFixed(0)} s of processor time (user and system), ${(all - withoutPostgres).toFixed(1)} s of it in PostgreSQL`,
  )
}
process.exit(hasPassed ? 0 : 1)

/** Where there is room in memory, the worlds live there: SQLite waits for the disk at each commit, and no test cuts the power. */
function quickFolder() {
  const memory = '/dev/shm'
  if (!existsSync(memory)) return tmpdir()
  const { bavail, bsize } = statfsSync(memory)
  return bavail * bsize > 4e9 ? memory : tmpdir()
}
