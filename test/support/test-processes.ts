import { fork } from 'node:child_process'
import { statSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import type { FileResult, Report } from './run-files.ts'

interface ProcessResult {
  files: FileResult[]
  processorSeconds: number
  /** Why the process did not run all of its files. */
  fault?: string
}

/**
 * Runs the test files in a few processes, many files in each one after another: loading the server takes a process about a second, longer
 * than the tests of most files. Prints the failures, the slowest files and the sums, and answers whether all tests have passed.
 */
export async function runInProcesses(files: readonly string[], env: NodeJS.ProcessEnv): Promise<boolean> {
  const started = performance.now()
  const waiting = shares(files)
  const results: ProcessResult[] = []
  const work = async () => {
    for (let share = waiting.shift(); share !== undefined; share = waiting.shift()) {
      const result = await runProcess(share, env)
      results.push(result)
      process.stdout.write(textOf(result))
    }
  }
  await Promise.all(Array.from({ length: availableParallelism() + 1 }, work))
  summarize(results, (performance.now() - started) / 1000)
  return results.every(({ fault, files }) => fault === undefined && files.every(({ failed }) => failed === 0))
}

/** Files that start servers or change their own process have it to themselves and begin first; the others share, large ones first. */
function shares(files: readonly string[]): string[][] {
  const alone = files.filter((file) => RUN_ALONE.test(file)).map((file) => [file])
  const together: { files: string[]; size: number }[] = []
  const sized = files.filter((file) => !RUN_ALONE.test(file)).map((file) => ({ file, size: statSync(file).size }))
  for (const { file, size } of sized.sort((a, b) => b.size - a.size)) {
    const room = together.find((share) => share.size + size <= SHARE_BYTES)
    if (room === undefined) together.push({ files: [file], size })
    else {
      room.files.push(file)
      room.size += size
    }
  }
  return [...alone, ...together.map(({ files }) => files)]
}

const RUN_ALONE = /test\/(process|openapi)\/|test\/docs-(operating|readme)|test\/rest\/bug-(write-races|concurrency)/
const SHARE_BYTES = 60_000

/** A process whose tests report nothing for so long waits for something that does not come. */
const LONGEST_SILENCE_MILLISECONDS = 330_000

function runProcess(files: readonly string[], env: NodeJS.ProcessEnv): Promise<ProcessResult> {
  return new Promise((resolve) => {
    const child = fork(new URL('./run-files.ts', import.meta.url), files, {
      env,
      execArgv: ['--disable-warning=ExperimentalWarning', `--import=${import.meta.resolve('./untracked-promises.ts')}`],
    })
    let done: Extract<Report, { type: 'done' }> | undefined
    let last = `${files[0]}, before its first test`
    const silence = setTimeout(() => child.kill('SIGKILL'), LONGEST_SILENCE_MILLISECONDS)
    child.on('message', (report: Report) => {
      silence.refresh()
      if (report.type === 'done') done = report
      else last = `${report.file}: ${report.test}`
    })
    child.once('exit', (code, signal) => {
      clearTimeout(silence)
      const fault =
        code === 0 && done ? undefined : `The process of ${files.join(' ')} ended with ${signal ?? code} in ${last}`
      resolve({
        files: done?.results ?? [],
        processorSeconds: done?.processorSeconds ?? 0,
        ...(fault !== undefined && { fault }),
      })
    })
  })
}

function textOf({ files, fault }: ProcessResult) {
  const lines = files.map(({ file, passed, failed, skipped, seconds, failures }) => {
    const counts = `${passed + failed + skipped} tests, ${seconds.toFixed(1)} s`
    return `${failed === 0 ? '✔' : '✖'} ${file} (${counts})\n${failures.join('')}`
  })
  return lines.join('') + (fault === undefined ? '' : `✖ ${fault}\n`)
}

const SLOWEST_SHOWN = 10

function summarize(results: readonly ProcessResult[], seconds: number) {
  const files = results.flatMap((it) => it.files)
  const sum = (count: 'passed' | 'failed' | 'skipped') => files.reduce((total, it) => total + it[count], 0)
  if (files.length > SLOWEST_SHOWN) {
    const slowest = [...files].sort((a, b) => b.seconds - a.seconds).slice(0, SLOWEST_SHOWN)
    console.log('\nThe slowest files:')
    for (const { file, seconds } of slowest) console.log(`  ${seconds.toFixed(1).padStart(6)} s  ${file}`)
  }
  const failing = results.filter(({ files, fault }) => fault !== undefined || files.some(({ failed }) => failed > 0))
  if (failing.length > 0) console.log('\nfailing tests:')
  for (const { files, ...rest } of failing)
    process.stdout.write(textOf({ ...rest, files: files.filter(({ failed }) => failed > 0) }))
  const processor = results.reduce((total, it) => total + it.processorSeconds, 0)
  console.log(
    `\n${files.length} files in ${seconds.toFixed(0)} s (${processor.toFixed(0)} s of processor time in the test processes)`,
  )
  console.log(`${sum('passed')} passed, ${sum('failed')} failed, ${sum('skipped')} skipped`)
}
