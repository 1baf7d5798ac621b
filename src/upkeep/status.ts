import { statSync } from 'node:fs'
import type { Config } from '../platform/config/config.ts'
import { release } from '../platform/config/release.ts'
import { migrations } from '../platform/database/migrations/index.ts'
import { isPostgres } from '../platform/database/open-database.ts'
import { openSnapshot } from '../platform/database/open-snapshot.ts'
import { isServed } from '../platform/database/served.ts'
import { allRows, type Snapshot } from '../platform/database/snapshot.ts'
import { CATALOGUE } from '../platform/database/table-columns.ts'

export interface InstallationStatus {
  release: string
  engine: 'sqlite' | 'postgres'
  /** The schema of the database; 0 if it is empty. */
  schema: number
  newest_schema: number
  is_served: boolean
  database_bytes: number
  counts: Record<string, number>
  waiting_deliveries: number
  failed_deliveries: number
  /** Since when no mail can be sent; null if it can. */
  mail_outage: { since: string; last_at: string; error: string } | null
  newest_change: string | null
  last_backup: string | null
  unfinished_import: string | null
}

const COUNTED = ['users', 'products', 'bugs', 'comments', 'attachments'] as const

/** What an operator wants to know first. It only reads, also while the server runs. */
export async function readStatus(config: Config): Promise<InstallationStatus> {
  const snapshot = await openSnapshot(config.databaseUrl)
  try {
    const tables = await allRows(snapshot, CATALOGUE[snapshot.engine].columns)
    const isEmpty = !tables.some(({ table_name }) => table_name === 'schema_migrations')
    const one = async (select: string) => Object.values((await allRows(snapshot, select))[0] ?? {})[0] ?? null
    const count = async (from: string) => (isEmpty ? 0 : Number(await one(`select count(*) as n from ${from}`)))
    const counts: Record<string, number> = {}
    for (const table of COUNTED) counts[table] = await count(table)
    return {
      release,
      engine: snapshot.engine,
      schema: isEmpty ? 0 : Number(await one('select max(number) as n from schema_migrations')),
      newest_schema: migrations.length,
      is_served: await isServed(config.databaseUrl),
      database_bytes: await sizeOf(snapshot, config.databaseUrl),
      counts,
      waiting_deliveries: await count('jobs where died_at is null'),
      failed_deliveries: await count('jobs where died_at is not null'),
      mail_outage: tables.some(({ table_name }) => table_name === 'mail_outages') ? await mailOutage(snapshot) : null,
      newest_change: isEmpty ? null : textOrNull(await one('select max(changed_at) as at from bugs')),
      last_backup: tables.some(({ table_name }) => table_name === 'backups_seen')
        ? textOrNull(await one('select max(at) as at from backups_seen'))
        : null,
      unfinished_import: isEmpty
        ? null
        : textOrNull(await one('select min(begun_at) as at from imports where finished_at is null')),
    }
  } finally {
    await snapshot.close()
  }
}

async function mailOutage(snapshot: Snapshot): Promise<InstallationStatus['mail_outage']> {
  const [row] = await allRows(snapshot, 'select since, last_at, error from mail_outages')
  return row === undefined ? null : { since: String(row.since), last_at: String(row.last_at), error: String(row.error) }
}

async function sizeOf(snapshot: Snapshot, url: string): Promise<number> {
  if (!isPostgres(url))
    return [url, `${url}-wal`].reduce((sum, file) => sum + (statSync(file, { throwIfNoEntry: false })?.size ?? 0), 0)
  const [row] = await allRows(snapshot, 'select pg_database_size(current_database()) as size')
  return Number(row?.size)
}

function textOrNull(value: string | number | null) {
  return value === null ? null : String(value)
}
