import { sql } from 'kysely'
import { statement } from '../statements/statement.ts'

/** A position in the write-ahead log, as a number of bytes, and the timeline that it is on. */
export interface WalPosition {
  readonly at: number
  /** Eight hexadecimal digits. Each failover begins a new timeline, on which the same number means another position. */
  readonly timeline: string
}

/**
 * The position up to which everything is committed that a statement on the primary can see. A commit is visible when its record is
 * flushed; only with synchronous_commit=off before that.
 */
export const primaryPosition = statement<object>()((q) => ({
  compile: () =>
    sql<WalPosition>`select
      pg_wal_lsn_diff(
        case current_setting('synchronous_commit')
          when 'off' then pg_current_wal_insert_lsn() else pg_current_wal_flush_lsn() end,
        '0/0')::float8 as at,
      substr(pg_walfile_name(pg_current_wal_flush_lsn()), 1, 8) as timeline`.compile(q),
}))

/** What a standby says of itself. */
export interface StandbyState {
  readonly is_standby: boolean
  readonly at: number | null
  /** Of the primary that it follows; null if it follows none at the moment, or if this user may not know. */
  readonly timeline: string | null
  readonly is_receiving: boolean
}

export const STANDBY_STATE = `select pg_is_in_recovery() as is_standby,
  pg_wal_lsn_diff(pg_last_wal_replay_lsn(), '0/0')::float8 as at,
  (select upper(lpad(to_hex(received_tli), 8, '0')) from pg_stat_wal_receiver) as timeline,
  exists (select from pg_stat_wal_receiver) as is_receiving`

/** Why a standby cannot be used at all; undefined if it can be once it has caught up. */
export function reasonAgainst({ is_standby, timeline, is_receiving }: StandbyState): string | undefined {
  if (!is_standby) return 'it is not a standby'
  if (!is_receiving) return 'it follows no primary'
  if (timeline === null) return 'its user may not see what it follows: grant pg_read_all_stats to that user'
  return undefined
}

/** Whether a standby shows everything up to this position. */
export function hasReplayed({ at, timeline }: StandbyState, position: WalPosition): boolean {
  return timeline === position.timeline && at !== null && at >= position.at
}
