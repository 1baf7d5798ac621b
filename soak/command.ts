import { type ChildProcess, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const COMMAND = fileURLToPath(new URL('../src/lacewing.mjs', import.meta.url))
/** As bin/lacewing starts it. */
const NODE = ['--disable-warning=ExperimentalWarning']
const NODE_FOR_IMPORT = ['--max-semi-space-size=16', '--heap-growing-percent=50']
const MALLOC = { MALLOC_MMAP_THRESHOLD_: '1048576', MALLOC_TRIM_THRESHOLD_: '8388608' }

/** What a command needed. */
export interface CommandUse {
  seconds: number
  /** Seconds of processor time, of all its threads. */
  processor: number
  /** The largest resident memory, in MB. */
  peak: number
  output: string
}

/** Starts `lacewing …` in a process of its own. */
export function startCommand(words: readonly string[], settings: Record<string, string>) {
  const isImport = words[0] === 'import'
  const child = spawn(process.execPath, [...NODE, ...(isImport ? NODE_FOR_IMPORT : []), COMMAND, ...words], {
    env: { ...process.env, ...(isImport ? MALLOC : {}), ...settings },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let output = ''
  child.stderr.on('data', (chunk) => {
    output += chunk
  })
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve))
  return { child: child as ChildProcess, ended, output: () => output.trim() }
}

/** Runs `lacewing …` to its end, and throws if it fails. */
export async function runCommand(
  words: readonly string[],
  settings: Record<string, string>,
  goodCodes: readonly number[] = [0],
): Promise<CommandUse> {
  const started = performance.now()
  const { child, ended, output } = startCommand(words, settings)
  let [peak, processor] = [0, 0]
  const watch = setInterval(() => {
    peak = Math.max(peak, peakOf(child.pid as number))
    processor = Math.max(processor, processorOf(child.pid as number))
  }, 50)
  const code = await ended
  clearInterval(watch)
  if (code === null || !goodCodes.includes(code))
    throw new Error(`lacewing ${words.join(' ')} ended with ${code}: ${output()}`)
  return { seconds: (performance.now() - started) / 1000, processor, peak, output: output() }
}

/** 0 if the process has ended. */
function peakOf(pid: number): number {
  try {
    return Math.round(Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1000)
  } catch {
    return 0
  }
}

/** 0 if the process has ended. */
function processorOf(pid: number): number {
  try {
    const [user = 0, system = 0] =
      readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ').slice(11, 13).map(Number) ?? []
    return (user + system) / 100
  } catch {
    return 0
  }
}
