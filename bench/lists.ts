import { tmpdir } from 'node:os'
import type { Bugzilla } from './bugzilla.ts'
import type { Target } from './load.ts'
import { keptPostgresOf } from './postgres-set.ts'
import { ADMIN, type Loader, type Server, startPeer, startServer } from './processes.ts'
import type { Comparison } from './ratios.ts'
import { reusableSet } from './search-set.ts'
import { wordNumber } from './texts.ts'
import { inTurns, speedOf } from './turns.ts'

const KEY = { 'X-TRACKER-API-KEY': ADMIN.LACEWING_ADMIN_API_KEY }
const CONNECTIONS = 4
const ROUND_MILLISECONDS = 1000
const FEW = 'include_fields=id,summary,status&limit=20'
const OF_PAGES = 'id,summary,status,priority,severity,component,assigned_to,last_change_time,is_open'

/** With what share of the rate of the bare server each is wanted. */
export const LISTS: readonly { name: string; path: string; atLeast: number }[] = [
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
export async function showLists(
  loader: Loader,
  args: readonly string[],
  bugzilla: Bugzilla | undefined,
): Promise<Comparison[]> {
  const size = Number(args.find((arg) => /^\d+$/.test(arg)) ?? 20_000)
  const rounds = Number(args.find((arg) => arg.startsWith('rounds='))?.slice(7) ?? 5)
  const only = args.find((arg) => arg.startsWith('only='))?.slice(5) ?? ''
  const folder = await reusableSet(tmpdir(), size)
  const postgres = args.includes('postgres') ? await keptPostgresOf(folder, 'reads') : undefined
  const done: Comparison[] = []
  try {
    const server = await startServer(folder, postgres === undefined ? {} : { LACEWING_DATABASE_URL: postgres.url })
    const engine = postgres === undefined ? 'SQLite' : 'PostgreSQL'
    try {
      for (const { name, path, atLeast } of LISTS.filter((list) => list.name.includes(only))) {
        console.log(`${name} among ${size} bugs`)
        const target: Target = { host: '127.0.0.1', port: server.port, path, headers: KEY, most: size }
        const speeds = await compare(loader, server, target, rounds)
        const known = bugzilla && { bugzilla: await bugzilla.rateOf(target) }
        done.push({ call: name, engine, bugs: size, baseline: 'bare node:http', ...speeds, wanted: atLeast, ...known })
      }
      return done
    } finally {
      await server.stop()
    }
  } finally {
    await postgres?.stop()
  }
}

async function compare(loader: Loader, server: Server, ours: Target, rounds: number) {
  const peer = await startPeer(ours, ours.path.replace('{id}', String(Math.floor((ours.most ?? 1) / 2))))
  const effort = { connections: CONNECTIONS, milliseconds: ROUND_MILLISECONDS }
  const bare = { ...ours, port: peer.port }
  const turns = [() => speedOf(loader, server, ours, effort), () => speedOf(loader, peer, bare, effort)]
  const [mine = [], theirs = []] = await inTurns(turns, rounds)
  await peer.stop()
  return { ours: mine, bare: theirs }
}
