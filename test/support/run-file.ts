import { resolve } from 'node:path'
import { run } from 'node:test'
import { inspect } from 'node:util'
import { processorSeconds } from './processor-time.ts'

/** What a process that runs test files reports to the one that started it. */
export type Report =
  | { type: 'running'; test: string }
  | { type: 'failed'; failure: string }
  | { type: 'done'; result: FileResult }

export interface FileResult {
  file: string
  passed: number
  failed: number
  skipped: number
  seconds: number
  /** Of this process and of those that the tests started. */
  processorSeconds: number
  /** One text for each test that failed. */
  failures: string[]
  /** The tests that took long or used much processor time. */
  costly: TestCost[]
}

export interface TestCost {
  title: string
  seconds: number
  processorSeconds: number
}

const COSTLY_SECONDS = 0.5
/** A shorter test cannot have used so much. */
const LEAST_SECONDS = 0.1
const LOOK_MILLISECONDS = 50

const LONGEST_TEST_MILLISECONDS = 300_000

/** Runs a test file and reports what happens. */
export async function runFile(file: string): Promise<FileResult> {
  const result: FileResult = {
    file,
    passed: 0,
    failed: 0,
    skipped: 0,
    seconds: 0,
    processorSeconds: -processorSeconds(),
    failures: [],
    costly: [],
  }
  const titles: string[] = []
  const running: string[] = []
  let usedBefore = processorSeconds()
  let lookedAt = performance.now()
  const stream = run({ files: [resolve(file)], isolation: 'none', timeout: LONGEST_TEST_MILLISECONDS })
  for await (const { type, data } of stream) {
    // The start of a test is reported when the one before has ended; this when it begins.
    if (type === 'test:dequeue') {
      running.length = data.nesting
      running.push(data.name)
      report({ type: 'running', test: running.join(' > ') })
      // Not for each of many short tests: looking takes as long as some of them.
      if (performance.now() - lookedAt > LOOK_MILLISECONDS) {
        usedBefore = processorSeconds()
        lookedAt = performance.now()
      }
    }
    if (type === 'test:start') {
      titles.length = data.nesting
      titles.push(data.name)
    }
    if (type !== 'test:pass' && type !== 'test:fail') continue
    if (data.nesting === 0) result.seconds += data.details.duration_ms / 1000
    const title = [...titles.slice(0, data.nesting), data.name].join(' > ')
    if (type === 'test:fail') noteFailure(result, data.details.error, title)
    const seconds = data.details.duration_ms / 1000
    if (data.details.type !== 'suite' && seconds >= LEAST_SECONDS)
      noteCost(result, title, seconds, processorSeconds() - usedBefore)
    if (type === 'test:pass' && data.details.type !== 'suite') result[data.skip || data.todo ? 'skipped' : 'passed']++
  }
  noteUncaught(result)
  result.processorSeconds += processorSeconds()
  return result
}

function noteCost({ costly }: FileResult, title: string, seconds: number, used: number) {
  if (Math.max(seconds, used) >= COSTLY_SECONDS) costly.push({ title, seconds, processorSeconds: used })
}

export function report(message: Report) {
  process.send?.(message)
}

/** See untracked-promises.ts, which has printed it. */
function noteUncaught(result: FileResult) {
  if (process.exitCode === undefined) return
  process.exitCode = undefined
  result.failed++
  result.failures.push('  ✖ an error that nothing caught; it is printed above\n')
}

/** A suite fails with its tests, which have been noted already. */
function noteFailure(result: FileResult, error: Error & { failureType?: string }, title: string) {
  if (error.failureType === 'subtestsFailed') return
  result.failed++
  const failure = `  ✖ ${title}\n${inspect(error.cause ?? error).replace(/^/gm, '      ')}\n`
  report({ type: 'failed', failure })
  result.failures.push(failure)
}
