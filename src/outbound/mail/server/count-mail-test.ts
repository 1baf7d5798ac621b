import type { SignedIn } from '../../../access/caller.ts'
import { recordAudit } from '../../../changes/audit.ts'
import type { Db } from '../../../platform/database/db.ts'
import { statement } from '../../../platform/database/statements/statement.ts'
import { errors } from '../../../platform/errors.ts'
import { secondsAgo } from '../../../platform/time/clock.ts'

const SECONDS = 60
const MOST = 5
const TEST = 'test'

const testsSince = statement<{ since: string }>()((q, p) =>
  q
    .selectFrom('audit_log')
    .select((row) => row.fn.countAll<number>().as('count'))
    .where('class', '=', 'Mail')
    .where('at', '>=', p.since)
    .where('field', '=', TEST),
)

/**
 * Records a test in the audit log before it begins, and refuses it if there were too many in the last minute: whoever may choose the mail
 * server could otherwise find out quickly what answers inside of the network.
 */
export async function countMailTest(db: Db, admin: SignedIn, to: string) {
  await db.transaction(async (tx) => {
    const made = Number((await tx.first(testsSince, { since: secondsAgo(SECONDS) }))?.count ?? 0)
    if (made >= MOST) throw errors.too_many_requests({ seconds: SECONDS }).withHeader('Retry-After', String(SECONDS))
    await recordAudit(tx, { who: admin.id, class: 'Mail', objectId: 0 }, { [TEST]: { removed: '', added: to } })
  }, 'configuration')
}
