import { mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { Random } from '../../demo/random.ts'
import { startPostgres } from '../../test/support/postgres.ts'
import { quickFolder } from '../../test/support/quick-folder.ts'
import { makeTemplates } from '../../test/support/templates.ts'
import { measureCoverage } from './coverage.ts'
import { type Mutant, makeInstrumentedCopy } from './instrumented-copy.ts'
import { judgeMutants } from './judging/judge.ts'
import { type Result, Results } from './results.ts'

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
 * Deliberate faults: Stryker's instrumenter makes them, and the tests that reach the changed code must notice each one. Its own test
 * runners would start PostgreSQL and migrate the databases again for every fault, so the tests run in processes like those of `npm test`.
 * `LACEWING_MUTANT_FOLDERS=access,bugs/rights` takes all mutants of these folders or files instead of a sample of all folders,
 * `LACEWING_MUTANT_SEED` another sample. `LACEWING_MUTANT_LINES=src/access/call.ts:10,…` takes those on these lines.
 * `LACEWING_MUTANT_LOG` names a file that gets a line of JSON for each mutant, and from which the next run goes on. Ctrl+C ends with what is
 * known by then.
 */
export async function soakMutants(): Promise<boolean> {
  const folders = process.env.LACEWING_MUTANT_FOLDERS?.split(',')
  const stop = stopOnSignal()
  const results = new Results(process.env.LACEWING_MUTANT_LOG)
  // Always of all folders, so that the ids and what the tests reach stay the same.
  const copy = await makeInstrumentedCopy(FOLDERS)
  const templates = mkdtempSync(join(quickFolder(), 'lacewing-mutant-worlds-'))
  const postgres = await startPostgres(quickFolder())
  try {
    await makeTemplates(postgres.url, templates)
    const run = { root: copy.folder, postgres, templates, stop }
    const coverage = await measureCoverage(run, copy)
    const chosen = choose(copy.mutants, folders)
    console.log(
      `${chosen.length} of ${copy.mutants.length} mutants, ${coverage.length} test files, seed ${seed()}, after ${results.minutes} min`,
    )
    const unknown = chosen.filter((mutant) => !results.recall(mutant))
    const report = (result: Result) => {
      if (!stop.aborted) results.add(result)
    }
    await judgeMutants({ run, all: copy.mutants, coverage, report }, unknown)
  } finally {
    await postgres.stop()
    rmSync(templates, { recursive: true, force: true })
    rmSync(copy.folder, { recursive: true, force: true })
  }
  return summarize(results, folders ?? FOLDERS)
}

function stopOnSignal(): AbortSignal {
  const controller = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => controller.abort())
  return controller.signal
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

function summarize({ all, caught, minutes }: Results, folders: readonly string[]): boolean {
  for (const folder of folders)
    console.log(`${folder}: ${inWords(all.filter(({ mutant }) => isIn(mutant.file, folder)))}`)
  console.log(`mutants: ${inWords(all)}, in ${minutes} min`)
  return caught >= all.length * WANTED_SHARE
}

function inWords(results: readonly Result[]) {
  const caught = results.filter(({ failure }) => failure !== undefined).length
  const equivalent = results.filter(({ isEquivalent }) => isEquivalent).length
  return `${caught} of ${results.length} caught${equivalent > 0 ? `, ${equivalent} equivalent, by the list` : ''}`
}
