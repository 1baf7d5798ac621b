import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { bugzillaFrom } from './bugzilla.ts'
import { showCores } from './cores.ts'
import { showGrowth } from './growth.ts'
import { showHooks } from './hooks.ts'
import { showInbox } from './inbox.ts'
import { showLists } from './lists.ts'
import type { Target } from './load.ts'
import { showMails } from './mails.ts'
import { showManyBugs } from './many-bugs.ts'
import { showManyComponents } from './many-components.ts'
import { showMixed } from './mixed.ts'
import { showOperators } from './operators.ts'
import { showPages } from './pages.ts'
import { allDelivered, makePeople } from './people-set.ts'
import { originOf, writePart } from './performance-page.ts'
import { ADMIN, memoryOf, type Server, startLoader, startPeer, startServer } from './processes.ts'
import { alignedTable, type Comparison, markdownTable, rowsOf } from './ratios.ts'
import { showSearches } from './search.ts'
import { inTurns, speedOf } from './turns.ts'

/**
 * `npm run bench`: loads Lacewing from a second process, on a generated data set, next to a bare node:http server that
 * returns the same bytes. The two take turns in short rounds, so that other load on the machine affects both; the
 * ratios are what counts. Arguments:
 * - `small`: a tenth of the bugs and fewer rounds
 * - `bugs`: only the calls about bugs; `bugs PUT`: only those with that method; `lasting`: one long round
 * - `bugzilla=http://host/rest bugzilla-key=…`: the reads of a Bugzilla with the same bugs beside them
 * - `write`: writes the tables into docs/performance.md
 * - `requests`: only what all calls have in common
 * - `hooks`: only the cost of webhooks (see hooks.ts)
 * - `search 20000 1000000`: only searches, among that many bugs (see search.ts)
 * - `lists`: only lists of bugs, beside a bare server (see lists.ts)
 * - `growth 2000 20000 200000`: how the cost of calls grows with the number of bugs (see growth.ts)
 * - `cores`: one process and several (see cores.ts)
 * - `mixed`: a load as trackers see it, also more than the server carries (see mixed.ts)
 * - `mails`: only the delivery of mail (see mails.ts)
 * - `inbox`: a component with a thousand watchers (see inbox.ts)
 * - `operators 200000`: every operator on every kind of field (see operators.ts)
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

const [part, ...args] = process.argv.slice(2)
const bugzilla = bugzillaFrom(process.argv)
const loader = startLoader()
try {
  if (part === 'search') await showSearches(args)
  else if (part === 'lists') showComparisons('lists', await showLists(loader, args, bugzilla))
  else if (part === 'growth') await showGrowth(loader, args)
  else if (part === 'cores') await showCores(loader, args)
  else if (part === 'mixed') await showMixed(args)
  else if (part === 'mails') await showMails(loader, args)
  else if (part === 'inbox') await showInbox(loader, args)
  else if (part === 'operators') await showOperators(args)
  else if (part === 'pages') await showPages(args)
  else if (part === 'requests') showComparisons('requests', await showEveryRequest())
  else if (part === 'hooks') await showHooks(ROUNDS)
  else await showCalls()
} finally {
  await loader.stop()
}

/** Everything that has a baseline, in one table at the end. */
async function showCalls() {
  const methods = ['GET', 'POST', 'PUT'].filter((method) => process.argv.includes(method))
  const turns = process.argv.includes('lasting') ? LASTING : { rounds: ROUNDS, milliseconds: ROUND_MILLISECONDS }
  const requests = onlyBugs ? [] : await showEveryRequest()
  const bugs = await showManyBugs(loader, [2000, isSmall ? 20_000 : 200_000], turns, methods, bugzilla)
  const lists = onlyBugs ? [] : await showLists(loader, [`rounds=${ROUNDS}`], bugzilla)
  if (!onlyBugs) await showManyComponents()
  if (!onlyBugs) await showHooks(ROUNDS)
  showComparisons('ratios', [...requests, ...bugs, ...lists])
}

function showComparisons(name: string, comparisons: readonly Comparison[]) {
  const rows = rowsOf(comparisons)
  console.log(`\n${alignedTable(rows)}`)
  if (!process.argv.includes('write')) return
  const engine = comparisons.some((it) => it.engine === 'PostgreSQL') ? ' on PostgreSQL' : ''
  writePart(`${name}${engine}`, `${markdownTable(rows)}\n\n${originOf(process.argv.slice(2))}`)
}

/** What all calls have in common. */
async function showEveryRequest(): Promise<Comparison[]> {
  const folder = mkdtempSync(join(tmpdir(), 'lacewing-bench-'))
  let server = await startServer(folder)
  try {
    await makePeople(server, 300)
    // Each new account causes a mail. Wait for the deliveries, so that the next server starts without work.
    await allDelivered(folder)
    await server.stop()
    server = await startServer(folder)
    const done: Comparison[] = []
    for (const it of compared) done.push(await compare(server, it))
    await showMemory(server)
    await server.stop()
    server = await startServer(folder)
    console.log(`start on the existing database: ${server.startMilliseconds.toFixed(0)} ms (wanted: under 1000)`)
    return done
  } finally {
    await server.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

async function compare(
  server: Server,
  { name, path, headers, atLeast }: (typeof compared)[number],
): Promise<Comparison> {
  const ours: Target = { host: '127.0.0.1', port: server.port, path, headers }
  const peer = await startPeer(ours)
  const bare = { ...ours, port: peer.port }
  const effort = { connections: CONNECTIONS, milliseconds: ROUND_MILLISECONDS }
  const turns = [() => speedOf(loader, server, ours, effort), () => speedOf(loader, peer, bare, effort)]
  const [mine = [], theirs = []] = await inTurns(turns, ROUNDS)
  await peer.stop()
  return {
    call: name,
    engine: 'SQLite',
    bugs: 0,
    baseline: 'bare node:http',
    ours: mine,
    bare: theirs,
    wanted: atLeast,
  }
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
