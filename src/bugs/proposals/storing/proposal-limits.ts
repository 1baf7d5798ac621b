import { sql } from 'kysely'
import type { CallContext } from '../../../access/call.ts'
import { requireLogin } from '../../../access/caller.ts'
import { isKeyAlive } from '../../../people/api-keys/live-keys.ts'
import type { Db } from '../../../platform/database/db.ts'
import { statement } from '../../../platform/database/statements/statement.ts'
import { errors } from '../../../platform/errors.ts'
import { secondsAgo, timeNow } from '../../../platform/time/clock.ts'

type LimitContext = Pick<CallContext, 'caller' | 'settings'>

const HOUR_SECONDS = 3600

const openOfKey = statement<{ id: number; now: string }>()((q, p) =>
  q
    .selectFrom('proposals')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('key_id', '=', p.id)
    .where('state', '=', 'open')
    .where('expires_at', '>', p.now),
)
const openOfUser = statement<{ id: number; now: string }>()((q, p) =>
  q
    .selectFrom('proposals')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('user_id', '=', p.id)
    .where('state', '=', 'open')
    .where('expires_at', '>', p.now)
    .where(isKeyAlive(sql`proposals.key_id`, p.now)),
)
const newOfKey = statement<{ id: number; since: string }>()((q, p) =>
  q
    .selectFrom('proposals')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('key_id', '=', p.id)
    .where('at', '>', p.since),
)
const newOfUser = statement<{ id: number; since: string }>()((q, p) =>
  q
    .selectFrom('proposals')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('user_id', '=', p.id)
    .where('at', '>', p.since),
)

/** Refuses proposals that would be too many: open ones, or in an hour, of the key or of its account. */
export async function requireRoomForProposals(db: Db, { caller, settings }: LimitContext, added: number) {
  const user = requireLogin(caller).id
  const key = caller.keyId ?? 0
  const [now, since] = [timeNow(), secondsAgo(HOUR_SECONDS)]
  const open = [
    ['proposals_open_per_key', openOfKey, key],
    ['proposals_open_per_account', openOfUser, user],
  ] as const
  for (const [limit, statement, id] of open) {
    const most = settings[limit]
    if (most > 0 && Number((await db.first(statement, { id, now }))?.count ?? 0) + added > most)
      throw errors.too_many_proposals({ limit, most })
  }
  const hourly = [
    ['proposals_hourly_per_key', newOfKey, key],
    ['proposals_hourly_per_account', newOfUser, user],
  ] as const
  for (const [limit, statement, id] of hourly) {
    const most = settings[limit]
    if (most > 0 && Number((await db.first(statement, { id, since }))?.count ?? 0) + added > most)
      throw errors.proposals_too_fast({ limit, most })
  }
}
