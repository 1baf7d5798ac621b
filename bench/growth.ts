import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Curve, growthPicture } from './growth-picture.ts'
import { LISTS } from './lists.ts'
import type { Target } from './load.ts'
import { CALLS } from './many-bugs.ts'
import { originOf, writePart } from './performance-page.ts'
import { type BenchPostgres, keptPostgresOf } from './postgres-set.ts'
import { ADMIN, type Loader, memoryOf, type Server, startServer } from './processes.ts'
import { alignedTable, type Engine, markdownTable } from './ratios.ts'
import { reusableSet } from './search-set.ts'
import { inTurns, median, speedOf } from './turns.ts'

const KEY = { 'X-TRACKER-API-KEY': ADMIN.LACEWING_ADMIN_API_KEY }
const EFFORT = { connections: 1, milliseconds: 500 }
const ROUNDS = 7

/** The first list is the read of one bug, which is among the calls. */
const MEASURED: readonly { name: string; target: Pick<Target, 'path' | 'method' | 'body'> }[] = [
  ...CALLS,
  ...LISTS.slice(1).map(({ name, path }) => ({ name, target: { path } })),
]

/**
 * `npm run bench -- growth 2000 20000 200000`: milliseconds until a response, one request at a time, on installations of these sizes,
 * which take turns. With `postgres` on that engine, with `write` into docs/performance.md and its picture.
 */
export async function showGrowth(loader: Loader, args: readonly string[]) {
  const given = args.filter((arg) => /^\d+$/.test(arg)).map(Number)
  const sizes = given.length > 0 ? given : [2000, 20_000, 200_000]
  const engine: Engine = args.includes('postgres') ? 'PostgreSQL' : 'SQLite'
  const places: Filled[] = []
  try {
    for (const size of sizes) places.push(await filled(size, engine))
    const curves: Curve[] = []
    for (const { name, target } of MEASURED) {
      console.log(name)
      const turns = places.map(({ server, size }) => {
        const whole = { host: '127.0.0.1', port: server.port, headers: KEY, most: size, ...target }
        return () => speedOf(loader, server, whole, EFFORT)
      })
      const rounds = await inTurns(turns, ROUNDS)
      curves.push({ name, milliseconds: rounds.map((speeds) => median(speeds.map(({ p50 }) => p50))) })
    }
    show(engine, sizes, curves, places, args.includes('write'))
  } finally {
    for (const { server, postgres, folder } of places) {
      await server.stop()
      await postgres?.stop()
      rmSync(folder, { recursive: true, force: true })
    }
  }
}

interface Filled {
  size: number
  folder: string
  server: Server
  postgres: BenchPostgres | undefined
}

/** A copy, because some of the calls write. */
async function filled(size: number, engine: Engine): Promise<Filled> {
  const made = await reusableSet(tmpdir(), size)
  const folder = mkdtempSync(join(tmpdir(), 'lacewing-bench-growth-'))
  const postgres = engine === 'PostgreSQL' ? await keptPostgresOf(made, 'writes') : undefined
  if (postgres === undefined) cpSync(made, folder, { recursive: true })
  const server = await startServer(folder, postgres === undefined ? {} : { LACEWING_DATABASE_URL: postgres.url })
  return { size, folder, server, postgres }
}

function show(
  engine: Engine,
  sizes: readonly number[],
  curves: readonly Curve[],
  places: readonly Filled[],
  isWritten: boolean,
) {
  const rows = [
    ['milliseconds', ...sizes.map((size) => `${size} bugs`), 'growth'],
    ...curves.map(({ name, milliseconds }) => [
      name,
      ...milliseconds.map((time) => time.toFixed(2)),
      ((milliseconds.at(-1) ?? 0) / (milliseconds[0] ?? 1)).toFixed(2),
    ]),
    ['memory of the process, in MB', ...places.map(({ server }) => memoryOf(server.pid).toFixed(0)), ''],
  ]
  console.log(`\n${alignedTable(rows)}`)
  if (!isWritten) return
  const picture = `growth-${engine.toLowerCase()}.svg`
  writeFileSync(fileURLToPath(new URL(`../docs/pictures/${picture}`, import.meta.url)), growthPicture(sizes, curves))
  writePart(
    `growth on ${engine}`,
    `![Milliseconds until a response by the number of bugs](pictures/${picture})\n\n${markdownTable(rows)}\n\n${originOf(process.argv.slice(2))}`,
  )
}
