import type { Db } from '../../src/platform/database/db.ts'
import type { World } from './world.ts'

const READS = ['all', 'first', 'query', 'querySlowly'] as const

/** How often the server asks the database while `work` goes on. */
export async function countQueries(world: World, work: () => Promise<unknown>): Promise<number> {
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
