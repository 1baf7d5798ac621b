import { fork } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Order } from './bare-writer.ts'
import { makeBugs } from './bug-set.ts'
import type { Bugzilla } from './bugzilla.ts'
import type { Effort, Target } from './load.ts'
import { allDelivered } from './people-set.ts'
import { ADMIN, type Loader, type Server, startPeer, startServer } from './processes.ts'
import type { Comparison } from './ratios.ts'
import { inTurns, speedOf, type Turn } from './turns.ts'

const CONNECTIONS = 16
const KEY = { 'X-TRACKER-API-KEY': ADMIN.LACEWING_ADMIN_API_KEY }

interface Call {
  name: string
  target: Pick<Target, 'path' | 'method' | 'body'>
  atLeast: number
  /** What the baseline writes instead. */
  writes?: Order['kind']
}

export const CALLS: readonly Call[] = [
  { name: 'GET bug/(id)', target: { path: '/rest/bug/{id}' }, atLeast: 0.7 },
  { name: 'GET bug/(id)/comment', target: { path: '/rest/bug/{id}/comment' }, atLeast: 0.6 },
  { name: 'GET bug/(id)/history', target: { path: '/rest/bug/{id}/history' }, atLeast: 0.6 },
  { name: 'GET bug/(id)/attachment', target: { path: '/rest/bug/{id}/attachment?exclude_fields=data' }, atLeast: 0.4 },
  {
    name: 'POST bug',
    target: {
      path: '/rest/bug',
      method: 'POST',
      body: JSON.stringify({
        product: 'Product 1',
        component: 'Component 1',
        summary: 'Bug number {n}',
        description: 'Described in a sentence that has number {n}',
      }),
    },
    atLeast: 0.8,
    writes: 'create',
  },
  {
    name: 'PUT bug/(id)',
    target: {
      path: '/rest/bug/{id}',
      method: 'PUT',
      body: JSON.stringify({ whiteboard: 'written by {n}', comment: { body: 'Said with {n}' } }),
    },
    atLeast: 0.8,
    writes: 'update',
  },
]

/** The number and length of the rounds. */
export interface Turns {
  rounds: number
  milliseconds: number
}

/**
 * The calls about bugs on a small and on a large installation, and the baseline. All of them take turns. Without
 * `methods`, all calls.
 */
export async function showManyBugs(
  loader: Loader,
  sizes: readonly [small: number, large: number],
  turns: Turns,
  methods: readonly string[],
  bugzilla: Bugzilla | undefined,
): Promise<Comparison[]> {
  const places: Filled[] = []
  const done: Comparison[] = []
  try {
    for (const size of sizes) places.push(await serverWith(size))
    const [small, large] = places as [Filled, Filled]
    const isWanted = ({ target: { method = 'GET' } }: Call) => methods.length === 0 || methods.includes(method)
    for (const call of CALLS.filter(isWanted)) {
      console.log(`${call.name} with ${sizes[1]} bugs`)
      const compared = await compare(loader, call, small, large, turns)
      const isRead = call.writes === undefined
      done.push(isRead && bugzilla ? { ...compared, bugzilla: await bugzilla.rateOf(targetOn(large, call)) } : compared)
    }
    return done
  } finally {
    for (const { server, folder } of places) {
      await server.stop()
      rmSync(folder, { recursive: true, force: true })
    }
  }
}

interface Filled {
  size: number
  folder: string
  server: Server
}

async function serverWith(size: number): Promise<Filled> {
  const folder = mkdtempSync(join(tmpdir(), 'lacewing-bench-'))
  await makeBugs(folder, size)
  return { size, folder, server: await startServer(folder) }
}

async function compare(
  loader: Loader,
  call: Call,
  small: Filled,
  large: Filled,
  { rounds, milliseconds }: Turns,
): Promise<Comparison> {
  const effort = { connections: CONNECTIONS, milliseconds }
  const ours = (place: Filled) => () => speedOf(loader, place.server, targetOn(place, call), effort)
  const bare =
    call.writes === undefined
      ? await bareReader(loader, call, large, effort)
      : bareWriter(call.writes, large, milliseconds)
  // Waits for deliveries, so that those of one round do not slow down the next.
  const settled = () => call.writes && Promise.all([small, large].map(({ folder }) => allDelivered(folder)))
  const [mine = [], theirs = [], before = []] = await inTurns([ours(large), bare.measure, ours(small)], rounds, settled)
  await bare.stop()
  return {
    call: call.name,
    engine: 'SQLite',
    bugs: large.size,
    baseline: call.writes === undefined ? 'bare node:http' : 'bare statements',
    ours: mine,
    bare: theirs,
    wanted: call.atLeast,
    fewer: { bugs: small.size, ours: before },
  }
}

function targetOn({ server, size }: Filled, { target }: Call): Target {
  return { host: '127.0.0.1', port: server.port, headers: KEY, most: size, ...target }
}

interface Bare {
  measure: Turn
  stop(): Promise<void>
}

/** Returns the response of a bug of median length. */
async function bareReader(loader: Loader, call: Call, large: Filled, effort: Effort): Promise<Bare> {
  const target = targetOn(large, call)
  const peer = await startPeer(target, await middlingPath(target, large.size))
  return { measure: () => speedOf(loader, peer, { ...target, port: peer.port }, effort), stop: () => peer.stop() }
}

async function middlingPath({ port, path }: Target, size: number): Promise<string> {
  const paths = Array.from({ length: 25 }, (_, place) =>
    path.replace('{id}', String(1 + Math.floor((place * size) / 25))),
  )
  const lengths = await Promise.all(
    paths.map(async (path) => {
      const response = await fetch(`http://127.0.0.1:${port}${path}`, {
        headers: { Accept: 'application/json', ...KEY },
      })
      return { path, length: (await response.arrayBuffer()).byteLength }
    }),
  )
  return lengths.sort((a, b) => a.length - b.length)[Math.floor(lengths.length / 2)]?.path ?? path
}

function bareWriter(kind: Order['kind'], { folder, size }: Filled, milliseconds: number): Bare {
  const child = fork(fileURLToPath(new URL('./bare-writer.ts', import.meta.url)), {
    execArgv: ['--disable-warning=ExperimentalWarning'],
  })
  const order: Order = { file: join(folder, 'lacewing.db'), kind, most: size, milliseconds }
  return {
    measure: () =>
      new Promise((resolve) => {
        child.once('message', (reply) => {
          const { requests, seconds, processorSeconds } = reply as WriterFigures
          const processor = (processorSeconds * 1e6) / requests
          resolve({ rate: requests / seconds, processor, p50: 0, p99: 0 })
        })
        child.send(order)
      }),
    stop: async () => void child.kill(),
  }
}

interface WriterFigures {
  requests: number
  seconds: number
  processorSeconds: number
}
