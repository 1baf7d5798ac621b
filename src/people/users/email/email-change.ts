import { createHmac, timingSafeEqual } from 'node:crypto'
import { queueAccountNotices } from '../../../access/account-notice.ts'
import { readSecret } from '../../../access/installation-secrets.ts'
import type { Db } from '../../../platform/database/db.ts'
import { errors } from '../../../platform/errors.ts'
import { secondsAgo, timeNow } from '../../../platform/time/clock.ts'
import {
  closeEmailChanges,
  countEmailChanges,
  type EmailChange,
  findOpenEmailChange,
  insertEmailChange,
} from './email-change-store.ts'

const DAY_SECONDS = 86_400
export const CODE_DAYS = 3
/** Each request sends a mail to an address of the caller's choice. */
const MOST_PER_DAY = 5

/** To be called before anything of the account is saved: a refusal after that would take back what was counted, such as a nick. */
export async function requireRoomForEmailChange(tx: Db, userId: number) {
  if ((await countEmailChanges(tx, userId, secondsAgo(DAY_SECONDS))) >= MOST_PER_DAY)
    throw errors.email_changed_too_often({ most: MOST_PER_DAY })
}

/**
 * Sends a code to the requested address and a notice to the old one. Whether another account has the address shows only
 * when the code is used.
 */
export async function requestEmailChange(tx: Db, userId: number, login: string) {
  await closeEmailChanges(tx, userId)
  const at = timeNow()
  const changeId = await insertEmailChange(tx, { userId, login, at })
  const notice = { what: 'email_change_asked', userId, who: userId, changeId, login, at } as const
  await queueAccountNotices(tx, { ...notice, to: 'after' }, { ...notice, to: 'before' })
}

/** The address that the code was sent to. Throws 53 unless it is the code of the newest request. */
export async function requireConfirmedEmail(tx: Db, userId: number, code: string): Promise<string> {
  const change = await findOpenEmailChange(tx, userId, secondsAgo(CODE_DAYS * DAY_SECONDS))
  if (change === undefined || !isSame(code.trim(), await emailChangeCode(tx, change))) {
    throw errors.bad_value({
      name: 'email_code',
      value: '…',
      right: `it must be the code from the newest mail about this change, which is valid for ${CODE_DAYS} days`,
    })
  }
  return change.login
}

/** The code is computed whenever it is needed, so that no table or queue contains it. */
export async function emailChangeCode(db: Db, { id, user_id, login }: EmailChange): Promise<string> {
  const secret = await readSecret(db, 'email_change')
  return createHmac('sha256', secret).update(`${id} ${user_id} ${login}`).digest('hex').slice(0, CODE_LENGTH)
}

/** 128 bits. */
const CODE_LENGTH = 32

function isSame(code: string, right: string) {
  const [one, other] = [Buffer.from(code), Buffer.from(right)]
  return one.length === other.length && timingSafeEqual(one, other)
}
