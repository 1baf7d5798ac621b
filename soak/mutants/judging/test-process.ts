import { type ChildProcess, fork } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import pg from 'pg'
import type { Postgres } from '../../../test/support/postgres.ts'
import type { Report } from '../../../test/support/run-file.ts'
import type { Order, ReachedReport } from '../run-with-mutants.ts'

export interface TestRun {
  /** The copy of the repository whose files run. */
  root: string
  postgres: Postgres
  /** Where the templates of the worlds are. */
  templates: string
  /** Ends the processes that are running. */
  stop: AbortSignal
}

export type Engines = 'sqlite' | 'both engines'

/** With neither a failure nor an end, all tests passed. */
export interface Outcome {
  file: string
  processorSeconds: number
  seconds: number
  /** The first test that failed. */
  failure?: string
  /** Why the process is gone: it took too long and was killed, or ended itself. */
  end?: string
  /** The ids of the mutants that were reached. */
  reached: ReadonlySet<string>
  whileLoading: ReadonlySet<string>
}

/** What is left to do after a failure is to close servers. */
const LONGEST_SECONDS_AFTER_FAILURE = 15

/** Runs test files one after another, each with a mutant or without. */
export class TestProcess {
  isRunning = true
  private readonly child: ChildProcess
  private readonly run: TestRun
  /** A killed process leaves its worlds behind, so each has a folder of its own. */
  private readonly folder: string
  private readonly exit: Promise<unknown>
  private readonly kill = () => killGroup(this.child.pid)

  /** A mutant that is given here is also active while modules are loaded. */
  constructor(run: TestRun, engines: Engines, mutant?: string) {
    this.run = run
    const { root, postgres, templates, stop } = run
    this.folder = mkdtempSync(join(templates, 'process-'))
    for (const name of readdirSync(templates).filter((it) => it.startsWith('template-')))
      symlinkSync(join(templates, name), join(this.folder, name))
    const preloads = ['test/support/untracked-promises.ts', 'soak/mutants/note-coverage.ts']
    this.child = fork(join(root, 'soak/mutants/run-with-mutants.ts'), {
      cwd: root,
      // A group of its own, which is killed with all that the tests have started.
      detached: true,
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
      env: {
        ...process.env,
        ...(mutant !== undefined && { __STRYKER_ACTIVE_MUTANT__: mutant }),
        LACEWING_MUTANT_ENGINES: engines,
        LACEWING_TEST_POSTGRES: postgres.url,
        LACEWING_TEST_POSTGRES_SOCKET: postgres.socketUrl,
        LACEWING_TEST_FOLDER: this.folder,
        NODE_COMPILE_CACHE: join(templates, 'compiled'),
      },
      execArgv: [
        '--disable-warning=ExperimentalWarning',
        '--single-threaded-gc',
        // As in npm test: collecting garbage takes less time.
        '--min-semi-space-size=64',
        '--max-semi-space-size=64',
        ...preloads.map((file) => `--import=${pathToFileURL(join(root, file)).href}`),
      ],
    })
    // A message to a process that has just ended.
    this.child.on('error', () => {})
    this.exit = new Promise((resolve) => this.child.once('exit', resolve))
    stop.addEventListener('abort', this.kill)
  }

  async runFile(file: string, mutant: string | undefined, longestSeconds: number): Promise<Outcome> {
    const started = performance.now()
    const coverageFolder = mkdtempSync(join(this.folder, 'reached-'))
    const outcome: Outcome = { file, processorSeconds: 0, seconds: 0, reached: new Set(), whileLoading: new Set() }
    const done = Promise.withResolvers<void>()
    const onTime = () => {
      outcome.end = `took longer than ${longestSeconds} s`
      this.kill()
    }
    let limit = setTimeout(onTime, longestSeconds * 1000)
    const read = (report: Report | ReachedReport) => {
      if (report.type === 'failed') {
        outcome.failure ??= report.failure.split('\n')[0]
        clearTimeout(limit)
        limit = setTimeout(onTime, LONGEST_SECONDS_AFTER_FAILURE * 1000)
      }
      if (report.type === 'reached') {
        outcome.reached = new Set([...report.ids, ...reachedInThreads(coverageFolder)])
        outcome.whileLoading = new Set(report.whileLoading)
      }
      if (report.type !== 'done') return
      outcome.processorSeconds = report.result.processorSeconds
      if (report.result.failed > 0) outcome.failure ??= report.result.failures[0]?.split('\n')[0] ?? ''
      done.resolve()
    }
    this.child.on('message', read)
    this.child.send({ file, mutant, coverageFolder } satisfies Order)
    await Promise.race([done.promise, this.exit.then((code) => this.noteExit(outcome, code))])
    clearTimeout(limit)
    this.child.off('message', read)
    rmSync(coverageFolder, { recursive: true, force: true })
    return { ...outcome, seconds: (performance.now() - started) / 1000 }
  }

  async end() {
    this.isRunning = false
    this.run.stop.removeEventListener('abort', this.kill)
    this.kill()
    await this.exit
    rmSync(this.folder, { recursive: true, force: true })
    await dropWorlds(this.run.postgres, this.child.pid)
  }

  private noteExit(outcome: Outcome, code: unknown) {
    this.isRunning = false
    outcome.end ??= `the process ended with ${code}`
  }
}

function killGroup(pid: number | undefined) {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL')
  } catch {
    // Nothing of the group is left.
  }
}

function reachedInThreads(folder: string): string[] {
  return readdirSync(folder).flatMap((name) => readFileSync(join(folder, name), 'utf8').split('\n'))
}

/** See copy-database.ts for the names. */
async function dropWorlds({ url }: Postgres, pid: number | undefined) {
  const client = new pg.Client(`${url}/postgres`)
  await client.connect()
  const { rows } = await client.query(`select datname from pg_database where datname like 'world\\_${pid}\\_%'`)
  for (const { datname } of rows) await client.query(`drop database if exists ${datname} with (force)`)
  await client.end()
}
