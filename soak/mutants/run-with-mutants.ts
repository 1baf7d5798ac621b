import { flushCompileCache, registerHooks } from 'node:module'
import { lowerPasswordCost } from '../../test/support/password-cost.ts'
import { report, runFile } from '../../test/support/run-file.ts'
import { progress } from './test-functions.ts'

/** A test file to run with this mutant, or with none. */
export interface Order {
  file: string
  mutant?: string | undefined
  /** Where threads write what they reach. */
  coverageFolder: string
}

/** Which mutants the file has reached. */
export interface ReachedReport {
  type: 'reached'
  ids: readonly string[]
  /** Those in code that ran while the server was loaded. */
  whileLoading: readonly string[]
}

/** What Stryker's code in the mutated files reads and writes. */
interface Stryker {
  activeMutant?: string
  /** The key in perTest. */
  currentTestId?: string
  mutantCoverage: { static: object; perTest: Record<string, object> }
}

/** Otherwise Stryker's code would read the environment. */
const NO_MUTANT = 'none'

const stryker: Stryker = { mutantCoverage: { static: {}, perTest: {} } }
Object.assign(globalThis, { __stryker__: stryker })
let runs = 0

lowerPasswordCost()
importTestsAnew()
const whileLoading = await loadServer()

/** Runs each test file that a message names, as run-files.ts does, but also again and with mutants. */
process.on('message', async ({ file, mutant, coverageFolder }: Order) => {
  process.channel?.unref()
  runs++
  progress.hasFailed = false
  setEnvironment('LACEWING_MUTANT_COVERAGE', coverageFolder)
  // Threads and processes that the tests start read this.
  setEnvironment('__STRYKER_ACTIVE_MUTANT__', mutant)
  stryker.activeMutant = mutant ?? NO_MUTANT
  const reached = reachedBy(`run ${runs}`)
  const result = await runFile(file)
  process.channel?.ref()
  process.send?.({ type: 'reached', ids: reached(), whileLoading } satisfies ReachedReport)
  // Killed processes do not keep what they have compiled for the next ones.
  if (runs === 1) flushCompileCache()
  report({ type: 'done', result })
})

process.on('disconnect', () => process.exit())

/** Modules are loaded with the mutant that the process was started with. */
async function loadServer(): Promise<readonly string[]> {
  const reached = reachedBy('loading')
  await import('../../test/support/world.ts')
  await compileStatementsAnew()
  return reached()
}

/** Begins to count; the answer ends it and returns the ids. */
function reachedBy(name: string): () => string[] {
  stryker.currentTestId = name
  return () => {
    const ids = Object.keys(stryker.mutantCoverage.perTest[name] ?? {})
    delete stryker.mutantCoverage.perTest[name]
    return ids
  }
}

function setEnvironment(name: string, value: string | undefined) {
  if (value === undefined) delete process.env[name]
  else process.env[name] = value
}

/** A test file that was imported before would have no tests. Its functions are those of test-functions.ts. */
function importTestsAnew() {
  const functions = new URL('./test-functions.ts', import.meta.url).href
  registerHooks({
    resolve(specifier, context, next) {
      if (specifier === 'node:test' && context.parentURL !== functions) return { url: functions, shortCircuit: true }
      const resolved = next(specifier, context)
      return resolved.url.endsWith('.test.ts') ? { ...resolved, url: `${resolved.url}?run=${runs}` } : resolved
    },
  })
}

/** Otherwise the SQL of a statement would be that of the mutant with which it ran first. */
async function compileStatementsAnew() {
  const { Statement } = await import('../../src/platform/database/statements/statement.ts')
  const compiledIn = new WeakMap<object, number>()
  const original = Statement.prototype.for
  Statement.prototype.for = function compileInThisRun(dialect) {
    if (compiledIn.get(this) !== runs) Reflect.get(this, 'compiled').clear()
    compiledIn.set(this, runs)
    return original.call(this, dialect)
  }
}
