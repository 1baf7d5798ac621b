import type { SnapshotRow } from '../../platform/database/snapshot.ts'
import { quoted } from '../../platform/database/table-columns.ts'

/**
 * The table of events. Clients of the feed remember positions, so positions are kept. On SQLite the id of an event is
 * its position; on PostgreSQL the id is only an id, so the archive does not have it.
 */
export const EVENTS_TABLE = 'outbox'

export function selectOfEvents(engine: 'sqlite' | 'postgres', columns: readonly string[]) {
  const others = columns.filter((column) => column !== 'id' && column !== 'position').map(quoted)
  return `select ${POSITION[engine]} as position, ${others.join(', ')} from ${EVENTS_TABLE} order by 1`
}

const POSITION = {
  sqlite: 'id',
  // Committed events without a position get the next ones, in the order of their ids.
  postgres: `coalesce(position, (select coalesce(max(position), 0) from ${EVENTS_TABLE})
    + row_number() over (partition by position is null order by id))`,
}

/** The row as the engine stores it. */
export function storedEvent(engine: 'sqlite' | 'postgres', { position, ...others }: SnapshotRow): SnapshotRow {
  return { id: position ?? null, position: engine === 'sqlite' ? null : (position ?? null), ...others }
}
