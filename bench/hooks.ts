import { type ChildProcess, fork } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { makeBugs } from './bug-set.ts'
import { type Load, load, quantile, type Target } from './load.ts'
import { ADMIN, answeringTimeOf, clientOf, type Server, startServer } from './processes.ts'

const KEY = { 'X-TRACKER-API-KEY': ADMIN.LACEWING_ADMIN_API_KEY }
const COUNTS = [0, 10, 100] as const
const BUGS = 200
const HOOKS_OF_ONE_PERSON = 10
/** Changes per second, one after another: a busy installation. */
const PACE = 5
const ROUND_CHANGES = 30
const MOST_SLOWER = 1.1

/**
 * Measures Update Bug while 0, 10 and 100 webhooks get every change, one of which hangs forever. The three take turns,
 * first at a pace at which all webhooks can keep up, then as fast as possible while deliveries pile up. CPU is that of
 * the thread that serves requests, per change.
 */
export async function showHooks(rounds: number) {
  const receiver = await startReceiver()
  const places: HookServer[] = []
  try {
    for (const count of COUNTS) places.push(await startWithHooks(count, receiver.port))
    for (const place of places) await paced(place)
    await drained(receiver)
    const seen = new Map(
      places.map((place) => [place, { paced: [] as Load[], driven: [] as Load[], told: 0, processor: 0 }]),
    )
    for (let round = 0; round < rounds; round++)
      for (const [place, figures] of seen) {
        const before = answeringTimeOf(place.server.pid)
        figures.paced.push(await paced(place))
        figures.told += await receiver.taken()
        await drained(receiver)
        figures.processor += answeringTimeOf(place.server.pid) - before
      }
    for (let round = 0; round < rounds; round++)
      for (const [place, figures] of seen) figures.driven.push(await driven(place, places))
    console.log(
      `${`PUT bug/(id), ${PACE}/s`.padEnd(26)}${['p50 ms', 'times', 'wanted', 'p99 ms', 'CPU ms', 'told/s', 'driven/s'].map((it) => it.padStart(11)).join('')}`,
    )
    const base = [...seen.values()][0]
    for (const [{ count }, { paced, driven, told, processor }] of seen) {
      const p50 = median(paced.map((it) => quantile(it, 0.5)))
      const seconds = paced.reduce((sum, it) => sum + it.seconds, 0)
      const figures = [
        p50.toFixed(2),
        (p50 / median((base?.paced ?? []).map((it) => quantile(it, 0.5)))).toFixed(2),
        count === 0 ? '' : MOST_SLOWER.toFixed(2),
        median(paced.map((it) => quantile(it, 0.99))).toFixed(2),
        ((processor * 1000) / (rounds * ROUND_CHANGES)).toFixed(2),
        (told / seconds).toFixed(0),
        median(driven.map((it) => it.requests / it.seconds)).toFixed(0),
      ]
      console.log(
        `${String(count).padStart(4)} hooks, one hanging`.padEnd(26) + figures.map((it) => it.padStart(11)).join(''),
      )
    }
  } finally {
    for (const { server, folder } of places) {
      await server.kill()
      rmSync(folder, { recursive: true, force: true })
    }
    receiver.stop()
  }
}

/** Waits until all deliveries are done, so that one installation does not slow down another. */
async function drained(receiver: Awaited<ReturnType<typeof startReceiver>>) {
  do await new Promise((resolve) => setTimeout(resolve, 500))
  while ((await receiver.taken()) > 0)
}

const DRIVEN = { connections: 8, milliseconds: 1000 }

/** As many changes as possible, while the other servers, which still have deliveries to make, are stopped. */
async function driven(place: HookServer, places: readonly HookServer[]) {
  const others = places.filter((it) => it !== place)
  for (const { server } of others) process.kill(server.pid, 'SIGSTOP')
  try {
    return await load(targetOn(place), DRIVEN)
  } finally {
    for (const { server } of others) process.kill(server.pid, 'SIGCONT')
  }
}

interface HookServer {
  count: number
  folder: string
  server: Server
}

async function startWithHooks(count: number, port: number): Promise<HookServer> {
  const folder = mkdtempSync(join(tmpdir(), 'lacewing-bench-'))
  await makeBugs(folder, BUGS)
  const server = await startServer(folder)
  const place = { count, folder, server }
  const admin = clientOf(server)
  await admin.put('/parameters', { webhook_networks: '127.0.0.1' })
  let owner = admin
  for (let made = 0; made < count; made++) {
    if (made % HOOKS_OF_ONE_PERSON === 0) owner = await newUser(server, made)
    const url = `http://127.0.0.1:${port}/${made === 0 ? 'hang' : made}`
    await owner.post('/webhook', { url })
  }
  return place
}

async function newUser(server: Server, number: number) {
  const admin = clientOf(server)
  const { id } = await admin.post('/user', { email: `hooks${number}@bench.test`, password: 'benchmark1' })
  const { api_key } = await admin.post('/user/:user/api_key', { user: id })
  return clientOf(server, api_key)
}

function targetOn({ server }: HookServer): Target {
  const body = JSON.stringify({ whiteboard: 'written by {n}', comment: { body: 'Said with {n}' } })
  return { host: '127.0.0.1', port: server.port, headers: KEY, most: BUGS, path: '/rest/bug/{id}', method: 'PUT', body }
}

/** One change at a time, at the pace; the time in between is for the deliveries. */
async function paced(place: HookServer): Promise<Load> {
  const latencies: number[] = []
  const started = performance.now()
  for (let change = 0; change < ROUND_CHANGES; change++) {
    const wait = started + (change * 1000) / PACE - performance.now()
    if (wait > 0) await new Promise((resolve) => setTimeout(resolve, wait))
    const done = await load(targetOn(place), { connections: 1, milliseconds: 10_000, requests: 1 })
    latencies.push(...done.latencies)
  }
  const seconds = (performance.now() - started) / 1000
  return { requests: latencies.length, seconds, latencies: Float64Array.from(latencies).sort() }
}

async function startReceiver() {
  const child: ChildProcess = fork(fileURLToPath(new URL('./hook-receiver.ts', import.meta.url)))
  const answer = () =>
    new Promise<Record<string, number>>((resolve) => child.once('message', (it) => resolve(it as never)))
  const { port = 0 } = await answer()
  return {
    port,
    async taken() {
      child.send('count')
      return (await answer()).received ?? 0
    },
    stop: () => void child.kill('SIGKILL'),
  }
}

function median(values: readonly number[]) {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0
}
