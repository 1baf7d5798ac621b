import { fork } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Order } from './bare-writer.ts'
import { makeBugs } from './bug-set.ts'
import type { Target } from './load.ts'
import { allDelivered } from './people-set.ts'
import { ADMIN, type Loader, processorTimeOf, type Server, startPeer, startServer } from './processes.ts'

const CONNECTIONS = 16
const KEY = { 'X-TRACKER-API-KEY': ADMIN.LACEWING_ADMIN_API_KEY }

interface Call {
  name: string
  target: Pick<Target, 'path' | 'method' | 'body'>
  atLeast: number
  /** What the baseline writes instead. */
  writes?: Order['kind']
}

const CALLS: readonly Call[] = [
  { name: 'GET bug/(id)', target: { path: '/rest/bug/{id}' }, atLeast: 0.5 },
  { name: 'GET bug/(id)/comment', target: { path: '/rest/bug/{id}/comment' }, atLeast: 0.4 },
  { name: 'GET bug/(id)/history', target: { path: '/rest/bug/{id}/history' }, atLeast: 0.4 },
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
    atLeast: 0.5,
    writes: 'create',
  },
  {
    name: 'PUT bug/(id)',
    target: {
      path: '/rest/bug/{id}',
      method: 'PUT',
      body: JSON.stringify({ whiteboard: 'written by {n}', comment: { body: 'Said with {n}' } }),
    },
    atLeast: 0.5,
    writes: 'update',
  },
]

const MOST_GROWTH = 1.3

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
  methods: readonly string[] = [],
) {
  const places: Filled[] = []
  try {
    for (const size of sizes) places.push(await serverWith(size))
    const [small, large] = places as [Filled, Filled]
    console.log(
      `with ${sizes[1]} bugs`.padEnd(26) +
        ['ours/s', 'bare/s', 'ratio', 'wanted', 'our CPU µs', 'bare', 'ratio', `at ${sizes[0]}`, 'growth', 'wanted']
          .map((title) => title.padStart(11))
          .join(''),
    )
    const isWanted = ({ target: { method = 'GET' } }: Call) => methods.length === 0 || methods.includes(method)
    for (const call of CALLS.filter(isWanted)) await compare(loader, call, small, large, turns)
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

/** Responses per second, and microseconds of processor time per response. */
interface Speed {
  rate: number
  processor: number
}

async function compare(loader: Loader, call: Call, small: Filled, large: Filled, { rounds, milliseconds }: Turns) {
  const ours = (place: Filled) => () => speedOf(loader, place.server, targetOn(place, call), milliseconds)
  const bare =
    call.writes === undefined
      ? await bareReader(loader, call, large, milliseconds)
      : bareWriter(call.writes, large, milliseconds)
  const turns = [ours(large), bare.measure, ours(small)]
  const seen: Speed[][] = turns.map(() => [])
  // Waits for deliveries, so that those of one round do not slow down the next.
  const settled = () => call.writes && Promise.all([small, large].map(({ folder }) => allDelivered(folder)))
  for (const turn of turns) await turn()
  for (let round = 0; round < rounds; round++)
    for (const [place, turn] of turns.entries()) {
      await settled()
      seen[place]?.push(await turn())
    }
  await bare.stop()
  const [mine, theirs, before] = seen.map(medianOf) as [Speed, Speed, Speed]
  const figures = [
    ...[mine.rate.toFixed(0), theirs.rate.toFixed(0), (mine.rate / theirs.rate).toFixed(2), call.atLeast.toFixed(2)],
    ...[mine.processor.toFixed(0), theirs.processor.toFixed(0), (theirs.processor / mine.processor).toFixed(2)],
    ...[before.processor.toFixed(0), (mine.processor / before.processor).toFixed(2), MOST_GROWTH.toFixed(2)],
  ]
  console.log(call.name.padEnd(26) + figures.map((figure) => figure.padStart(11)).join(''))
}

function targetOn({ server, size }: Filled, { target }: Call): Target {
  return { host: '127.0.0.1', port: server.port, headers: KEY, most: size, ...target }
}

async function speedOf(loader: Loader, { pid }: Server, target: Target, milliseconds: number): Promise<Speed> {
  const before = processorTimeOf(pid)
  const { requests, seconds } = await loader.load(target, { connections: CONNECTIONS, milliseconds })
  return { rate: requests / seconds, processor: ((processorTimeOf(pid) - before) * 1e6) / requests }
}

interface Bare {
  measure(): Promise<Speed>
  stop(): Promise<void>
}

/** Returns the response of a bug of median length. */
async function bareReader(loader: Loader, call: Call, large: Filled, milliseconds: number): Promise<Bare> {
  const target = targetOn(large, call)
  const peer = await startPeer(target, await middlingPath(target, large.size))
  return { measure: () => speedOf(loader, peer, { ...target, port: peer.port }, milliseconds), stop: () => peer.stop() }
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
          resolve({ rate: requests / seconds, processor: (processorSeconds * 1e6) / requests })
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

function medianOf(speeds: Speed[]): Speed {
  const middle = (figures: number[]) => figures.sort((a, b) => a - b)[Math.floor(figures.length / 2)] ?? 0
  return { rate: middle(speeds.map(({ rate }) => rate)), processor: middle(speeds.map(({ processor }) => processor)) }
}
