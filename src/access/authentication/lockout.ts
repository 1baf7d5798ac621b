import type { Db } from '../../platform/database/db.ts'
import { statement } from '../../platform/database/statements/statement.ts'
import { requireNoTransaction } from '../../platform/database/transactions/transaction-watch.ts'
import { errors } from '../../platform/errors.ts'
import { secondsAgo, timeNow, toTime } from '../../platform/time/clock.ts'
import { queueAccountNotices } from '../account-notice.ts'

export const MOST_FAILURES = 5
export const WINDOW_SECONDS = 30 * 60

export interface LoginAttempt {
  loginKey: string
  address: string
}

const recent = statement<LoginAttempt & { since: string }>()((q, p) =>
  q
    .selectFrom('login_failures')
    .select('at')
    .where('login_key', '=', p.loginKey)
    .where('address', '=', p.address)
    .where('at', '>', p.since)
    .orderBy('at', 'desc')
    .limit(MOST_FAILURES),
)

/** The failures from this address that still count, the newest first; more than the last five are never needed. */
export function listRecentFailures(db: Db, attempt: LoginAttempt): Promise<{ at: string }[]> {
  return db.all(recent, { ...attempt, since: secondsAgo(WINDOW_SECONDS) })
}

/** Throws if too many logins to this account failed from this address, whether the account exists or not. */
export async function requireNotLockedOut(db: Db, attempt: LoginAttempt) {
  await requireFewFailures(db, attempt)
}

/** Returns the number of failures. */
async function requireFewFailures(db: Db, attempt: LoginAttempt): Promise<number> {
  const failures = await listRecentFailures(db, attempt)
  const fifthLast = failures[MOST_FAILURES - 1]
  if (fifthLast) throw lockedOutSince(fifthLast.at)
  return failures.length
}

/** `at` is the time of the oldest failure that counts. */
export function lockedOutSince(at: string) {
  return errors.locked_out({ until: toTime(Date.parse(at) + WINDOW_SECONDS * 1000) })
}

const insert = statement<LoginAttempt & { at: string }>()((q, p) =>
  q.insertInto('login_failures').values({ login_key: p.loginKey, address: p.address, at: p.at }),
)
const forgetOld = statement<{ before: string }>()((q, p) => q.deleteFrom('login_failures').where('at', '<', p.before))
const forgetAll = statement<LoginAttempt>()((q, p) =>
  q.deleteFrom('login_failures').where('login_key', '=', p.loginKey).where('address', '=', p.address),
)

/**
 * Counts the attempt as a failure before the password is checked, so that parallel attempts get no more guesses than
 * sequential ones. `forgetFailures` resets the count after a success. Returns whether a failure would lock the account.
 */
export function countAttempt(db: Db, attempt: LoginAttempt): Promise<boolean> {
  requireNoTransaction('An attempt was counted')
  return db.transaction(async (tx) => {
    const failures = await requireFewFailures(tx, attempt)
    await tx.all(forgetOld, { before: secondsAgo(WINDOW_SECONDS) })
    await insertFailure(tx, attempt)
    return failures + 1 === MOST_FAILURES
  }, 'login')
}

export async function insertFailure(tx: Db, attempt: LoginAttempt) {
  await tx.all(insert, { ...attempt, at: secondsAgo(0) })
}

const lockedAddresses = statement<{ loginKey: string; since: string }>()((q, p) =>
  q
    .selectFrom('login_failures')
    .select('address')
    .where('login_key', '=', p.loginKey)
    .where('at', '>', p.since)
    .groupBy('address')
    .having((row) => row(row.fn.countAll(), '>=', MOST_FAILURES)),
)

/**
 * To be called when the last permitted attempt has failed. If one account is attacked from many addresses, its owner is
 * notified once.
 */
export async function noteLockout(db: Db, { loginKey, address }: LoginAttempt) {
  await db.transaction(async (tx) => {
    const locked = await tx.all(lockedAddresses, { loginKey, since: secondsAgo(WINDOW_SECONDS) })
    if (locked.length !== 1 || locked[0]?.address !== address) return
    await queueAccountNotices(tx, { what: 'locked_out', loginKey, address, at: timeNow() })
  }, 'login')
}

export async function forgetFailures(db: Db, attempt: LoginAttempt) {
  await db.all(forgetAll, attempt)
}
