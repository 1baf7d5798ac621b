import { queueAccountNotices } from '../../access/account-notice.ts'
import {
  forgetFailures,
  insertFailure,
  listRecentFailures,
  lockedOutSince,
  MOST_FAILURES,
  WINDOW_SECONDS,
} from '../../access/authentication/lockout.ts'
import type { Db } from '../../platform/database/db.ts'
import { statement } from '../../platform/database/statements/statement.ts'
import { requireNoTransaction } from '../../platform/database/transactions/transaction-watch.ts'
import { secondsAgo, timeNow } from '../../platform/time/clock.ts'

/** A code has six digits, so that attempts from many networks are limited too. Recovery codes and known browsers still work then. */
const MOST_FROM_ALL_NETWORKS = 20

export interface CodeAttempt {
  userId: number
  network: string
  /** Six digits can be guessed, recovery codes cannot. */
  isGuessable: boolean
  /** It comes from a browser or a session in which the user has logged in before; `network` stands for it. */
  isKnown?: boolean
}

const recent = statement<{ key: string; since: string }>()((q, p) =>
  q
    .selectFrom('login_failures')
    .select('at')
    .where('login_key', '=', p.key)
    .where('at', '>', p.since)
    .orderBy('at', 'desc')
    .limit(MOST_FROM_ALL_NETWORKS),
)

/**
 * Counts an attempt as a failure before the code is checked, so that parallel attempts get no more guesses. Throws if there were too many.
 * The owner is notified of the last one: the attempts are made with the right password.
 */
export async function countCodeAttempt(db: Db, { userId, network, isGuessable, isKnown = false }: CodeAttempt) {
  requireNoTransaction('An attempt was counted')
  await db.transaction(async (tx) => {
    const attempt = { loginKey: codeAttemptsKey(userId), address: network }
    const failures = await tx.all(recent, { key: attempt.loginKey, since: secondsAgo(WINDOW_SECONDS) })
    const own = await listRecentFailures(tx, attempt)
    const oldest =
      own[MOST_FAILURES - 1] ?? (isGuessable && !isKnown ? failures[MOST_FROM_ALL_NETWORKS - 1] : undefined)
    if (oldest) throw lockedOutSince(oldest.at)
    await insertFailure(tx, attempt)
    const at = timeNow()
    const notice = { what: 'factor_changed', change: 'codes_wrong', userId, who: userId, name: network, at } as const
    if (own.length + 1 === MOST_FAILURES && failures.length < MOST_FAILURES) await queueAccountNotices(tx, notice)
  }, 'login')
}

export async function forgetCodeAttempts(db: Db, { userId, network }: CodeAttempt) {
  await forgetFailures(db, { loginKey: codeAttemptsKey(userId), address: network })
}

/** A login name does not begin with a space, so that failed logins are not counted as wrong codes. */
export function codeAttemptsKey(userId: number) {
  return ` code ${userId}`
}
