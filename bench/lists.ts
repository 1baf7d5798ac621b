import { tmpdir } from 'node:os'
import { startPostgres } from '../test/support/postgres.ts'
import type { Target } from './load.ts'
import { ADVISED_SETTINGS, copyToPostgres } from './postgres-set.ts'
import { ADMIN, type Figures, type Loader, type Server, startPeer, startServer } from './processes.ts'
import { reusableSet } from './search-set.ts'
import { wordNumber } from './texts.ts'

const KEY = { 'X-TRACKER-API-KEY': ADMIN.LACEWING_ADMIN_API_KEY }
const CONNECTIONS = 4
const ROUND_MILLISECONDS = 1000
const FEW = 'include_fields=id,summary,status&limit=20'
const OF_PAGES = 'id,summary,status,priority,severity,component,assigned_to,last_change_time,is_open'

/** With what share of the rate of the bare server each is wanted. */
const LISTS: readonly { name: string; path: string; atLeast: number }[] = [
  { name: 'one bug', path: '/rest/bug/{id}', atLeast: 0.7 },
  { name: 'newest of a product', path: `/rest/bug?product=Product%203&${FEW}&order=bug_id%20DESC`, atLeast: 0.4 },
  {
    name: 'open ones of a component',
    path: `/rest/bug?product=Product%203&component=Component%202&bug_status=__open__&${FEW}`,
    atLeast: 0.4,
  },
  {
    name: 'the fifty of the pages',
    path: `/rest/bug?product=Product%203&bug_status=__open__&order=changeddate%20DESC&limit=50&include_fields=${OF_PAGES}`,
    atLeast: 0.4,
  },
  { name: 'part of a summary', path: `/rest/bug?summary=error&${FEW}&order=bug_id%20DESC`, atLeast: 0.3 },
  { name: 'a word of quicksearch', path: `/rest/bug?quicksearch=${wordNumber(1000)}&${FEW}`, atLeast: 0.3 },
]

/**
 * `npm run bench -- lists`: lists of bugs beside a bare server that returns the same bytes, in turns. Arguments: the number of bugs,
 * `postgres` for the other engine, `only=` a part of the name of a list, `rounds=`.
 */
export async function showLists(loader: Loader, args: readonly string[]) {
  const size = Number(args.find((arg) => /^\d+$/.test(arg)) ?? 20_000)
  const rounds = Number(args.find((arg) => arg.startsWith('rounds='))?.slice(7) ?? 5)
  const only = args.find((arg) => arg.startsWith('only='))?.slice(5) ?? ''
  const folder = await reusableSet(tmpdir(), size)
  const postgres = args.includes('postgres') ? await startPostgres(tmpdir(), { settings: ADVISED_SETTINGS }) : undefined
  try {
    const url = postgres && (await copyToPostgres(folder, postgres.url, `bench${size}`))
    const server = await startServer(folder, url === undefined ? {} : { LACEWING_DATABASE_URL: url })
    const titles = ['ours/s', 'bare/s', 'ratio', 'lowest', 'highest', 'wanted', 'p50 ms', 'p99 ms']
    console.log(`among ${size} bugs`.padEnd(30) + titles.map((title) => title.padStart(10)).join(''))
    try {
      for (const list of LISTS.filter(({ name }) => name.includes(only)))
        await compare(loader, server, list, size, rounds)
    } finally {
      await server.stop()
    }
  } finally {
    await postgres?.stop()
  }
}

async function compare(
  loader: Loader,
  { port }: Server,
  { name, path, atLeast }: (typeof LISTS)[number],
  size: number,
  rounds: number,
) {
  const ours: Target = { host: '127.0.0.1', port, path, headers: KEY, most: size }
  const peer = await startPeer(ours, path.replace('{id}', String(Math.floor(size / 2))))
  const effort = { connections: CONNECTIONS, milliseconds: ROUND_MILLISECONDS }
  const bare = { ...ours, port: peer.port }
  for (const target of [ours, bare]) await loader.load(target, effort)
  const pairs: { ours: Figures; bare: Figures; ratio: number }[] = []
  for (let round = 0; round < rounds; round++) {
    const pair = { ours: await loader.load(ours, effort), bare: await loader.load(bare, effort) }
    pairs.push({ ...pair, ratio: rateOf(pair.ours) / rateOf(pair.bare) })
  }
  await peer.stop()
  pairs.sort((one, other) => one.ratio - other.ratio)
  const middle = pairs[Math.floor(pairs.length / 2)] as (typeof pairs)[number]
  const figures = [
    ...[rateOf(middle.ours).toFixed(0), rateOf(middle.bare).toFixed(0)],
    ...[middle.ratio, pairs[0]?.ratio ?? 0, pairs.at(-1)?.ratio ?? 0, atLeast].map((ratio) => ratio.toFixed(2)),
    ...[middle.ours.p50.toFixed(2), middle.ours.p99.toFixed(2)],
  ]
  console.log(name.padEnd(30) + figures.map((figure) => figure.padStart(10)).join(''))
}

function rateOf({ requests, seconds }: Figures) {
  return requests / seconds
}
