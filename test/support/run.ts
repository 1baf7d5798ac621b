import { globSync, mkdtempSync, rmSync } from 'node:fs'
import { enableCompileCache, flushCompileCache } from 'node:module'
import { join } from 'node:path'
import { installLeanChromium, NOTHING_TO_INSTALL } from './find-chromium.ts'
import type { Pgbouncer } from './pgbouncer.ts'
import { quickFolder } from './quick-folder.ts'
import { runInProcesses, usesBrowser } from './test-processes.ts'

/** `npm test`: starts a private PostgreSQL, makes the databases that worlds are copied from, and runs the tests on both engines. */
const files =
  process.argv.length > 2
    ? process.argv.slice(2)
    : [...globSync('src/**/*.test.ts'), ...globSync('test/**/*.test.ts')].sort()
// In the background, while the tests begin that need no browser.
const browser = files.some(usesBrowser) ? installLeanChromium() : NOTHING_TO_INSTALL
const folder = mkdtempSync(join(quickFolder(), 'lacewing-test-'))
// Before the modules of the server are loaded: the test processes, which start at the same time, find them compiled.
const compiled = process.env.NODE_COMPILE_CACHE ?? join(folder, 'compiled')
enableCompileCache(compiled)
const { startPostgres } = await import('./postgres.ts')
const { processorSeconds } = await import('./processor-time.ts')
const starting = startPostgres(quickFolder())
let hasPassed = false
let pgbouncer: Pgbouncer | undefined
try {
  // Loaded while PostgreSQL starts.
  const { makeTemplates } = await import('./templates.ts')
  const { loadAssets } = await import('../../src/pages/assets.ts')
  const { findBundle } = await import('../../src/bundle/bundle.mjs')
  await import('./world.ts')
  const postgres = await starting
  if (process.env.LACEWING_TEST_PGBOUNCER !== undefined) {
    const { startPgbouncer } = await import('./pgbouncer.ts')
    pgbouncer = await startPgbouncer({ host: '127.0.0.1', port: new URL(postgres.url).port })
  }
  // The assets are saved here once, so that the servers of the tests only read them.
  await Promise.all([makeTemplates(postgres.url, folder), loadAssets(), findBundle()])
  flushCompileCache()
  hasPassed = await runInProcesses(
    files,
    {
      ...process.env,
      LACEWING_TEST_POSTGRES: postgres.url,
      LACEWING_TEST_POSTGRES_SOCKET: postgres.socketUrl,
      LACEWING_TEST_FOLDER: folder,
      ...(pgbouncer && { LACEWING_TEST_POOLER: pgbouncer.url }),
      NODE_COMPILE_CACHE: compiled,
    },
    browser,
  )
} finally {
  const withoutPostgres = processorSeconds()
  await pgbouncer?.stop()
  await (await starting).stop()
  const all = processorSeconds()
  rmSync(folder, { recursive: true, force: true })
  console.log(
    `${all.toFixed(0)} s of processor time (user and system), ${(all - withoutPostgres).toFixed(1)} s of it in PostgreSQL`,
  )
}
process.exit(hasPassed ? 0 : 1)
