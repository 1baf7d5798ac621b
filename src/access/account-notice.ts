import type { Db } from '../platform/database/db.ts'
import { addJobs } from '../platform/database/new-jobs.ts'
import { digest } from '../platform/secrets/secrets.ts'

/** Mail about bugs. */
export const MAIL_QUEUE = 'mail'
/** What has many followers, before it becomes mail about bugs, and the followers who have not had theirs. By name before that queue: lanes are locked in this order. */
export const MANY_QUEUE = 'bulk mail'
export const PAGES_QUEUE = 'bulk recipients'
/** Mail about bugs that waits for the digest of its recipient. */
export const DIGEST_QUEUE = 'mail digest'
/** Mail about accounts, in a queue of its own because users wait for it: bug mail does not delay it. */
export const ACCOUNT_MAIL_QUEUE = 'account mail'

/**
 * Something that happened to an account, to be mailed to one user. The content is read from the database when the mail
 * is sent.
 */
export type AccountNotice = {
  at: string
} /** `linkId` is that of the link to choose a password; null if the account has one. Older jobs have none. */ & (
  | { what: 'account_made'; userId: number; who: number; linkId?: number | null }
  | { what: 'password_changed'; userId: number; who: number; isRemoved: boolean }
  /** Whether there is an account is checked when the mail is sent, so that the response time does not reveal it. */
  | { what: 'link_asked'; linkId: number; login: string }
  | { what: 'key_made'; userId: number; who: number; keyId: number }
  /** A key got another scope or a later end. */
  | { what: 'key_widened'; userId: number; who: number; keyId: number; keyInUse: number | null }
  /** A webhook was created, or sends to another address now. */
  | { what: 'webhook_made'; userId: number; who: number; webhookId: number }
  /** The secret mail address was made, or returned to an API key for the first time. */
  | { what: 'mail_address_made'; userId: number; who: number; keyId: number | null }
  /** `name` is that of the factor, the number of recovery codes left, or the network that sent wrong codes. */
  | { what: 'factor_changed'; userId: number; who: number; change: FactorChange; name: string }
  /** Votes of the user were cut, because their bugs were moved or their product allows fewer. */
  | { what: 'votes_cut'; userId: number; who: number; cuts: VoteCut[] }
  /** Two notices: one to the old address and one to the new address. */
  | { what: 'login_changed'; userId: number; who: number; before: string; after: string; to: 'before' | 'after' }
  /** The same two notices, sent before the change takes effect. Only the notice to the new address has the code. */
  | {
      what: 'email_change_asked'
      userId: number
      who: number
      changeId: number
      login: string
      at: string
      to: 'before' | 'after'
    }
  /** The account may not exist. That is checked when the mail is sent, so that the response time does not reveal it. */
  | { what: 'locked_out'; loginKey: string; address: string }
)

/** How many votes a bug had from a user, how many are left, and why: the bug was moved, or a limit of its product was lowered. */
export interface VoteCut {
  bugId: number
  before: number
  after: number
  reason: 'moved' | 'per_bug' | 'per_user'
}

export type FactorChange =
  | 'totp_added'
  | 'passkey_added'
  | 'passkey_copied'
  | 'removed'
  | 'codes_made'
  | 'code_used'
  | 'codes_wrong'
  | 'provider_linked'
  | 'provider_unlinked'

/** A job in the queue of account mail. Older releases put it into the queue of bug mail, where it is still delivered. */
export interface NoticeJob {
  notice: AccountNotice
}

/**
 * Queues notices in the transaction of the change. They are not events of a bug, so webhooks and the feed do not get
 * them.
 */
export async function queueAccountNotices(tx: Db, ...notices: AccountNotice[]) {
  const jobs = notices.map((notice) => {
    const payload: NoticeJob = { notice }
    return { queue: ACCOUNT_MAIL_QUEUE, lane: laneOfNotice(notice), payload }
  })
  await addJobs(tx, jobs)
}

/** Each address has a lane of its own, so that a failing address does not hold up the other one. */
function laneOfNotice(notice: AccountNotice) {
  if (notice.what === 'link_asked') return `link ${notice.linkId}`
  if (notice.what === 'locked_out') return `locked out ${digest(notice.loginKey)}`
  return `account ${notice.userId}${'to' in notice ? ` ${notice.to}` : ''}`
}
