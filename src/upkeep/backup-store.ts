import type { Db } from '../platform/database/db.ts'
import { statement } from '../platform/database/statements/statement.ts'
import { timeNow } from '../platform/time/clock.ts'

export interface SeenBackup {
  at: string
  /** Null if the program that made it did not say. */
  bytes: number | null
  /** What made it. */
  source: string
}

const MOST_KEPT = 100
const MOST_LISTED = 14

const insert = statement<SeenBackup>()((q, p) =>
  q.insertInto('backups_seen').values({ at: p.at, bytes: p.bytes, source: p.source }),
)
const forgetOldest = statement<object>()((q) =>
  q
    .deleteFrom('backups_seen')
    .where('id', '<=', (row) =>
      row.selectFrom('backups_seen as newer').select('newer.id').orderBy('newer.id', 'desc').limit(1).offset(MOST_KEPT),
    ),
)
const newest = statement<object>()((q) =>
  q.selectFrom('backups_seen').select(['at', 'bytes', 'source']).orderBy('id', 'desc').limit(MOST_LISTED),
)

/** Remembers that a backup was made, so that the state of the installation can show it and warn when none follows. */
export async function noteBackup(db: Db, source: string, bytes: number | null): Promise<SeenBackup> {
  const backup = { at: timeNow(), bytes, source }
  await db.transaction(async (tx) => {
    await tx.all(insert, backup)
    await tx.all(forgetOldest, {})
  })
  return backup
}

/** The newest first. */
export async function listBackups(db: Db): Promise<SeenBackup[]> {
  const rows = await db.all(newest, {})
  return rows.map(({ at, bytes, source }) => ({ at, source, bytes: bytes === null ? null : Number(bytes) }))
}
