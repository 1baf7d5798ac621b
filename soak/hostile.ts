import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { type Server, startServer } from '../bench/processes.ts'
import { openDatabase } from '../src/platform/database/open-database.ts'
import { fillWithBugs } from '../test/support/hostile-bugs.ts'
import type { HostileBugs } from '../test/support/hostile-requests.ts'
import { mustSend } from './client.ts'
import { type HostileKind, sendHostile } from './hostile-client.ts'
import type { Account, HostileContext } from './hostile-context.ts'
import { floodWithLogins, resetConnections, sendBrokenRequests, useManyAddresses } from './hostile-floods.ts'
import { hostileKinds } from './hostile-kinds.ts'
import { runReceiveMail, sendUnreadableMail } from './hostile-mail.ts'
import { type Megabytes, watchMemory } from './hostile-memory.ts'
import { breakListBits, fileWithKeys, raceDeletions, raceGroupControls, shedGroups } from './hostile-races.ts'
import type { Seen } from './hostile-reader.ts'
import {
  echoKeys,
  lookForHiddenCatalogue,
  lookForHiddenValues,
  lookForHostNames,
  lookForLogins,
  widenKeys,
  writeAnonymously,
} from './hostile-secrets.ts'
import { HostileTally } from './hostile-tally.ts'
import { floodFromManyNetworks, leaveResponsesUnread } from './hostile-waiting.ts'
import { type Engine, makeStorage, type Storage } from './storage.ts'

const SIZES = { bugs: 3000, comments: 20_000, changes: 10_000 }
const LONG_COMMENTS = 100
const ACCOUNTS = 3
const AT_ONCE = 8
const ROUNDS = 2
/** Threads that have read much end when they have had nothing to do for twenty seconds. */
const SETTLES_MILLISECONDS = 25_000
const PASSWORD = 'plainwords1'

/** What the report has about one round. */
interface Round {
  tally: HostileTally
  seen: Seen
  megabytes: Megabytes
  seconds: number
  loginMilliseconds: number
}

/**
 * Hostile requests of every kind, anonymous and from accounts, while a client reads one bug ten times a second. No response may be a fault of
 * the server, nothing hidden may be read, and the client that reads must be answered every time. The second round on the same server shows
 * whether memory grows.
 */
export async function soakHostile(engine: Engine): Promise<boolean> {
  const place = await makeStorage(engine)
  try {
    const maildir = join(place.folder, 'Maildir')
    for (const folder of ['new', 'cur', 'tmp']) mkdirSync(join(maildir, folder), { recursive: true })
    const server = await startServer(place.folder, { ...place.environment, LACEWING_MAILDIR: maildir })
    const bugs = await fill(place, server)
    const accounts = await Promise.all(Array.from({ length: ACCOUNTS }, (_, number) => newAccount(server, number)))
    // A user of their own, at the address of the others.
    const { key } = await newAccount(server, ACCOUNTS)
    const context = { port: server.port, place, maildir, bugs, accounts }
    let isGood = true
    for (let round = 1; round <= ROUNDS; round++) {
      const result = await runRound(server, { ...context, round, tally: new HostileTally() }, key)
      report(`${engine}, round ${round}`, result)
      isGood &&= result.tally.failures.length + result.seen.failures.length === 0
    }
    await server.stop()
    return reportLog(engine, place) && isGood
  } finally {
    await place.remove()
  }
}

async function runRound(server: Server, context: HostileContext, key: string): Promise<Round> {
  const { bugs, tally } = context
  const memory = watchMemory(server)
  const reader = startReader(`http://127.0.0.1:${server.port}/rest/bug/${bugs.first}`, key)
  const started = performance.now()
  const [loginMilliseconds] = await Promise.all([runPrepared(context), sendAll(context, hostileKinds(bugs))])
  const seconds = (performance.now() - started) / 1000
  const seen = await reader.stop()
  await sleep(SETTLES_MILLISECONDS)
  return { tally, seen, megabytes: await memory.stop(), seconds, loginMilliseconds }
}

/** The kinds that need preparation, one after another. Returns how long a right login took beside many wrong ones. */
async function runPrepared(context: HostileContext): Promise<number> {
  const loginMilliseconds = await floodWithLogins(context)
  for (const run of PREPARED) {
    try {
      await run(context)
    } catch (fault) {
      context.tally.fail(run.name, String(fault))
    }
  }
  return loginMilliseconds
}

const PREPARED: readonly ((context: HostileContext) => Promise<void>)[] = [
  raceGroupControls,
  raceDeletions,
  shedGroups,
  breakListBits,
  fileWithKeys,
  lookForHiddenValues,
  widenKeys,
  lookForHiddenCatalogue,
  lookForLogins,
  lookForHostNames,
  echoKeys,
  writeAnonymously,
  useManyAddresses,
  resetConnections,
  sendBrokenRequests,
  sendUnreadableMail,
  runReceiveMail,
  floodFromManyNetworks,
  leaveResponsesUnread,
]

/** Sends every request anonymously and with a key, a few at a time and mixed. */
async function sendAll({ port, accounts, tally }: HostileContext, kinds: readonly HostileKind[]) {
  const requests = kinds.flatMap((kind, place) => [
    { kind, key: undefined },
    { kind, key: accounts[place % accounts.length]?.key },
  ])
  const order = requests.map((_, place) => requests[(place * STEP) % requests.length]).filter((it) => it !== undefined)
  const sendOn = async () => {
    for (let next = order.pop(); next !== undefined; next = order.pop())
      tally.note(next.kind, await sendHostile(port, next.kind, next.key))
  }
  await Promise.all(Array.from({ length: AT_ONCE }, sendOn))
}

/** A prime that is larger than the number of requests: each has its turn, and kinds are mixed. */
const STEP = 1009

function report(title: string, { tally, seen, megabytes, seconds, loginMilliseconds }: Round) {
  console.log(`${title}: what the requests of each kind got`)
  for (const line of tally.table()) console.log(line)
  for (const failure of [...tally.failures, ...seen.failures].slice(0, 30)) console.log(`  FAILED ${failure}`)
  const { reads, slowestMilliseconds, medianMilliseconds } = seen
  console.log(
    `${title}: ${tally.sent} hostile requests in ${seconds.toFixed(0)} s, ${tally.left} of them left by their clients; ` +
      `${tally.faults} of 5xx or without a response, and ${tally.busy} of 503 with Retry-After; ${tally.failures.length} failures\n` +
      `${title}: the client that reads one bug: slowest response ${slowestMilliseconds.toFixed(0)} ms, ` +
      `median ${medianMilliseconds.toFixed(1)} ms, ${reads} reads, ${seen.failures.length} of them failed\n` +
      `${title}: a right login beside 150 wrong ones: ${loginMilliseconds.toFixed(0)} ms\n` +
      `${title}: memory ${megabytes.first} MB before, ${megabytes.highest} MB at most, ${megabytes.last} MB after; ` +
      `heap after ${megabytes.heap} MB`,
  )
}

/** Faults that clients did not notice. */
function reportLog(engine: Engine, { folder }: Storage): boolean {
  const lines = readFileSync(join(folder, 'server.log'), 'utf8').split('\n')
  const faults = lines.filter((line) =>
    /"event":"(internal failure|uncaught exception|unhandled rejection)"/.test(line),
  )
  for (const line of faults.slice(0, 5)) console.log(`  FAILED ${line.slice(0, 600)}`)
  console.log(`${engine}: ${faults.length} internal failures in the log`)
  return faults.length === 0
}

async function fill(place: Storage, { port }: Server): Promise<HostileBugs> {
  await mustSend(port, 'PUT', '/parameters', { inbound_proxies: '127.0.0.1' })
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

async function newAccount({ port }: Server, number: number): Promise<Account> {
  const login = `hostile${number}@example.org`
  const user = { email: login, full_name: 'Hostile', password: PASSWORD }
  const { id } = await mustSend(port, 'POST', '/user', user)
  const groups = { add: ['editbugs', 'canconfirm'] }
  if (number === 0) await mustSend(port, 'PUT', `/user/${id}`, { groups })
  const { api_key: key } = await mustSend(port, 'POST', `/user/${id}/api_key`, { description: 'hostile' })
  return { id, login, password: PASSWORD, key }
}

function startReader(url: string, key: string) {
  const worker = new Worker(new URL('./hostile-reader.ts', import.meta.url), { workerData: { url, key } })
  return {
    stop: () =>
      new Promise<Seen>((resolve, reject) => {
        worker.once('message', resolve)
        worker.once('error', reject)
        worker.postMessage('stop')
      }),
  }
}
