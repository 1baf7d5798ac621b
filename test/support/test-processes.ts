import { fork } from 'node:child_process'
import { statSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import type { Installation } from './find-chromium.ts'
import type { FileResult, Report, TestCost } from './run-file.ts'

interface Results {
  files: FileResult[]
  /** Why a process ended before it had run its files. */
  faults: string[]
}

/**
 * Runs the test files in a few processes, each of which takes the next file when it has run one: loading the server and compiling it to
 * machine code takes a process several seconds, longer than the tests of most files. Prints the failures, the slowest files and the sums,
 * and answers whether all tests have passed. Files that use a browser begin when `browser` is installed.
 */
export async function runInProcesses(
  files: readonly string[],
  env: NodeJS.ProcessEnv,
  browser: Installation,
): Promise<boolean> {
  const started = performance.now()
  const results: Results = { files: [], faults: [] }
  const waiting = waitingFiles(files, browser)
  const work = async (kinds: readonly Kind[]) => {
    while (waiting.count(kinds) > 0) await runProcess(() => waiting.take(kinds), env, results)
  }
  // Each process with pages has a browser of its own, which loads and compiles every script again: one for two processors keeps up with
  // the other tests. In all two more than processors, because some tests wait; one of them begins with requests, which wait least.
  const browsers = Math.ceil(availableParallelism() / 2)
  const processes = [
    ...Array.from({ length: browsers }, () => ['browser', 'servers', 'requests'] as const),
    ...Array.from({ length: availableParallelism() + 1 - browsers }, () => ['servers', 'requests'] as const),
    ['requests', 'servers'] as const,
  ]
  await Promise.all(processes.map(work))
  summarize(results, (performance.now() - started) / 1000)
  return results.faults.length === 0 && results.files.every(({ failed }) => failed === 0)
}

/** What the tests of a file mostly wait for. */
type Kind = 'browser' | 'servers' | 'requests'

/** The files that no process has taken. */
interface WaitingFiles {
  count(kinds: readonly Kind[]): number
  /** The next one of the first of these kinds that has any, or nothing if none is left. */
  take(kinds: readonly Kind[]): Promise<string | undefined>
}

function waitingFiles(files: readonly string[], browser: Installation): WaitingFiles {
  const left = [...files].sort((a, b) => sizeOf(b) - sizeOf(a))
  const takeNow = (kinds: readonly Kind[]) => {
    for (const kind of kinds) {
      const next = left.findIndex((file) => kindOf(file) === kind)
      if (next >= 0) return left.splice(next, 1)[0]
    }
    return undefined
  }
  return {
    count: (kinds) => left.filter((file) => kinds.includes(kindOf(file))).length,
    async take(kinds) {
      const other = browser.isDone ? undefined : takeNow(kinds.filter((kind) => kind !== 'browser'))
      if (other !== undefined) return other
      if (kinds.includes('browser')) await browser.done
      return takeNow(kinds)
    },
  }
}

function kindOf(file: string): Kind {
  if (usesBrowser(file)) return 'browser'
  return /test\/(process|openapi|moving)\/|test\/docs-(operating|readme)/.test(file) ? 'servers' : 'requests'
}

export function usesBrowser(file: string): boolean {
  return /test\/pages\/|test\/process\/demo/.test(file)
}

/** Large files first, so that no process is left with one when the others have nothing to do. */
function sizeOf(file: string): number {
  return LONG_FOR_ITS_SIZE.test(file) ? Number.MAX_SAFE_INTEGER : statSync(file).size
}

/** Few lines whose tests wait, start many processes, or make very many requests: ten seconds to two minutes. */
const LONG_FOR_ITS_SIZE = new RegExp(
  `/(${[
    'pages/(admin|keys)|demo|moving/(archive|commands|old-schema)|process/(clone|delivery|event-loop|release)',
    'bug-concurrency|docs-(examples|webhook)|guarded-post|mail-(outage|table)|search-(limits|many|matrix|turns)|slow-reads',
  ].join('|')})[.]test`,
)

/** A process whose tests report nothing for so long waits for something that does not come. */
const LONGEST_SILENCE_MILLISECONDS = 330_000

/** Takes files from the list and runs them in a new process until there are none left, or until it ends. */
function runProcess(take: () => Promise<string | undefined>, env: NodeJS.ProcessEnv, results: Results): Promise<void> {
  const child = fork(new URL('./run-files.ts', import.meta.url), {
    env,
    execArgv: [
      '--disable-warning=ExperimentalWarning',
      // The processors are busy with the other processes: collecting garbage in several threads takes more of their time in all.
      '--single-threaded-gc',
      // Most of what tests make is garbage before this is full, so that collecting it takes a sixth less time.
      '--min-semi-space-size=64',
      '--max-semi-space-size=64',
      `--import=${import.meta.resolve('./untracked-promises.ts')}`,
    ],
  })
  let file: string | undefined
  let last = ''
  let failed: string[] = []
  const runNext = async () => {
    file = await take()
    failed = []
    last = file === undefined ? 'after its last file' : `in ${file}, before the first test`
    if (file === undefined) child.disconnect()
    else child.send(file)
  }
  const silence = setTimeout(() => child.kill('SIGKILL'), LONGEST_SILENCE_MILLISECONDS)
  child.on('message', (report: Report) => {
    silence.refresh()
    if (report.type === 'running') last = `in ${file}: ${report.test}`
    else if (report.type === 'failed') failed.push(report.failure)
    else if (report.type === 'done') {
      results.files.push(report.result)
      process.stdout.write(textOf(report.result))
      void runNext()
    }
  })
  void runNext()
  return new Promise((resolve) =>
    child.once('exit', (code, signal) => {
      clearTimeout(silence)
      if (code !== 0) results.faults.push(`✖ A test process ended with ${signal ?? code} ${last}\n`, ...failed)
      resolve()
    }),
  )
}

function textOf({ file, passed, failed, skipped, failures, ...times }: FileResult) {
  const counts = `${passed + failed + skipped} tests, ${timesOf(times)}`
  return `${failed === 0 ? '✔' : '✖'} ${file} (${counts})\n${failures.join('')}`
}

function timesOf({ seconds, processorSeconds }: Pick<FileResult, 'seconds' | 'processorSeconds'>) {
  return `${seconds.toFixed(1)} s, ${processorSeconds.toFixed(1)} s of processor time`
}

const SLOWEST_SHOWN = 10
const COSTLIEST_SHOWN = 40

function byCost(a: TestCost, b: TestCost) {
  return b.processorSeconds - a.processorSeconds
}

function summarize({ files, faults }: Results, seconds: number) {
  const sum = (count: 'passed' | 'failed' | 'skipped') => files.reduce((total, it) => total + it[count], 0)
  if (files.length > SLOWEST_SHOWN) {
    const slowest = [...files].sort((a, b) => b.seconds - a.seconds).slice(0, SLOWEST_SHOWN)
    console.log('\nThe slowest files:')
    for (const { file, ...times } of slowest) console.log(`  ${file}: ${timesOf(times)}`)
  }
  const costly = files.flatMap(({ file, costly }) => costly.map((test) => ({ file, ...test })))
  console.log('\nThe tests that used most processor time:')
  for (const { file, title, ...times } of costly.sort(byCost).slice(0, COSTLIEST_SHOWN))
    console.log(`  ${file}: ${title}: ${timesOf(times)}`)
  const failing = files.filter(({ failed }) => failed > 0)
  if (failing.length + faults.length > 0) console.log('\nfailing tests:')
  process.stdout.write([...failing.map(textOf), ...faults].join(''))
  console.log(`\n${files.length} files in ${seconds.toFixed(0)} s`)
  console.log(`${sum('passed')} passed, ${sum('failed')} failed, ${sum('skipped')} skipped`)
}
