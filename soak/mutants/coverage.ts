import { globSync, mkdtempSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { inParallel } from './in-parallel.ts'
import type { InstrumentedCopy, Mutant } from './instrumented-copy.ts'
import { KeptCoverage } from './kept-coverage.ts'
import { runTestFiles, type TestRun } from './run-test-files.ts'

/** What one test file reaches when no mutant is active. */
export interface Coverage {
  file: string
  /** Of the processor: how long it takes depends on what else the machine does. */
  seconds: number
  mutants: ReadonlySet<string>
}

/** Tests of pages, processes and whole programs take long, and find faults of these folders last. */
const TEST_FILES = [
  'src/**/*.test.ts',
  'test/rest/*.test.ts',
  'test/outbound/*.test.ts',
  // Faults that only make searches slow show in their plans.
  'test/search-plans.test.ts',
  // What is only in the documentation.
  'test/docs-rules.test.ts',
]
/** Longer files would take more than the budget of a mutant. */
const LONGEST_PROCESSOR_SECONDS = 30
const LONGEST_SECONDS = 120

/** Runs every test file in a process of its own, unless what it reaches is known from an earlier run. */
export async function measureCoverage(run: TestRun, { folder, mutants }: InstrumentedCopy): Promise<Coverage[]> {
  const kept = new KeptCoverage(folder)
  const known = new Set(mutants.map(({ id }) => id))
  const files = TEST_FILES.flatMap((pattern) => globSync(pattern, { cwd: folder })).sort()
  const coverage: Coverage[] = []
  let measured = 0
  const started = performance.now()
  await inParallel(files, run.stop, async (file) => {
    let reached = kept.read(file)
    if (!reached) {
      reached = await measure(run, file, known)
      if (run.stop.aborted) return
      if (reached) kept.write(file, reached)
      if (++measured % 20 === 0)
        console.log(`coverage: ${measured} files in ${((performance.now() - started) / 1000).toFixed(0)} s`)
    }
    if (reached === undefined) return
    if (reached.seconds > LONGEST_PROCESSOR_SECONDS)
      console.log(`${file} takes ${reached.seconds.toFixed(0)} s of the processor, and is left out`)
    else coverage.push({ file, seconds: reached.seconds, mutants: new Set(reached.mutants) })
  })
  return coverage.sort((a, b) => (a.file < b.file ? -1 : 1))
}

async function measure(run: TestRun, file: string, known: ReadonlySet<string>) {
  const folder = mkdtempSync(join(run.templates, 'coverage-'))
  const outcome = await runTestFiles(
    run,
    [{ file, longestSeconds: LONGEST_SECONDS }],
    { LACEWING_MUTANT_COVERAGE: folder },
    'soak/mutants/note-coverage.ts',
  )
  if (!outcome.passed) {
    console.log(`left out, because it fails without a mutant: ${outcome.failure}`)
    return undefined
  }
  const lines = readdirSync(folder).flatMap((name) => readFileSync(join(folder, name), 'utf8').split('\n'))
  return { seconds: outcome.processorSeconds, mutants: [...new Set(lines)].filter((id) => known.has(id)) }
}

/**
 * The test files that reach the mutant, the most promising first: the one beside its source file, then those that reach what few others
 * reach, of its source file and of the files beside that, and that are short. Code that many files pass through says little about what a
 * file tests.
 */
export function filesFor(mutant: Mutant, all: readonly Mutant[], coverage: readonly Coverage[]): Coverage[] {
  const near = all.filter(({ file }) => dirname(file) === dirname(mutant.file))
  const weights = near.map(({ id, file }) => {
    const reaching = coverage.filter((it) => it.mutants.has(id)).length
    return { id, weight: (file === mutant.file ? SAME_FILE_WEIGHT : 1) / (1 + reaching) }
  })
  const beside = mutant.file.replace(/\.ts$/, '.test.ts')
  const score = ({ file, mutants, seconds }: Coverage) =>
    file === beside
      ? Number.POSITIVE_INFINITY
      : weights.reduce((sum, { id, weight }) => (mutants.has(id) ? sum + weight : sum), 0) / (seconds + 1)
  const scored = coverage.filter(({ mutants }) => mutants.has(mutant.id)).map((file) => ({ file, score: score(file) }))
  return scored.sort((a, b) => b.score - a.score).map(({ file }) => file)
}

const SAME_FILE_WEIGHT = 5

/** Takes as many as take no longer together than the budget, and at least one. One that is too long leaves room for those after it. */
export function affordable(files: readonly Coverage[], budgetSeconds: number): Coverage[] {
  let left = budgetSeconds
  return files.filter(({ seconds }, index) => {
    if (seconds > left && index > 0) return false
    left -= seconds
    return true
  })
}
