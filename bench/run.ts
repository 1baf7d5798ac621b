import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { showHooks } from './hooks.ts'
import { showLists } from './lists.ts'
import type { Target } from './load.ts'
import { showManyBugs } from './many-bugs.ts'
import { showManyComponents } from './many-components.ts'
import { showPages } from './pages.ts'
import { allDelivered, makePeople } from './people-set.ts'
import {
  ADMIN,
  type Figures,
  type Loader,
  memoryOf,
  type Server,
  startLoader,
  startPeer,
  startServer,
} from './processes.ts'
import { showSearches } from './search.ts'

/**
 * `npm run bench`: loads Lacewing from a second process, on a generated data set, next to a bare node:http server that
 * returns the same bytes. The two take turns in short rounds, so that other load on the machine affects both; the
 * ratios are what counts. Arguments:
 * - `small`: a tenth of the bugs and fewer rounds
 * - `bugs`: only the calls about bugs; `bugs PUT`: only those with that method; `lasting`: one long round
 * - `requests`: only what all calls have in common
 * - `hooks`: only the cost of webhooks (see hooks.ts)
 * - `search 20000 1000000`: only searches, among that many bugs (see search.ts)
 * - `lists`: only lists of bugs, beside a bare server (see lists.ts)
 * - `pages`: only the pages, in a browser (see pages.ts)
 */
const isSmall = process.argv.includes('small')
const onlyBugs = process.argv.includes('bugs')
const ROUNDS = isSmall ? 3 : 8
const ROUND_MILLISECONDS = 1000
const LASTING = { rounds: 1, milliseconds: 10_000 }
const CONNECTIONS = 16
const MEMORY_REQUESTS = 100_000

const KEY = { 'X-TRACKER-API-KEY': ADMIN.LACEWING_ADMIN_API_KEY }

const compared: { name: string; path: string; headers: Record<string, string>; atLeast: number }[] = [
  { name: 'GET /rest/version', path: '/rest/version', headers: {}, atLeast: 0.6 },
  { name: 'GET /rest/user/(name) with a key', path: '/rest/user/person7@bench.test', headers: KEY, atLeast: 0.6 },
]

const loader = startLoader()
try {
  if (process.argv[2] === 'search') await showSearches(process.argv.slice(3))
  else if (process.argv[2] === 'lists') await showLists(loader, process.argv.slice(3))
  else if (process.argv[2] === 'pages') await showPages(process.argv.slice(3))
  else if (process.argv[2] === 'requests') await showEveryRequest()
  else if (process.argv[2] === 'hooks') await showHooks(ROUNDS)
  else await showCalls()
} finally {
  await loader.stop()
}

async function showCalls() {
  if (!onlyBugs) await showEveryRequest()
  const methods = ['GET', 'POST', 'PUT'].filter((method) => process.argv.includes(method))
  const turns = process.argv.includes('lasting') ? LASTING : { rounds: ROUNDS, milliseconds: ROUND_MILLISECONDS }
  await showManyBugs(loader, [2000, isSmall ? 20_000 : 200_000], turns, methods)
  if (!onlyBugs) await showManyComponents()
  if (!onlyBugs) await showHooks(ROUNDS)
}

/** What all calls have in common. */
async function showEveryRequest() {
  const folder = mkdtempSync(join(tmpdir(), 'lacewing-bench-'))
  let server = await startServer(folder)
  try {
    await makePeople(server, 300)
    // Each new account causes a mail. Wait for the deliveries, so that the next server starts without work.
    await allDelivered(folder)
    await server.stop()
    server = await startServer(folder)
    console.log(
      `${'call'.padEnd(38)}${'ours/s'.padStart(9)}${'bare/s'.padStart(9)}${'ratio'.padStart(8)}${'wanted'.padStart(8)}${'p50 ms'.padStart(9)}${'p99 ms'.padStart(9)}`,
    )
    for (const it of compared) await compare(loader, server, it)
    await showMemory(server)
    await server.stop()
    server = await startServer(folder)
    console.log(`start on the existing database: ${server.startMilliseconds.toFixed(0)} ms (wanted: under 1000)`)
  } finally {
    await server.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

async function compare(loader: Loader, server: Server, { name, path, headers, atLeast }: (typeof compared)[number]) {
  const ours: Target = { host: '127.0.0.1', port: server.port, path, headers }
  const peer = await startPeer(ours)
  const theirs = { ...ours, port: peer.port }
  const effort = { connections: CONNECTIONS, milliseconds: ROUND_MILLISECONDS }
  for (const target of [ours, theirs]) await loader.load(target, effort)
  const rounds = { ours: [] as Figures[], theirs: [] as Figures[] }
  for (let round = 0; round < ROUNDS; round++) {
    rounds.ours.push(await loader.load(ours, effort))
    rounds.theirs.push(await loader.load(theirs, effort))
  }
  await peer.stop()
  const [mine, bare] = [rateOf(rounds.ours), rateOf(rounds.theirs)]
  const last = rounds.ours.at(-1)
  console.log(
    `${name.padEnd(38)}${mine.toFixed(0).padStart(9)}${bare.toFixed(0).padStart(9)}${(mine / bare).toFixed(2).padStart(8)}${atLeast.toFixed(2).padStart(8)}${last?.p50.toFixed(2).padStart(9)}${last?.p99.toFixed(2).padStart(9)}`,
  )
}

/** The median of the rounds, which one bad round cannot move. */
function rateOf(rounds: Figures[]) {
  const rates = rounds.map(({ requests, seconds }) => requests / seconds).sort((a, b) => a - b)
  return rates[Math.floor(rates.length / 2)] ?? 0
}

async function showMemory(server: Server) {
  const target = { host: '127.0.0.1', port: server.port, path: compared[1]?.path ?? '', headers: KEY }
  const { requests } = await loader.load(target, {
    connections: CONNECTIONS,
    milliseconds: 600_000,
    requests: MEMORY_REQUESTS,
  })
  console.log(`memory after ${requests} more requests: ${memoryOf(server.pid).toFixed(0)} MB (wanted: under 150)`)
}
