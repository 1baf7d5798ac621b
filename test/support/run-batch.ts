import { resolve } from 'node:path'
import { run } from 'node:test'
import { inspect } from 'node:util'

export interface FileResult {
  file: string
  passed: number
  failed: number
  skipped: number
  seconds: number
  /** What each test that failed says. */
  failures: string[]
}

export interface BatchResult {
  files: FileResult[]
  /** Every file was run, and the process ended by itself. */
  isWhole: boolean
  end?: string
}

/** Runs the files that its arguments name in this process, one after another, and sends the results to the process that started it. */
const LONGEST_TEST_MILLISECONDS = 300_000

const files = process.argv.slice(2)
const results = new Map(
  files.map((file) => [
    resolve(file),
    { file, passed: 0, failed: 0, skipped: 0, seconds: 0, failures: [] as string[] },
  ]),
)
const stream = run({ files: files.map((file) => resolve(file)), isolation: 'none', timeout: LONGEST_TEST_MILLISECONDS })
const path: string[] = []
// Tests that a support file makes for a test file carry the name of the support file: they belong to the file that is being run.
let current = [...results.values()][0] as FileResult
for await (const { type, data } of stream) {
  if (type === 'test:start') path[data.nesting] = data.name
  if (type !== 'test:pass' && type !== 'test:fail') continue
  current = results.get(data.file ?? '') ?? current
  if (data.nesting === 0) current.seconds += data.details.duration_ms / 1000
  if (type === 'test:fail') noteFailure(current, data.details.error, path.slice(0, data.nesting + 1))
  else if (data.details.type !== 'suite') current[data.skip || data.todo ? 'skipped' : 'passed']++
}
process.send?.([...results.values()], () => process.disconnect?.())

/** A suite fails with its tests, which have been noted then. */
function noteFailure(result: FileResult, error: Error & { failureType?: string }, path: readonly string[]) {
  if (error.failureType === 'subtestsFailed') return
  result.failed++
  result.failures.push(`  ✖ ${path.join(' > ')}\n${inspect(error.cause ?? error).replace(/^/gm, '      ')}\n`)
}
