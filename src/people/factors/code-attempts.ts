import { queueAccountNotices } from '../../access/account-notice.ts'
import { MOST_FAILURES, WINDOW_SECONDS } from '../../access/authentication/lockout.ts'
import type { Db } from '../../platform/database/db.ts'
import { statement } from '../../platform/database/statements/statement.ts'
import { errors } from '../../platform/errors.ts'
import { secondsAgo, timeNow, toTime } from '../../platform/time/clock.ts'

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
const recentOfNetwork = statement<{ key: string; address: string; since: string }>()((q, p) =>
  q
    .selectFrom('login_failures')
    .select('at')
    .where('login_key', '=', p.key)
    .where('address', '=', p.address)
    .where('at', '>', p.since)
    .orderBy('at', 'desc')
    .limit(MOST_FAILURES),
)
const insert = statement<{ key: string; address: string; at: string }>()((q, p) =>
  q.insertInto('login_failures').values({ login_key: p.key, address: p.address, at: p.at }),
)
const forget = statement<{ key: string; address: string }>()((q, p) =>
  q.deleteFrom('login_failures').where('login_key', '=', p.key).where('address', '=', p.address),
)

/**
 * Counts an attempt as a failure before the code is checked, so that parallel attempts get no more guesses. Throws if there were too many.
 * The owner is notified of the last one: the attempts are made with the right password.
 */
export async function countCodeAttempt(db: Db, { userId, network, isGuessable, isKnown = false }: CodeAttempt) {
  await db.transaction(async (tx) => {
    const of = { key: codeAttemptsKey(userId), since: secondsAgo(WINDOW_SECONDS) }
    const failures = await tx.all(recent, of)
    const own = await tx.all(recentOfNetwork, { ...of, address: network })
    if (own.length >= MOST_FAILURES) throw lockedOut(own.at(-1)?.at)
    if (isGuessable && !isKnown && failures.length >= MOST_FROM_ALL_NETWORKS) throw lockedOut(failures.at(-1)?.at)
    const at = timeNow()
    await tx.all(insert, { key: codeAttemptsKey(userId), address: network, at: secondsAgo(0) })
    const notice = { what: 'factor_changed', change: 'codes_wrong', userId, who: userId, name: network, at } as const
    if (own.length + 1 === MOST_FAILURES && failures.length < MOST_FAILURES) await queueAccountNotices(tx, notice)
  }, 'login')
}

export async function forgetCodeAttempts(db: Db, { userId, network }: CodeAttempt) {
  await db.all(forget, { key: codeAttemptsKey(userId), address: network })
}

function lockedOut(since: string | undefined) {
  return errors.locked_out({ until: toTime(Date.parse(since ?? timeNow()) + WINDOW_SECONDS * 1000) })
}

/** A login name does not begin with a space, so that failed logins are not counted as wrong codes. */
export function codeAttemptsKey(userId: number) {
  return ` code ${userId}`
}
