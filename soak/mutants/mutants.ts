import { appendFileSync, mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { Random } from '../../demo/random.ts'
import { startPostgres } from '../../test/support/postgres.ts'
import { quickFolder } from '../../test/support/quick-folder.ts'
import { makeTemplates } from '../../test/support/templates.ts'
import { affordable, type Coverage, filesFor, measureCoverage } from './coverage.ts'
import { isEquivalent } from './equivalent-mutants.ts'
import { inParallel } from './in-parallel.ts'
import { type Mutant, makeInstrumentedCopy } from './instrumented-copy.ts'
import { runTestFiles, type TestRun } from './run-test-files.ts'

/** Where a fault shows something hidden, or changes what somebody may do. */
const FOLDERS = [
  'access',
  'bugs/rights',
  'bugs/editing',
  'bugs/history',
  'people',
  'search/conditions',
  'outbound/receivers',
]
const SAMPLE = 400
const WANTED_SHARE = 0.9
/**
 * So many seconds of the processor take the most promising tests of a mutant, and then the next ones, if those have not caught it. Most
 * mutants are caught by the first.
 */
const BUDGETS_SECONDS = [30, 60]
const LONGEST_COMPILING_SECONDS = 300

interface Result {
  mutant: Mutant
  /** What caught it. */
  failure?: string
  /** The list says that nothing can catch it, so no test was run. */
  isEquivalent?: true
}

/**
 * Deliberate faults: Stryker's instrumenter makes them, and the tests that reach the changed code must notice each one. Its own test
 * runners would start PostgreSQL and migrate the databases again for every fault, so the tests are run as `npm test` does.
 * `LACEWING_MUTANT_FOLDERS=access,bugs/rights` takes all mutants of these folders or files instead of a sample of all folders,
 * `LACEWING_MUTANT_SEED` another sample. `LACEWING_MUTANT_LINES=src/access/call.ts:10,…` takes those on these lines.
 * `LACEWING_MUTANT_LOG` names a file that gets a line of JSON for each mutant. Ctrl+C ends with what is known by then.
 */
export async function soakMutants(): Promise<boolean> {
  const folders = process.env.LACEWING_MUTANT_FOLDERS?.split(',')
  const started = performance.now()
  const stop = stopOnSignal()
  // Always of all folders, so that the ids and what the tests reach stay the same.
  const copy = await makeInstrumentedCopy(FOLDERS)
  const templates = mkdtempSync(join(quickFolder(), 'lacewing-mutant-worlds-'))
  const postgres = await startPostgres(quickFolder())
  const results: Result[] = []
  try {
    await makeTemplates(postgres.url, templates)
    const run = { root: copy.folder, postgres, templates, stop }
    const coverage = await measureCoverage(run, copy)
    await compile(run, coverage)
    const chosen = choose(copy.mutants, folders)
    console.log(
      `${chosen.length} of ${copy.mutants.length} mutants, ${coverage.length} test files, seed ${seed()}, after ${minutesSince(started)} min`,
    )
    await inParallel(chosen, stop, async (mutant, index) => {
      const result = await judge(run, mutant, copy.mutants, coverage)
      if (stop.aborted) return
      results.push(result)
      printProgress(result, index)
      if (results.length % 20 === 0)
        console.log(`${caughtOf(results)} of ${results.length} caught, after ${minutesSince(started)} min`)
    })
  } finally {
    await postgres.stop()
    rmSync(templates, { recursive: true, force: true })
    rmSync(copy.folder, { recursive: true, force: true })
  }
  return summarize(results, folders ?? FOLDERS, minutesSince(started))
}

/** Killed processes do not keep what they have compiled for the next ones, so one runs to its end. */
async function compile(run: TestRun, coverage: readonly Coverage[]) {
  const [most] = [...coverage].sort((a, b) => b.mutants.size / (b.seconds + 5) - a.mutants.size / (a.seconds + 5))
  if (most) await runTestFiles(run, [{ file: most.file, longestSeconds: LONGEST_COMPILING_SECONDS }], {})
}

function stopOnSignal(): AbortSignal {
  const controller = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => controller.abort())
  return controller.signal
}

function minutesSince(started: number) {
  return ((performance.now() - started) / 60_000).toFixed(1)
}

function choose(mutants: readonly Mutant[], folders: readonly string[] | undefined): Mutant[] {
  const lines = process.env.LACEWING_MUTANT_LINES?.split(',')
  if (lines) return mutants.filter(({ file, line }) => lines.includes(`${file}:${line}`))
  if (folders) return mutants.filter(({ file }) => folders.some((folder) => isIn(file, folder)))
  const random = new Random(seed())
  const keyed = mutants.map((mutant) => ({ mutant, key: random.next() })).sort((a, b) => a.key - b.key)
  return keyed.slice(0, SAMPLE).map(({ mutant }) => mutant)
}

/** A folder or a file of src. */
function isIn(file: string, place: string) {
  return file === `src/${place}` || file.startsWith(`src/${place}/`)
}

function seed() {
  return Number(process.env.LACEWING_MUTANT_SEED ?? 1)
}

async function judge(
  run: TestRun,
  mutant: Mutant,
  all: readonly Mutant[],
  coverage: readonly Coverage[],
): Promise<Result> {
  if (isEquivalent(mutant)) return { mutant, isEquivalent: true }
  let waiting = filesFor(mutant, all, coverage)
  for (const budget of BUDGETS_SECONDS) {
    const files = affordable(waiting, budget)
    if (files.length === 0) break
    const limited = files.map(({ file, seconds }) => ({ file, longestSeconds: Math.ceil(seconds * 5 + 30) }))
    const outcome = await runTestFiles(run, limited, { __STRYKER_ACTIVE_MUTANT__: mutant.id })
    if (!outcome.passed) return { mutant, failure: outcome.failure }
    waiting = waiting.filter((file) => !files.includes(file))
  }
  return { mutant }
}

function printProgress({ mutant, failure, isEquivalent: isListed }: Result, index: number) {
  const line = JSON.stringify({ index, ...mutant, failure, isEquivalent: isListed })
  if (process.env.LACEWING_MUTANT_LOG) appendFileSync(process.env.LACEWING_MUTANT_LOG, `${line}\n`)
  if (failure === undefined && !isListed) console.log(describeMutant(mutant))
}

function describeMutant({ file, line, kind, original, replacement }: Mutant) {
  const short = (text: string) => text.replace(/\s+/g, ' ').slice(0, 100)
  return `not caught: ${file}:${line} ${kind}: ${short(original)} → ${short(replacement)}`
}

function summarize(results: readonly Result[], folders: readonly string[], minutes: string): boolean {
  for (const folder of folders)
    console.log(`${folder}: ${inWords(results.filter(({ mutant }) => isIn(mutant.file, folder)))}`)
  console.log(`mutants: ${inWords(results)}, in ${minutes} min`)
  return caughtOf(results) >= results.length * WANTED_SHARE
}

function inWords(results: readonly Result[]) {
  const equivalent = results.filter(({ isEquivalent: isListed }) => isListed).length
  return `${caughtOf(results)} of ${results.length} caught${equivalent > 0 ? `, ${equivalent} equivalent, by the list` : ''}`
}

function caughtOf(results: readonly Result[]) {
  return results.filter(({ failure }) => failure !== undefined).length
}
