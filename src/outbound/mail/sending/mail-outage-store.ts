import type { Db } from '../../../platform/database/db.ts'
import { statement } from '../../../platform/database/statements/statement.ts'
import { timeNow } from '../../../platform/time/clock.ts'
import { storableReason } from '../../jobs/storable-reason.ts'

export interface MailOutage {
  readonly since: string
  readonly last_at: string
  readonly error: string
}

const current = statement<object>()((q) => q.selectFrom('mail_outages').select(['since', 'last_at', 'error']))

/** Since when no mail can be sent; undefined if it can. */
export async function findMailOutage(db: Db): Promise<MailOutage | undefined> {
  return db.firstCached(current, '', {})
}

const begin = statement<{ at: string; error: string }>()((q, p) =>
  q
    .insertInto('mail_outages')
    .values({ id: 1, since: p.at, last_at: p.at, error: p.error })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .returning('since'),
)
const goOn = statement<{ at: string; error: string }>()((q, p) =>
  q.updateTable('mail_outages').set({ last_at: p.at, error: p.error }),
)

/** Returns whether the outage begins now: of many failures at once, on any server, one begins it. */
export async function noteMailFailure(db: Db, error: string): Promise<boolean> {
  const failure = { at: timeNow(), error: storableReason(error) }
  if ((await db.first(begin, failure)) !== undefined) return true
  await db.all(goOn, failure)
  return false
}

const end = statement<object>()((q) => q.deleteFrom('mail_outages').returning('since'))

/** Returns when the outage began that this ends; undefined if there was none, or another server has ended it. */
export async function endMailOutage(tx: Db): Promise<string | undefined> {
  return (await tx.first(end, {}))?.since
}
