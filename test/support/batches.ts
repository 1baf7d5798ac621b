import { fork } from 'node:child_process'
import { statSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import type { BatchResult, FileResult } from './run-batch.ts'

/**
 * Runs the files in a few processes, many files in each one after another: loading the server takes a process about a second, which most
 * files would spend longer on than on their tests. Answers whether all have passed.
 */
export async function runInBatches(files: readonly string[], env: NodeJS.ProcessEnv): Promise<boolean> {
  const started = performance.now()
  const waiting = batchesOf(files)
  const results: BatchResult[] = []
  const work = async () => {
    for (let batch = waiting.shift(); batch !== undefined; batch = waiting.shift()) {
      const result = await runBatch(batch, env)
      results.push(result)
      process.stdout.write(textOf(result))
    }
  }
  await Promise.all(Array.from({ length: availableParallelism() + 1 }, work))
  summarize(results, (performance.now() - started) / 1000)
  return results.every(({ isWhole, files }) => isWhole && files.every(({ failed }) => failed === 0))
}

/** Large files first, so that no long one is left for the end; small ones share a process. */
function batchesOf(files: readonly string[]): string[][] {
  const sized = files.map((file) => ({ file, size: statSync(file).size })).sort((a, b) => b.size - a.size)
  const batches: { files: string[]; size: number }[] = []
  for (const { file, size } of sized) {
    const room = batches.find((batch) => batch.size + size <= BATCH_BYTES)
    if (room === undefined) batches.push({ files: [file], size })
    else {
      room.files.push(file)
      room.size += size
    }
  }
  return batches.map(({ files }) => files)
}

const BATCH_BYTES = 60_000

function runBatch(files: readonly string[], env: NodeJS.ProcessEnv): Promise<BatchResult> {
  return new Promise((resolve) => {
    const child = fork(new URL('./run-batch.ts', import.meta.url), files, {
      env,
      execArgv: ['--disable-warning=ExperimentalWarning', `--import=${import.meta.resolve('./untracked-promises.ts')}`],
    })
    let result: FileResult[] = []
    child.on('message', (message) => {
      result = message as FileResult[]
    })
    child.once('exit', (code, signal) => {
      const isWhole = code === 0 && files.every((file) => result.some((it) => it.file === file))
      resolve({ files: result, isWhole, ...(!isWhole && { end: `${files.join(' ')} ended with ${signal ?? code}` }) })
    })
  })
}

function textOf({ files, end }: BatchResult) {
  const lines = files.map(({ file, passed, failed, skipped, seconds, failures }) => {
    const counts = `${passed + failed + skipped} tests, ${seconds.toFixed(1)} s`
    return `${failed === 0 ? '✔' : '✖'} ${file} (${counts})\n${failures.join('')}`
  })
  return lines.join('') + (end === undefined ? '' : `✖ ${end}\n`)
}

function summarize(results: readonly BatchResult[], seconds: number) {
  const files = results.flatMap((it) => it.files)
  const sum = (count: 'passed' | 'failed' | 'skipped') => files.reduce((total, it) => total + it[count], 0)
  const slowest = [...files].sort((a, b) => b.seconds - a.seconds).slice(0, 10)
  if (files.length > 10) console.log('The slowest files:')
  if (files.length > 10)
    for (const { file, seconds } of slowest) console.log(`  ${seconds.toFixed(1).padStart(6)} s  ${file}`)
  console.log(`${files.length} files in ${seconds.toFixed(0)} s`)
  const failing = files.filter(({ failed }) => failed > 0)
  if (failing.length > 0) console.log(`failing tests:\n${textOf({ files: failing, isWhole: true })}`)
  console.log(`${sum('passed')} passed, ${sum('failed')} failed, ${sum('skipped')} skipped`)
}
