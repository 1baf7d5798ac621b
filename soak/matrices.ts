import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'

/** Tests of tables with so many combinations that `npm test` makes only some of them; see test/support/sample.ts. */
const FILES = [
  'test/rest/search-matrix.test.ts',
  'test/rest/search-hidden.test.ts',
  'test/rest/search-hostile.test.ts',
  'test/rest/hostile.test.ts',
  'test/rest/search-random.test.ts',
  'test/rest/found-random.test.ts',
  'test/rest/auth.test.ts',
  'test/rest/bug-visibility.test.ts',
  'test/rest/prototype-names.test.ts',
  'test/rest/bug-bad-input.test.ts',
  'test/rest/bug-status.test.ts',
  'test/outbound/mail-table.test.ts',
  'test/process/demo.test.ts',
  'test/process/event-loop.test.ts',
  'test/process/long-texts.test.ts',
  'test/docs-operating.test.ts',
]

/** Runs these tests with every combination. */
export async function soakMatrices(): Promise<boolean> {
  const run = fileURLToPath(new URL('../test/support/run.ts', import.meta.url))
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', run, ...FILES], {
    cwd: fileURLToPath(new URL('..', import.meta.url)),
    env: { ...process.env, LACEWING_TEST_EVERY_COMBINATION: '1' },
    stdio: 'inherit',
  })
  const code = await new Promise((resolve) => child.once('exit', resolve))
  return code === 0
}
