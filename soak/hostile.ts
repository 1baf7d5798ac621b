import { Agent, request } from 'node:http'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { memoryOf, type Server, startServer } from '../bench/processes.ts'
import { openDatabase } from '../src/platform/database/open-database.ts'
import { fillWithBugs } from '../test/support/hostile-bugs.ts'
import type { HostileBugs } from '../test/support/hostile-requests.ts'
import { mustSend } from './client.ts'
import { type HostileKind, hostileKinds } from './hostile-kinds.ts'
import type { Seen } from './hostile-reader.ts'
import { type Engine, makePlace, type Place } from './place.ts'

const SIZES = { bugs: 3000, comments: 20_000, changes: 10_000 }
const LONG_COMMENTS = 100
const ACCOUNTS = 3
const AT_ONCE = 8
const LEAVES_AFTER_MILLISECONDS = 300
const SETTLES_MILLISECONDS = 3000
/** A request that is not answered within this time is a failure. */
const LONGEST_MILLISECONDS = 120_000

interface Counts {
  sent: number
  left: number
  /** 503 with Retry-After: the server reports that it is overloaded. */
  overloaded: number
  failures: string[]
}

/**
 * Sends hostile requests of every kind, anonymous and from accounts, while a client reads one bug ten times a second.
 * No response may be an error of the server, and every read must be answered.
 */
export async function soakHostile(engine: Engine): Promise<boolean> {
  const place = await makePlace(engine)
  try {
    const server = await startServer(place.folder, place.environment)
    const bugs = await fill(place, server)
    const keys = await Promise.all(Array.from({ length: ACCOUNTS }, (_, number) => newKey(server, number)))
    const memory = watchMemory(server)
    const reader = startReader(`http://127.0.0.1:${server.port}/rest/bug/${bugs.first}`)
    const started = performance.now()
    const counts = await attack(server, hostileKinds(bugs), keys)
    const seconds = (performance.now() - started) / 1000
    const seen = await reader.stop()
    await sleep(SETTLES_MILLISECONDS)
    const megabytes = memory.stop()
    await server.stop()
    report(engine, counts, seen, megabytes, seconds)
    return counts.failures.length + seen.failures.length === 0
  } finally {
    await place.remove()
  }
}

function report(engine: Engine, counts: Counts, seen: Seen, megabytes: Megabytes, seconds: number) {
  for (const failure of [...counts.failures, ...seen.failures].slice(0, 20)) console.log(`  ${failure}`)
  const { sent, left, overloaded, failures } = counts
  const { reads, slowestMilliseconds, medianMilliseconds } = seen
  console.log(
    `${engine}: ${sent} hostile requests in ${seconds.toFixed(0)} s, ${left} of their clients disconnected early; ` +
      `${failures.length} responses of 5xx or none, ${overloaded} of 503 with Retry-After\n` +
      `${engine}: the client that reads one bug: slowest response ${slowestMilliseconds.toFixed(0)} ms, ` +
      `median ${medianMilliseconds.toFixed(1)} ms, ${reads} reads, ${seen.failures.length} of them failed\n` +
      `${engine}: memory ${megabytes.first} MB at the start, ${megabytes.highest} MB at most, ${megabytes.last} MB at the end`,
  )
}

async function fill(place: Place, { port }: Server): Promise<HostileBugs> {
  const bug = { product: 'TestProduct', component: 'TestComponent', summary: 'A bug' }
  const { id } = await mustSend(port, 'POST', '/bug', bug)
  const db = openDatabase(place.environment.LACEWING_DATABASE_URL ?? join(place.folder, 'lacewing.db'))
  const bugs = await fillWithBugs(db, id, SIZES)
  await db.close()
  const comment = 'abcdabcd abcd '.repeat(4500)
  for (let number = 0; number < LONG_COMMENTS; number++)
    await mustSend(port, 'POST', `/bug/${bugs.first + 10 + (number % 10)}/comment`, { comment })
  return bugs
}

async function newKey({ port }: Server, number: number): Promise<string> {
  const user = { email: `hostile${number}@example.org`, full_name: 'Hostile', password: 'password1' }
  const { id } = await mustSend(port, 'POST', '/user', user)
  const groups = { add: ['editbugs', 'canconfirm'] }
  if (number === 0) await mustSend(port, 'PUT', `/user/${id}`, { groups })
  return (await mustSend(port, 'POST', `/user/${id}/api_key`, { description: 'hostile' })).api_key
}

/** Sends every kind anonymously and with a key, a few at a time and mixed. */
async function attack({ port }: Server, kinds: readonly HostileKind[], keys: readonly string[]): Promise<Counts> {
  const counts: Counts = { sent: 0, left: 0, overloaded: 0, failures: [] }
  const waiting = kinds.flatMap((kind, place) => [
    { kind, key: undefined },
    { kind, key: keys[place % keys.length] },
  ])
  const order = waiting.map((_, place) => waiting[(place * STEP) % waiting.length]).filter((it) => it !== undefined)
  const sendOn = async () => {
    for (let next = order.pop(); next !== undefined; next = order.pop()) {
      counts.sent++
      note(counts, next.kind, await answerTo(port, next.kind, next.key))
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, sendOn))
  return counts
}

/** Larger than the number of kinds, and a prime: every request has its turn, and kinds are mixed. */
const STEP = 1009

function note(counts: Counts, { title, leaves }: HostileKind, answer: Outcome) {
  if (answer.status === 503 && answer.retryAfter !== undefined) counts.overloaded++
  else if (answer.status >= 500) counts.failures.push(`${title}: ${answer.status}`)
  else if (answer.status === NONE && leaves) counts.left++
  else if (answer.status === NONE) counts.failures.push(`${title}: ${answer.why}`)
}

const NONE = 0
/**
 * Connections stay open: if one closes with its response, the rest of a body that is too large breaks it before the
 * response is read.
 */
const AGENT = new Agent({ keepAlive: true })

interface Outcome {
  status: number
  retryAfter?: string | undefined
  why?: string
}

function answerTo(port: number, kind: HostileKind, key: string | undefined): Promise<Outcome> {
  const { method, path, body, leaves } = kind
  const headers = {
    Accept: 'application/json',
    ...(key !== undefined && { 'X-TRACKER-API-KEY': key }),
    ...(body !== undefined && { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body) }),
    ...kind.headers,
  }
  return new Promise((resolve) => {
    const sent = request(
      { port, host: '127.0.0.1', path: `/rest${path}`, method, headers, agent: AGENT },
      (response) => {
        response.resume()
        response.on('error', (fault) => resolve({ status: NONE, why: String(fault) }))
        response.on('end', () =>
          resolve({ status: response.statusCode ?? NONE, retryAfter: response.headers['retry-after'] }),
        )
      },
    )
    sent.setTimeout(leaves ? LEAVES_AFTER_MILLISECONDS : LONGEST_MILLISECONDS, () =>
      sent.destroy(new Error('it was not answered in time')),
    )
    sent.on('error', (fault) => resolve({ status: NONE, why: String(fault) }))
    sent.end(body)
  })
}

function startReader(url: string) {
  const worker = new Worker(new URL('./hostile-reader.ts', import.meta.url), { workerData: { url } })
  return {
    stop: () =>
      new Promise<Seen>((resolve, reject) => {
        worker.once('message', resolve)
        worker.once('error', reject)
        worker.postMessage('stop')
      }),
  }
}

interface Megabytes {
  first: number
  highest: number
  last: number
}

function watchMemory({ pid }: Server) {
  const now = () => Math.round(memoryOf(pid))
  const megabytes: Megabytes = { first: now(), highest: now(), last: 0 }
  const timer = setInterval(() => {
    megabytes.highest = Math.max(megabytes.highest, now())
  }, 100)
  return {
    stop(): Megabytes {
      clearInterval(timer)
      return { ...megabytes, last: now() }
    },
  }
}
