import { sql } from 'kysely'
import type { LimitedDb } from '../platform/database/db.ts'

/** Counting stops here, so that the largest installation takes no longer than one of a million bugs. */
export const MOST_COUNTED = 1_000_000

/** Whole numbers that one statement returns. */
const COUNTED = [
  'database_bytes',
  'attachment_bytes',
  'bugs',
  'open_bugs',
  'filed',
  'filed_before',
  'users',
  'active_users',
] as const

export type InstallationState = Record<(typeof COUNTED)[number], number> & {
  engine: 'sqlite' | 'postgres'
  engine_version: string
}

const upTo = (rows: ReturnType<typeof sql>) =>
  sql<number>`(select count(*) from (select 1 as one from ${rows} limit ${sql.lit(MOST_COUNTED)}) as counted)`

/** Facts of the whole database. Users are active if they were seen since `month`; `filed` counts bugs since then, `filed_before` those of the month before. */
export async function readInstallationState(
  db: LimitedDb,
  month: string,
  monthBefore: string,
): Promise<InstallationState> {
  let engine: InstallationState['engine'] = 'sqlite'
  const [row] = await db.querySlowly((q, d) => {
    engine = d.engine
    const open = sql`bugs where status_id in (select id from field_values where is_open = 1)`
    const sizes = sql`select size from attachments limit ${sql.lit(MOST_COUNTED)}`
    return q.selectNoFrom([
      d.engineVersion().as('engine_version'),
      d.databaseBytes().as('database_bytes'),
      sql<number>`(select coalesce(sum(size), 0) from (${sizes}) as sized)`.as('attachment_bytes'),
      upTo(sql`bugs`).as('bugs'),
      upTo(open).as('open_bugs'),
      upTo(sql`bugs where created_at >= ${month}`).as('filed'),
      upTo(sql`bugs where created_at >= ${monthBefore} and created_at < ${month}`).as('filed_before'),
      upTo(sql`users`).as('users'),
      upTo(sql`users where last_seen_on >= ${month}`).as('active_users'),
    ])
  })
  if (row === undefined) throw new Error('A select without a table returns one row')
  const numbers = COUNTED.map((name) => [name, Number(row[name])] as const)
  return {
    ...(Object.fromEntries(numbers) as Record<(typeof COUNTED)[number], number>),
    engine,
    engine_version: row.engine_version,
  }
}
