import { sql } from 'kysely'
import type { LimitedDb } from '../platform/database/db.ts'

/** Counting stops here, so that the largest installation takes no longer than one of a million bugs. */
export const MOST_COUNTED = 1_000_000

export interface InstallationState {
  engine: 'sqlite' | 'postgres'
  engine_version: string
  database_bytes: number
  bugs: number
  open_bugs: number
  users: number
  active_users: number
}

const upTo = (rows: ReturnType<typeof sql>) =>
  sql<number>`(select count(*) from (select 1 as one from ${rows} limit ${sql.lit(MOST_COUNTED)}) as counted)`

/** Facts of the whole database. Users are active if they were seen on this day or later. */
export async function readInstallationState(db: LimitedDb, activeSince: string): Promise<InstallationState> {
  let engine: InstallationState['engine'] = 'sqlite'
  const [row] = await db.querySlowly((q, d) => {
    engine = d.engine
    const open = sql`bugs where status_id in (select id from field_values where is_open = 1)`
    return q.selectNoFrom([
      d.engineVersion().as('engine_version'),
      d.databaseBytes().as('database_bytes'),
      upTo(sql`bugs`).as('bugs'),
      upTo(open).as('open_bugs'),
      upTo(sql`users`).as('users'),
      upTo(sql`users where last_seen_on >= ${activeSince}`).as('active_users'),
    ])
  })
  if (row === undefined) throw new Error('A select without a table returns one row')
  const { engine_version, ...numbers } = row
  const [database_bytes, bugs, open_bugs, users, active_users] = [
    ...[numbers.database_bytes, numbers.bugs, numbers.open_bugs, numbers.users, numbers.active_users].map(Number),
  ] as [number, number, number, number, number]
  return { engine, engine_version, database_bytes, bugs, open_bugs, users, active_users }
}
