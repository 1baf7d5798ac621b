import { globSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import type { InstrumentedCopy } from './instrumented-copy.ts'
import { type Outcome, TestProcess, type TestRun } from './judging/test-process.ts'
import { KeptCoverage } from './kept-coverage.ts'

/** What one test file reaches when no mutant is active. */
export interface Coverage {
  file: string
  processorSeconds: number
  seconds: number
  mutants: ReadonlySet<string>
  /** Those in code that runs while the server is loaded. */
  whileLoading: ReadonlySet<string>
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

/** Tests also wait, so there are more than processors. */
export const PROCESSES = availableParallelism() + 1

/** Runs every test file, unless what it reaches is known from an earlier run. */
export async function measureCoverage(run: TestRun, { folder, mutants }: InstrumentedCopy): Promise<Coverage[]> {
  const kept = new KeptCoverage(folder)
  const known = new Set(mutants.map(({ id }) => id))
  const files = TEST_FILES.flatMap((pattern) => globSync(pattern, { cwd: folder })).sort()
  const waiting = files.filter((file) => kept.read(file) === undefined)
  let measured = 0
  const measure = async () => {
    let process = new TestProcess(run, 'both engines')
    for (let file = waiting.shift(); file !== undefined && !run.stop.aborted; file = waiting.shift()) {
      const reached = await measureFile(process, file, known)
      if (run.stop.aborted) break
      if (reached) kept.write(file, reached)
      if (++measured % 20 === 0) console.log(`coverage: ${measured} files, ${waiting.length} are left`)
      if (reached && process.isRunning) continue
      await process.end()
      process = new TestProcess(run, 'both engines')
    }
    await process.end()
  }
  if (waiting.length > 0) await Promise.all(Array.from({ length: PROCESSES }, measure))
  return files.flatMap((file) => {
    const reached = kept.read(file)
    if (reached === undefined) return []
    if (reached.processorSeconds > LONGEST_PROCESSOR_SECONDS) {
      console.log(`${file} takes ${reached.processorSeconds.toFixed(0)} s of the processor, and is left out`)
      return []
    }
    return { ...reached, file, mutants: new Set(reached.mutants), whileLoading: new Set(reached.whileLoading) }
  })
}

async function measureFile(process: TestProcess, file: string, known: ReadonlySet<string>) {
  const outcome = await process.runFile(file, undefined, LONGEST_SECONDS)
  if (outcome.failure !== undefined || (outcome.end !== undefined && outcome.seconds < LONGEST_SECONDS)) {
    console.log(`left out, because it fails without a mutant: ${textOf(outcome)}`)
    return undefined
  }
  const isLong = outcome.end !== undefined
  return {
    processorSeconds: isLong ? LONGEST_SECONDS : outcome.processorSeconds,
    seconds: outcome.seconds,
    mutants: [...outcome.reached].filter((id) => known.has(id)),
    whileLoading: [...outcome.whileLoading].filter((id) => known.has(id)),
  }
}

export function textOf({ file, failure, end }: Outcome): string {
  return `${file}: ${failure ?? end}`
}

export function hasPassed({ failure, end }: Outcome): boolean {
  return failure === undefined && end === undefined
}
