import { type ChildProcess, fork, spawn } from 'node:child_process'
import { closeSync, openSync, readFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Client } from '../client/client.ts'
import { startOptions } from '../test/support/start-options.ts'
import type { Effort, Target } from './load.ts'

const QUIET = ['--disable-warning=ExperimentalWarning']

export interface Server {
  port: number
  pid: number
  startMilliseconds: number
  stop(): Promise<void>
  /** Kills it without warning, like a power cut. */
  kill(): Promise<void>
}

export const ADMIN = {
  LACEWING_ADMIN_LOGIN: 'admin@bench.test',
  LACEWING_ADMIN_PASSWORD: 'benchmark1',
  LACEWING_ADMIN_API_KEY: 'benchbenchbenchbenchbenchbenchbenchbench',
}

/** Lacewing as `npm start` runs it, with its log in a file. */
export async function startServer(
  folder: string,
  more: Record<string, string> = {},
  entry = fileURLToPath(new URL('../src/main.mjs', import.meta.url)),
): Promise<Server> {
  const port = Number(more.LACEWING_PORT ?? (await freePort()))
  const log = openSync(join(folder, 'server.log'), 'a')
  const started = performance.now()
  const { flags, variables } = startOptions()
  const child = spawn(process.execPath, [...flags, entry], {
    env: { ...process.env, ...variables, LACEWING_PORT: String(port), LACEWING_DATA: folder, ...ADMIN, ...more },
    stdio: ['ignore', 'pipe', log],
  })
  closeSync(log)
  await new Promise<void>((resolve, reject) => {
    child.stdout?.on('data', (text: Buffer) => text.includes('listens on') && resolve())
    child.once('exit', (code) =>
      reject(
        new Error(`The server ended with ${code}: ${readFileSync(join(folder, 'server.log'), 'utf8').slice(-500)}`),
      ),
    )
  })
  return {
    port,
    pid: child.pid as number,
    startMilliseconds: performance.now() - started,
    stop: () => ended(child, 'SIGTERM'),
    kill: () => ended(child, 'SIGKILL'),
  }
}

/** A typed client of this server, of its administrator unless another key is given. */
export function clientOf({ port }: Server, apiKey = ADMIN.LACEWING_ADMIN_API_KEY): Client {
  return new Client({ url: `http://127.0.0.1:${port}`, apiKey })
}

/** The bare server, which returns the same headers and body as `path` on ours. */
export async function startPeer(target: Target, path = target.path): Promise<Server> {
  const response = await fetch(`http://${target.host}:${target.port}${path}`, {
    headers: { Accept: 'application/json', ...target.headers },
  })
  const headers = Object.fromEntries(
    [...response.headers].filter(([name]) => !['date', 'connection', 'keep-alive'].includes(name)),
  )
  const child = fork(fileURLToPath(new URL('./bare-server.ts', import.meta.url)), { execArgv: QUIET })
  const body = await response.text()
  const port = await new Promise<number>((resolve) => {
    child.once('message', (given) => resolve(given as number))
    child.send({ headers, body })
  })
  const kill = () => ended(child, 'SIGKILL')
  return { port, pid: child.pid as number, startMilliseconds: 0, stop: kill, kill }
}

export interface Figures {
  requests: number
  seconds: number
  p50: number
  p99: number
}

export interface Loader {
  load(target: Target, effort: Effort): Promise<Figures>
  stop(): Promise<void>
}

export function startLoader(): Loader {
  const child = fork(fileURLToPath(new URL('./load-process.ts', import.meta.url)), { execArgv: QUIET })
  return {
    load: (target, effort) =>
      new Promise((resolve, reject) => {
        child.once('message', (reply) => {
          const { fault, ...figures } = reply as Figures & { fault?: string }
          if (fault !== undefined) reject(new Error(fault))
          else resolve(figures)
        })
        child.send({ target, effort })
      }),
    stop: () => ended(child, 'SIGKILL'),
  }
}

/** Resident memory of a process, in MB. */
export function memoryOf(pid: number) {
  const line = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))
  return Number(line?.[1] ?? 0) / 1024
}

/** Processor time of a process since its start, in seconds. */
export function processorTimeOf(pid: number) {
  return processorTimeIn(`/proc/${pid}/stat`)
}

/** The same for the one thread that serves requests. */
export function answeringTimeOf(pid: number) {
  return processorTimeIn(`/proc/${pid}/task/${pid}/stat`)
}

function processorTimeIn(file: string) {
  const fields = readFileSync(file, 'utf8').split(') ')[1]?.split(' ') ?? []
  return (Number(fields[11]) + Number(fields[12])) / TICKS_A_SECOND
}

const TICKS_A_SECOND = 100

function ended(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  return new Promise((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null) return resolve()
    child.removeAllListeners('exit')
    child.once('exit', () => resolve())
    child.kill(signal)
  })
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number }
      server.close(() => resolve(port))
    })
  })
}
