import { fork } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import pg from 'pg'
import type { Postgres } from '../../test/support/postgres.ts'
import type { Report } from '../../test/support/run-files.ts'

export interface TestFile {
  file: string
  longestSeconds: number
}

export interface TestRun {
  /** The copy of the repository whose files run. */
  root: string
  postgres: Postgres
  /** Where the templates of the worlds are. */
  templates: string
  /** Ends the processes that are running. */
  stop: AbortSignal
}

/** How the tests ended: all passed, or what showed that something is wrong. */
export type Outcome = { processorSeconds: number } & ({ passed: true } | { passed: false; failure: string })

/** What the process has open when its files are done does not matter any more. */
const LONGEST_END_SECONDS = 10

/** Runs the files one after another in one process, until the first test fails. */
export async function runTestFiles(
  { root, postgres, templates, stop }: TestRun,
  files: readonly TestFile[],
  environment: Record<string, string>,
  preload?: string,
): Promise<Outcome> {
  // A killed process leaves its worlds behind, so each has a folder of its own.
  const folder = mkdtempSync(join(templates, 'mutant-'))
  for (const name of readdirSync(templates).filter((it) => it.startsWith('template-')))
    symlinkSync(join(templates, name), join(folder, name))
  const child = fork(join(root, 'test/support/run-files.ts'), {
    cwd: root,
    // A group of its own, which is killed with all that the tests have started.
    detached: true,
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    env: {
      ...process.env,
      ...environment,
      LACEWING_TEST_POSTGRES: postgres.url,
      LACEWING_TEST_POSTGRES_SOCKET: postgres.socketUrl,
      LACEWING_TEST_FOLDER: folder,
      NODE_COMPILE_CACHE: join(templates, 'compiled'),
    },
    execArgv: [
      '--disable-warning=ExperimentalWarning',
      '--single-threaded-gc',
      `--import=${pathToFileURL(join(root, 'test/support/untracked-promises.ts')).href}`,
      ...(preload === undefined ? [] : [`--import=${pathToFileURL(join(root, preload)).href}`]),
    ],
  })
  const waiting = [...files]
  let failure: string | undefined
  let running = ''
  let hasEnded = false
  let processorSeconds = 0
  let limit: NodeJS.Timeout | undefined
  const kill = () => killGroup(child.pid)
  const fail = (why: string) => {
    failure ??= why
    kill()
  }
  const runNext = () => {
    clearTimeout(limit)
    const next = waiting.shift()
    if (next === undefined) {
      hasEnded = true
      limit = setTimeout(kill, LONGEST_END_SECONDS * 1000)
      return child.disconnect()
    }
    running = next.file
    limit = setTimeout(() => fail(`${next.file} took longer than ${next.longestSeconds} s`), next.longestSeconds * 1000)
    child.send(next.file)
  }
  child.on('message', (report: Report) => {
    if (report.type === 'failed') fail(`${running}: ${report.failure.split('\n')[0]}`)
    if (report.type !== 'done') return
    processorSeconds += report.result.processorSeconds
    if (report.result.failed > 0) fail(`${running}: ${report.result.failures[0]?.split('\n')[0] ?? ''}`)
    else runNext()
  })
  // A message to a process that has just ended.
  child.on('error', () => {})
  stop.addEventListener('abort', kill)
  runNext()
  const code = await new Promise<number | null>((resolve) => child.once('exit', resolve))
  stop.removeEventListener('abort', kill)
  clearTimeout(limit)
  kill()
  if (!hasEnded) failure ??= `${running}: the process ended with ${code}`
  rmSync(folder, { recursive: true, force: true })
  await dropWorlds(postgres, child.pid)
  return failure === undefined ? { passed: true, processorSeconds } : { passed: false, processorSeconds, failure }
}

function killGroup(pid: number | undefined) {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL')
  } catch {
    // Nothing of the group is left.
  }
}

/** See copy-database.ts for the names. */
async function dropWorlds({ url }: Postgres, pid: number | undefined) {
  const client = new pg.Client(`${url}/postgres`)
  await client.connect()
  const { rows } = await client.query(`select datname from pg_database where datname like 'world\\_${pid}\\_%'`)
  for (const { datname } of rows) await client.query(`drop database if exists ${datname} with (force)`)
  await client.end()
}
