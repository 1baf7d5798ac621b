import { appendFileSync, mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { Random } from '../../demo/random.ts'
import { startPostgres } from '../../test/support/postgres.ts'
import { quickFolder } from '../../test/support/quick-folder.ts'
import { makeTemplates } from '../../test/support/templates.ts'
import { type Coverage, filesFor, measureCoverage } from './coverage.ts'
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
/** A mutant that so many seconds of the most promising tests have not caught counts as not caught. */
const BUDGET_SECONDS = 60

interface Result {
  mutant: Mutant
  /** What caught it. */
  failure?: string
}

/**
 * Deliberate faults: Stryker's instrumenter makes them, and the tests that reach the changed code must notice each one. Its own test
 * runners would start PostgreSQL and migrate the databases again for every fault, so the tests are run as `npm test` does.
 * `LACEWING_MUTANT_FOLDERS=access,bugs/rights` takes all mutants of these folders instead of a sample of all folders,
 * `LACEWING_MUTANT_SEED` another sample. `LACEWING_MUTANT_LINES=src/access/call.ts:10,…` takes those on these lines.
 */
export async function soakMutants(): Promise<boolean> {
  const folders = process.env.LACEWING_MUTANT_FOLDERS?.split(',')
  const started = performance.now()
  const copy = await makeInstrumentedCopy(folders ?? FOLDERS)
  const templates = mkdtempSync(join(quickFolder(), 'lacewing-mutant-worlds-'))
  const postgres = await startPostgres(quickFolder())
  const results: Result[] = []
  try {
    await makeTemplates(postgres.url, templates)
    const run = { root: copy.folder, postgres, templates }
    const coverage = await measureCoverage(run, copy.mutants)
    const chosen = choose(copy.mutants, folders === undefined)
    console.log(`${chosen.length} of ${copy.mutants.length} mutants, ${coverage.length} test files, seed ${seed()}`)
    await inParallel(chosen, async (mutant) => {
      const result = await judge(run, mutant, copy.mutants, coverage)
      results.push(result)
      printProgress(result, results.length, chosen.length)
    })
  } finally {
    await postgres.stop()
    rmSync(templates, { recursive: true, force: true })
    rmSync(copy.folder, { recursive: true, force: true })
  }
  return summarize(results, folders ?? FOLDERS, (performance.now() - started) / 60_000)
}

function choose(mutants: readonly Mutant[], isSample: boolean): Mutant[] {
  const lines = process.env.LACEWING_MUTANT_LINES?.split(',')
  if (lines) return mutants.filter(({ file, line }) => lines.includes(`${file}:${line}`))
  if (!isSample) return [...mutants]
  const random = new Random(seed())
  const keyed = mutants.map((mutant) => ({ mutant, key: random.next() })).sort((a, b) => a.key - b.key)
  return keyed.slice(0, SAMPLE).map(({ mutant }) => mutant)
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
  const sameFile = all.filter(({ file }) => file === mutant.file)
  const files = filesFor(mutant, sameFile, coverage)
  let left = BUDGET_SECONDS
  const affordable = files.filter(({ seconds }, index) => {
    left -= seconds
    return index === 0 || left > 0
  })
  if (affordable.length === 0) return { mutant }
  const limited = affordable.map(({ file, seconds }) => ({ file, longestSeconds: Math.ceil(seconds * 5 + 30) }))
  const outcome = await runTestFiles(run, limited, { __STRYKER_ACTIVE_MUTANT__: mutant.id })
  return outcome.passed ? { mutant } : { mutant, failure: outcome.failure }
}

function printProgress({ mutant, failure }: Result, done: number, all: number) {
  const line = JSON.stringify({ ...mutant, failure })
  if (process.env.LACEWING_MUTANT_LOG) appendFileSync(process.env.LACEWING_MUTANT_LOG, `${line}\n`)
  if (failure === undefined) console.log(describeMutant(mutant))
  if (done % 50 === 0) console.log(`${done} of ${all}`)
}

function describeMutant({ file, line, kind, original, replacement }: Mutant) {
  const short = (text: string) => text.replace(/\s+/g, ' ').slice(0, 100)
  return `not caught: ${file}:${line} ${kind}: ${short(original)} → ${short(replacement)}`
}

function summarize(results: readonly Result[], folders: readonly string[], minutes: number): boolean {
  for (const folder of folders) {
    const within = results.filter(({ mutant }) => mutant.file.startsWith(`src/${folder}/`))
    console.log(`${folder}: ${caughtOf(within)} of ${within.length} caught`)
  }
  console.log(`mutants: ${caughtOf(results)} of ${results.length} caught in ${minutes.toFixed(0)} min`)
  return caughtOf(results) >= results.length * WANTED_SHARE
}

function caughtOf(results: readonly Result[]) {
  return results.filter(({ failure }) => failure !== undefined).length
}
