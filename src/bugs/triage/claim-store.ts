import type { BugTransaction, Db } from '../../platform/database/db.ts'
import { statement } from '../../platform/database/statements/statement.ts'

const claim = statement<{ queue: number; bug: number; user: number; now: string; expires: string }>()((q, p) =>
  q
    .insertInto('triage_claims')
    .values({ queue_id: p.queue, bug_id: p.bug, user_id: p.user, expires_at: p.expires })
    .onConflict((conflict) =>
      conflict
        .columns(['queue_id', 'bug_id'])
        .doUpdateSet({ user_id: p.user, expires_at: p.expires })
        .where((it) => it.or([it('triage_claims.user_id', '=', p.user), it('triage_claims.expires_at', '<=', p.now)])),
    ),
)
const leaveOthers = statement<{ queue: number; bug: number; user: number; now: string }>()((q, p) =>
  q
    .deleteFrom('triage_claims')
    .where('queue_id', '=', p.queue)
    .where((it) =>
      it.or([it.and([it('user_id', '=', p.user), it('bug_id', '<>', p.bug)]), it('expires_at', '<=', p.now)]),
    ),
)
const claims = statement<{ queue: number; now: string }>()((q, p) =>
  q
    .selectFrom('triage_claims')
    .innerJoin('users', 'users.id', 'triage_claims.user_id')
    .select([
      'triage_claims.bug_id',
      'triage_claims.user_id',
      'triage_claims.expires_at',
      'users.login',
      'users.real_name',
    ])
    .where('queue_id', '=', p.queue)
    .where('expires_at', '>', p.now),
)

export interface Claim {
  bug_id: number
  user_id: number
  expires_at: string
  login: string
  real_name: string
}

/** Claims the bug unless another user has it open. A user has one claim in a queue. Call it while the queue is locked. */
export async function saveClaim(
  tx: BugTransaction,
  it: { queue: number; bug: number; user: number; now: string; expires: string },
) {
  await tx.all(leaveOthers, it)
  await tx.all(claim, it)
}

export function listClaims(db: Db, queue: number, now: string): Promise<Claim[]> {
  return db.all(claims, { queue, now })
}

const dropClaim = statement<{ queue: number; bug: number; user: number }>()((q, p) =>
  q
    .deleteFrom('triage_claims')
    .where('queue_id', '=', p.queue)
    .where('bug_id', '=', p.bug)
    .where('user_id', '=', p.user),
)

export async function endClaim(tx: BugTransaction, queue: number, bug: number, user: number) {
  await tx.all(dropClaim, { queue, bug, user })
}
