import { globSync, mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { inParallel } from './in-parallel.ts'
import type { Mutant } from './instrumented-copy.ts'
import { runTestFiles, type TestRun } from './run-test-files.ts'

/** What one test file reaches when no mutant is active. */
export interface Coverage {
  file: string
  seconds: number
  mutants: ReadonlySet<string>
}

/** Tests of pages, processes and whole programs take long, and find faults of these folders last. */
const TEST_FILES = ['src/**/*.test.ts', 'test/rest/*.test.ts', 'test/outbound/*.test.ts']
const LONGEST_SECONDS = 600

/** Runs every test file in a process of its own. */
export async function measureCoverage(run: TestRun, mutants: readonly Mutant[]): Promise<Coverage[]> {
  const known = new Set(mutants.map(({ id }) => id))
  const files = TEST_FILES.flatMap((pattern) => globSync(pattern, { cwd: run.root })).sort()
  const coverage: Coverage[] = []
  await inParallel(files, async (file) => {
    const folder = join(run.templates, `coverage-${file.replaceAll('/', '_')}`)
    mkdirSync(folder)
    const { passed, seconds } = await runTestFiles(
      run,
      [{ file, longestSeconds: LONGEST_SECONDS }],
      { LACEWING_MUTANT_COVERAGE: folder },
      'soak/mutants/note-coverage.ts',
    )
    const reached = readdirSync(folder).flatMap(
      (name) => JSON.parse(readFileSync(join(folder, name), 'utf8')) as string[],
    )
    if (passed) coverage.push({ file, seconds, mutants: new Set(reached.filter((id) => known.has(id))) })
    else console.log(`${file} fails without a mutant, and is left out`)
  })
  return coverage
}

/**
 * The test files that reach the mutant, the most promising first: those that reach most of its source file, and that are short.
 * Code that runs when it is loaded is reached by every file; then the rest of its source file decides.
 */
export function filesFor(mutant: Mutant, sameFile: readonly Mutant[], coverage: readonly Coverage[]): Coverage[] {
  const fewest = Math.min(...coverage.map(({ mutants }) => countIn(sameFile, mutants)))
  const score = ({ mutants, seconds }: Coverage) => (countIn(sameFile, mutants) - fewest + 0.1) / (seconds + 2)
  return coverage.filter(({ mutants }) => mutants.has(mutant.id)).sort((a, b) => score(b) - score(a))
}

function countIn(mutants: readonly Mutant[], ids: ReadonlySet<string>) {
  return mutants.filter(({ id }) => ids.has(id)).length
}
