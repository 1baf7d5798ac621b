import { type ChildProcess, spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { copyDatabase, type Engine, required, type Template } from './copy-database.ts'

/** The entry point of the server, as of `npm start`. */
export const MAIN = fileURLToPath(new URL('../../src/main.mjs', import.meta.url))

type Environment = Record<string, string>

/** Options of the start: arguments of Node and the folder. */
interface Started {
  node?: readonly string[]
  cwd?: string
  /** A program that starts the server, instead of Node. */
  program?: readonly string[]
  /** A program that replaces itself by Node, with its arguments. */
  through?: readonly string[]
  /** A module that is loaded into the server before it starts, with a channel to the test. */
  preload?: string
}

/** A real server process, configured by its environment. */
export class ServerProcess {
  readonly child: ChildProcess
  readonly ended: Promise<number | string>
  stdout = ''
  stderr = ''
  private readonly started = performance.now()

  constructor(environment: Environment, words: readonly string[] = [], started: Started = {}) {
    const { node = ['--disable-warning=ExperimentalWarning', MAIN], cwd, preload, through = [] } = started
    const loaded = preload === undefined ? [] : ['--import', preload]
    const own = started.program ?? [process.execPath, ...loaded, ...node]
    const [program = '', ...given] = [...through, ...own, ...words]
    this.child = spawn(program, given, {
      cwd,
      env: { ...inherited(), LACEWING_PORT: '0', ...environment },
      stdio: ['ignore', 'pipe', 'pipe', ...(preload === undefined ? [] : ['ipc' as const])],
    })
    this.child.stdout?.on('data', (chunk) => (this.stdout += chunk))
    this.child.stderr?.on('data', (chunk) => (this.stderr += chunk))
    this.ended = new Promise((resolve) => this.child.once('close', (code, signal) => resolve(code ?? signal ?? '')))
    running.add(this)
    void this.ended.then(() => running.delete(this))
  }

  /** Its URL, and how long the start took. */
  async listening(): Promise<{ url: string; milliseconds: number }> {
    for (;;) {
      const url = /^Lacewing listens on (\S+)/m.exec(this.stdout)?.[1]
      if (url) return { url, milliseconds: Math.round(performance.now() - this.started) }
      const { exitCode, signalCode } = this.child
      if (exitCode !== null || signalCode !== null) throw new Error(`It ended with ${await this.ended}: ${this.stderr}`)
      await new Promise((resolve) => setTimeout(resolve, 5))
    }
  }

  /** The generated credentials of the administrator, by name, from the output or from the file in the settings. */
  get credentials(): Record<string, string> {
    const file = this.loginFile
    const text = file === undefined ? this.stdout : readFileSync(file, 'utf8')
    const lines = text.matchAll(/^ {2}(login|password|API key) +(\S+)$/gm)
    return Object.fromEntries([...lines].map(([, name, value]) => [name as string, value as string]))
  }

  get loginFile(): string | undefined {
    return /^Administrator created\. Its credentials are in (\S+):/m.exec(this.stdout)?.[1]
  }

  async stop(signal: NodeJS.Signals = 'SIGTERM') {
    this.child.kill(signal)
    return this.ended
  }
}

/** The test run keeps compiled modules in one folder: without it a server takes twice the processor time to start. */
export function inherited(): Environment {
  const { PATH = '', NODE_COMPILE_CACHE } = process.env
  return { PATH, ...(NODE_COMPILE_CACHE !== undefined && { NODE_COMPILE_CACHE }) }
}

const running = new Set<ServerProcess>()

export async function stopAll() {
  await Promise.all([...running].map((server) => server.stop('SIGKILL')))
}

let count = 0

type Settings = Environment & { LACEWING_DATA: string }

/** Settings for a server whose database has the cast in it. It starts in half the time: there is nothing to migrate. */
export async function newInstallation(engine: Engine, template?: Template): Promise<Settings> {
  const folder = newDataFolder()
  mkdirSync(folder, { mode: 0o700 })
  const databaseUrl = await copyDatabase(engine, folder, template)
  return { LACEWING_DATA: folder, ...(engine === 'postgres' && { LACEWING_DATABASE_URL: databaseUrl }) }
}

/** The path of a folder that is not there yet. */
export function newDataFolder() {
  return join(mkdtempSync(join(required('LACEWING_TEST_FOLDER'), 'process-')), 'data')
}

/** Settings for a server with an empty database of its own. */
export async function emptyInstallation(engine: Engine): Promise<Settings> {
  const folder = newDataFolder()
  if (engine === 'sqlite') return { LACEWING_DATA: folder }
  const server = process.env.LACEWING_TEST_POSTGRES
  const name = `process_${process.pid}_${++count}`
  const client = new pg.Client(`${server}/postgres`)
  await client.connect()
  await client.query(`create database ${name}`)
  await client.end()
  return { LACEWING_DATA: folder, LACEWING_DATABASE_URL: `${server}/${name}` }
}
