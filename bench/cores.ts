import { readdirSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { LISTS } from './lists.ts'
import type { Target } from './load.ts'
import { originOf, writePart } from './performance-page.ts'
import { keptPostgresOf } from './postgres-set.ts'
import { ADMIN, type Loader, processorTimeOf, type Server, startServer } from './processes.ts'
import { alignedTable, type Engine, markdownTable } from './ratios.ts'
import { reusableSet } from './search-set.ts'
import { inTurns, medianSpeed, type Speed } from './turns.ts'

const KEY = { 'X-TRACKER-API-KEY': ADMIN.LACEWING_ADMIN_API_KEY }
const EFFORT = { connections: 16, milliseconds: 1000 }
const ROUNDS = 5
const COUNTS = [1, 2] as const
/** Processor time per request with two processes, relative to one. */
const MOST_DEARER = 1.15

/**
 * `npm run bench -- cores`: the same reads on one process and on two, in turns. The client needs a part of the same processors; the
 * column `without the client` is the rate that the processes would reach if they had all of them: 1 / processor time per
 * request, times the number of processes. With `postgres` on that engine.
 */
export async function showCores(loader: Loader, args: readonly string[]) {
  const size = Number(args.find((arg) => /^\d+$/.test(arg)) ?? 20_000)
  const folder = await reusableSet(tmpdir(), size)
  const postgres = args.includes('postgres') ? await keptPostgresOf(folder, 'reads') : undefined
  const engine: Engine = postgres === undefined ? 'SQLite' : 'PostgreSQL'
  try {
    const rows = [['processes', 'call', 'engine', 'answers/s', 'CPU µs', 'times one', 'wanted', 'without the client']]
    const speeds = new Map<number, Speed[][]>()
    // One after the other: only one server may use a SQLite file.
    for (const count of COUNTS) {
      const more = { LACEWING_PROCESSES: String(count), ...(postgres && { LACEWING_DATABASE_URL: postgres.url }) }
      const server = await startServer(folder, more)
      const turns = LISTS.map(
        ({ path }) =>
          () =>
            speedOfAll(loader, server, { path, size }),
      )
      speeds.set(count, await inTurns(turns, ROUNDS))
      await server.stop()
    }
    for (const [place, { name }] of LISTS.entries())
      for (const count of COUNTS) {
        const { rate, processor } = medianSpeed(speeds.get(count)?.[place] ?? [])
        const times = processor / medianSpeed(speeds.get(1)?.[place] ?? []).processor
        rows.push([
          ...[String(count), name, engine, rate.toFixed(0), processor.toFixed(0)],
          ...(count === 1 ? ['', ''] : [times.toFixed(2), MOST_DEARER.toFixed(2)]),
          ((count * 1e6) / processor).toFixed(0),
        ])
      }
    console.log(`\n${alignedTable(rows)}`)
    if (args.includes('write'))
      writePart(`processes on ${engine}`, `${markdownTable(rows)}\n\n${originOf(process.argv.slice(2))}`)
  } finally {
    await postgres?.stop()
  }
}

async function speedOfAll(loader: Loader, server: Server, { path, size }: { path: string; size: number }) {
  const target: Target = { host: '127.0.0.1', port: server.port, path, headers: KEY, most: size }
  const before = timeOfAll(server.pid)
  const { requests, seconds, p50, p99 } = await loader.load(target, EFFORT)
  return { rate: requests / seconds, processor: ((timeOfAll(server.pid) - before) * 1e6) / requests, p50, p99 }
}

/** Processor time of a process and of those that it started. */
function timeOfAll(pid: number): number {
  const children = readdirSync('/proc').filter((name) => /^\d+$/.test(name) && parentOf(name) === pid)
  return [pid, ...children.map(Number)].reduce((sum, one) => sum + processorTimeOf(one), 0)
}

function parentOf(pid: string): number | undefined {
  try {
    return Number(readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ')[1])
  } catch {
    // It has ended in the meantime.
    return undefined
  }
}
