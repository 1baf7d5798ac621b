import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { threadId } from 'node:worker_threads'

interface Instrumented {
  __stryker__?: { mutantCoverage?: { static: Record<string, number> } }
}

/** Loaded before a test file of the instrumented copy, also in its threads: writes the ids of the mutants whose code has run. */
process.on('exit', () => {
  const reached = Object.keys((globalThis as Instrumented).__stryker__?.mutantCoverage?.static ?? {})
  const folder = process.env.LACEWING_MUTANT_COVERAGE
  if (folder === undefined || reached.length === 0) return
  writeFileSync(join(folder, `${process.pid}-${threadId}.json`), JSON.stringify(reached))
})
