import type { Db } from '../platform/database/db.ts'
import { statement } from '../platform/database/statements/statement.ts'
import { errors } from '../platform/errors.ts'
import { secondsAgo } from '../platform/time/clock.ts'
import { type AuditedClass, recordAudit } from './audit.ts'

const SECONDS = 60
const MOST = 5
const TEST = 'test'

const testsSince = statement<{ class: string; since: string }>()((q, p) =>
  q
    .selectFrom('audit_log')
    .select((row) => row.fn.countAll<number>().as('count'))
    .where('class', '=', p.class)
    .where('at', '>=', p.since)
    .where('field', '=', TEST),
)

/**
 * Records a test of another server in the audit log before it begins, and refuses it if there were too many in the last minute: an
 * administrator, who chooses the server, could otherwise find out quickly what answers inside of the network.
 */
export async function countTest(db: Db, who: number, tested: { class: AuditedClass; what: string }) {
  await db.transaction(async (tx) => {
    const since = secondsAgo(SECONDS)
    const made = Number((await tx.first(testsSince, { class: tested.class, since }))?.count ?? 0)
    if (made >= MOST) throw errors.too_many_requests({ seconds: SECONDS }).withHeader('Retry-After', String(SECONDS))
    const audited = { who, class: tested.class, objectId: 0 }
    await recordAudit(tx, audited, { [TEST]: { removed: '', added: tested.what } })
  }, 'configuration')
}
