import { resolve } from 'node:path'
import { run } from 'node:test'
import { inspect } from 'node:util'

/** What the process that runs some test files reports to the one that started it. */
export type Report =
  | { type: 'running'; file: string; test: string }
  | { type: 'done'; results: FileResult[]; processorSeconds: number }

export interface FileResult {
  file: string
  passed: number
  failed: number
  skipped: number
  seconds: number
  /** One text for each test that failed. */
  failures: string[]
}

/** Runs the test files that the arguments name in this process, one after another. */
const LONGEST_TEST_MILLISECONDS = 300_000

const files = process.argv.slice(2)
const results = new Map(
  files.map((file): [string, FileResult] => [
    resolve(file),
    { file, passed: 0, failed: 0, skipped: 0, seconds: 0, failures: [] },
  ]),
)
const stream = run({ files: files.map((file) => resolve(file)), isolation: 'none', timeout: LONGEST_TEST_MILLISECONDS })
const titles: string[] = []
// A test that a support file defines has the name of the support file, but belongs to the test file that is running.
let current = [...results.values()][0] as FileResult
for await (const { type, data } of stream) {
  if (type === 'test:start') {
    titles.length = data.nesting
    titles.push(data.name)
    current = results.get(data.file ?? '') ?? current
    report({ type: 'running', file: current.file, test: titles.join(' > ') })
  }
  if (type !== 'test:pass' && type !== 'test:fail') continue
  current = results.get(data.file ?? '') ?? current
  if (data.nesting === 0) current.seconds += data.details.duration_ms / 1000
  const title = [...titles.slice(0, data.nesting), data.name].join(' > ')
  if (type === 'test:fail') noteFailure(current, data.details.error, title)
  else if (data.details.type !== 'suite') current[data.skip || data.todo ? 'skipped' : 'passed']++
}
const { user, system } = process.cpuUsage()
report({ type: 'done', results: [...results.values()], processorSeconds: (user + system) / 1e6 })
process.disconnect()

function report(message: Report) {
  process.send?.(message)
}

/** A suite fails with its tests, which are already in the list. */
function noteFailure(result: FileResult, error: Error & { failureType?: string }, title: string) {
  if (error.failureType === 'subtestsFailed') return
  result.failed++
  result.failures.push(`  ✖ ${title}\n${inspect(error.cause ?? error).replace(/^/gm, '      ')}\n`)
}
