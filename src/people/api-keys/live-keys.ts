import { type RawBuilder, sql } from 'kysely'
import type { SqlValue } from '../../platform/database/statements/builder.ts'

/**
 * Whether a key still acts: it is not revoked, has not expired, and was not removed. The secret of a program expires every hour; its access goes
 * on until it can be renewed no more.
 */
export function isKeyAlive(keyId: RawBuilder<number>, now: SqlValue<string>): RawBuilder<boolean> {
  const end = sql`coalesce(live_keys.grant_ends_at, live_keys.expires_at)`
  return sql<boolean>`exists (select 1 from api_keys as live_keys where live_keys.id = ${keyId}
    and live_keys.revoked_at is null and (${end} is null or ${end} > ${now}))`
}
