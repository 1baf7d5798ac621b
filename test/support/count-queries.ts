import type { Db } from '../../src/platform/database/db.ts'
import type { World } from './world.ts'

const READS = ['all', 'first', 'query', 'querySlowly'] as const

/** How often the server asks the database for `work` when nothing else goes on: the least of several times. */
export async function countQueries(world: World, work: () => Promise<unknown>): Promise<number> {
  const counts = []
  for (let times = 0; times < 4; times++) counts.push(await countOnce(world, work))
  return Math.min(...counts)
}

async function countOnce(world: World, work: () => Promise<unknown>): Promise<number> {
  const db = world.db as Db & Record<string, unknown>
  let count = 0
  for (const read of READS) {
    const original = db[read] as (...given: unknown[]) => unknown
    db[read] = ((...given: unknown[]) => {
      count++
      return original.apply(db, given)
    }) as never
  }
  try {
    await work()
    return count
  } finally {
    for (const read of READS) delete (db as Partial<Db>)[read]
  }
}
