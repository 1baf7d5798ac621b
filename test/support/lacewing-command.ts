import { type ChildProcess, spawn } from 'node:child_process'
import { Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { runCommand } from '../../src/commands/run-command.ts'
import type { Config } from '../../src/platform/config/config.ts'
import { inherited } from './server-process.ts'

export const LACEWING = fileURLToPath(new URL('../../src/lacewing.mjs', import.meta.url))

/** Starts `lacewing …` as bin/lacewing does. */
export function startLacewing(
  { dataFolder, databaseUrl }: Pick<Config, 'dataFolder' | 'databaseUrl'>,
  words: readonly string[],
  environment: Record<string, string> = {},
): ChildProcess {
  return spawn(process.execPath, ['--disable-warning=ExperimentalWarning', LACEWING, ...words], {
    env: { ...inherited(), LACEWING_DATA: dataFolder, LACEWING_DATABASE_URL: databaseUrl, ...environment },
    stdio: 'pipe',
  })
}

/** Starts `lacewing …` at a terminal of its own, made by `script`. What it prints comes on standard output. */
export function startAtTerminal(
  script: string,
  { dataFolder, databaseUrl }: Pick<Config, 'dataFolder' | 'databaseUrl'>,
  words: readonly string[],
  environment: Record<string, string> = {},
): ChildProcess {
  const command = [process.execPath, '--disable-warning=ExperimentalWarning', LACEWING, ...words]
  return spawn(script, ['-qec', command.map((word) => `'${word}'`).join(' '), '/dev/null'], {
    env: {
      ...inherited(),
      SHELL: '/bin/sh',
      LACEWING_DATA: dataFolder,
      LACEWING_DATABASE_URL: databaseUrl,
      ...environment,
    },
    stdio: 'pipe',
  })
}

/** Waits for its end. The status is null if it was killed. */
export async function endOf(child: ChildProcess, input?: Readable | string) {
  if (typeof input === 'string') child.stdin?.end(input)
  else if (input !== undefined && child.stdin !== null) input.pipe(child.stdin)
  else child.stdin?.end()
  let [stdout, stderr] = ['', '']
  child.stdout?.on('data', (chunk) => (stdout += chunk))
  child.stderr?.on('data', (chunk) => (stderr += chunk))
  const status = await new Promise<number | null>((resolve) => child.once('close', resolve))
  return { status, stdout, stderr }
}

/** Runs a command without a process of its own, because processes are slow to start. It must not lock a database. */
export async function lacewingInThisProcess(
  words: readonly string[],
  { dataFolder, databaseUrl }: Partial<Pick<Config, 'dataFolder' | 'databaseUrl'>> = {},
  input = '',
  environment: Record<string, string> = {},
) {
  const settings = { LACEWING_DATA: dataFolder, LACEWING_DATABASE_URL: databaseUrl, ...environment }
  const outputs = { stdout: process.stdout.write, stderr: process.stderr.write }
  const written = { stdout: '', stderr: '' }
  const mask = process.umask()
  const stdin = Object.getOwnPropertyDescriptor(process, 'stdin') as PropertyDescriptor
  Object.defineProperty(process, 'stdin', { configurable: true, value: Readable.from([input]) })
  for (const [name, value] of Object.entries(settings)) if (value !== undefined) process.env[name] = value
  for (const name of ['stdout', 'stderr'] as const)
    process[name].write = ((text: string) => {
      written[name] += text
      return true
    }) as typeof process.stdout.write
  try {
    await runCommand(words)
    return { status: process.exitCode ?? 0, ...written }
  } finally {
    Object.assign(process.stdout, { write: outputs.stdout })
    Object.assign(process.stderr, { write: outputs.stderr })
    Object.defineProperty(process, 'stdin', stdin)
    for (const name of Object.keys(settings)) delete process.env[name]
    process.umask(mask)
    process.exitCode = undefined
  }
}
