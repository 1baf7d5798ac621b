import type { Db } from '../platform/database/db.ts'
import { addJobs } from '../platform/database/new-jobs.ts'

export const MAIL_QUEUE = 'mail'

/** Something that happened to an account, for a mail to one reader. What is in it is found out when it is sent. */
export type AccountNotice = { at: string } & (
  | { what: 'account_made'; userId: number; who: number }
  | { what: 'key_made'; userId: number; who: number; keyId: number }
  /** Two of them, to where mail went before and to where it goes now. */
  | { what: 'login_changed'; userId: number; who: number; before: string; after: string; to: 'before' | 'after' }
  /** The same two, before it is done: the code goes to the new address only. */
  | {
      what: 'email_change_asked'
      userId: number
      who: number
      changeId: number
      login: string
      at: string
      to: 'before' | 'after'
    }
  /** There may be no such account: that is found out later, so that nobody can tell it from how long an answer takes. */
  | { what: 'locked_out'; loginKey: string; address: string }
)

/** A job in the queue of mail. */
export interface NoticeJob {
  notice: AccountNotice
}

/** Leaves word for whoever is to be told of it, in the transaction that makes it happen. It is no event of a bug: no hook and no feed hears of it. */
export async function noteToPeople(tx: Db, ...notices: AccountNotice[]) {
  const jobs = notices.map((notice) => {
    const payload: NoticeJob = { notice }
    return { queue: MAIL_QUEUE, lane: laneOf(notice), payload }
  })
  await addJobs(tx, jobs)
}

/** Two addresses are two lanes: one that is refused must not keep the other from being told. */
function laneOf(notice: AccountNotice) {
  if (notice.what === 'locked_out') return `locked out ${notice.loginKey}`
  return `account ${notice.userId}${'to' in notice ? ` ${notice.to}` : ''}`
}
