import type { Db } from '../../platform/database/db.ts'
import { statement } from '../../platform/database/statements/statement.ts'
import { digest, randomWord } from '../../platform/secrets/secrets.ts'
import { fold } from '../../platform/text/fold.ts'
import { secondsAgo, timeNow, toTime } from '../../platform/time/clock.ts'
import { mailboxKey } from './mailbox.ts'

/** What a link in a mail is for: to create an account, to choose its first password, or to set a new one. */
export type AccountLinkKind = 'join' | 'invite' | 'password'

export interface AccountLink {
  id: number
  kind: AccountLinkKind
  login: string
  user_id: number | null
  expires_at: string
}

interface NewLink {
  kind: AccountLinkKind
  login: string
  /** The network that asked for it; empty for an administrator. */
  network: string
  userId: number | null
  hours: number
}

const insert = statement<NewLink & { recipient: string; at: string; expiresAt: string }>()((q, p) =>
  q
    .insertInto('account_links')
    .values({
      kind: p.kind,
      login: p.login,
      recipient_key: p.recipient,
      network: p.network,
      user_id: p.userId,
      asked_at: p.at,
      expires_at: p.expiresAt,
    })
    .returning('id'),
)
const forgetOld = statement<{ now: string; before: string }>()((q, p) =>
  q.deleteFrom('account_links').where('expires_at', '<', p.now).where('asked_at', '<', p.before),
)

const DAY_SECONDS = 86_400

/** Saves a link without its token, which is made when the mail is written. Also deletes links that are over. */
export async function insertAccountLink(tx: Db, link: NewLink): Promise<number> {
  await tx.all(forgetOld, { now: timeNow(), before: secondsAgo(DAY_SECONDS) })
  const expiresAt = toTime(Date.now() + link.hours * 3_600_000)
  const row = await tx.first(insert, {
    ...link,
    recipient: recipientKey(link.kind, link.login),
    at: timeNow(),
    expiresAt,
  })
  return row?.id as number
}

const byRecipient = statement<{ kind: AccountLinkKind; recipient: string; since: string }>()((q, p) =>
  q
    .selectFrom('account_links')
    .select((row) => row.fn.countAll<number>().as('count'))
    .where('recipient_key', '=', p.recipient)
    .where('kind', '=', p.kind)
    .where('asked_at', '>', p.since),
)
const byNetwork = statement<{ network: string; since: string }>()((q, p) =>
  q
    .selectFrom('account_links')
    .select((row) => row.fn.countAll<number>().as('count'))
    .where('network', '=', p.network)
    .where('asked_at', '>', p.since),
)

/** How many such links were requested in the last day for the recipient, and how many of all kinds from the network. */
export async function countLinksOfLastDay(tx: Db, kind: AccountLinkKind, login: string, network: string) {
  const since = secondsAgo(DAY_SECONDS)
  const ofRecipient = await tx.first(byRecipient, { kind, recipient: recipientKey(kind, login), since })
  const ofNetwork = await tx.first(byNetwork, { network, since })
  return { ofRecipient: Number(ofRecipient?.count ?? 0), ofNetwork: Number(ofNetwork?.count ?? 0) }
}

/**
 * Users who join are counted by their mailbox. An account is counted by its login only: otherwise requests for other spellings, which are no
 * accounts and get no mail, would keep its owner from getting a link.
 */
function recipientKey(kind: AccountLinkKind, login: string) {
  return kind === 'join' ? mailboxKey(login) : fold(login.trim())
}

const COLUMNS = ['id', 'kind', 'login', 'user_id', 'expires_at'] as const

const openById = statement<{ id: number; now: string }>()((q, p) =>
  q
    .selectFrom('account_links')
    .select(COLUMNS)
    .where('id', '=', p.id)
    .where('used_at', 'is', null)
    .where('expires_at', '>', p.now),
)

export function findOpenLink(db: Db, id: number): Promise<AccountLink | undefined> {
  return db.first(openById, { id, now: timeNow() })
}

const setDigest = statement<{ id: number; digest: string; userId: number | null }>()((q, p) =>
  q
    .updateTable('account_links')
    .set({ digest: p.digest, user_id: p.userId })
    .where('id', '=', p.id)
    .where('used_at', 'is', null),
)

const TOKEN_LENGTH = 32

/**
 * The token of a link, made when its mail is written: only the mail contains it, and only its digest is stored. If a mail is sent again, the
 * link in the first one no longer works.
 */
export async function createLinkToken(db: Db, id: number, userId: number | null): Promise<string> {
  const token = randomWord(TOKEN_LENGTH)
  await db.all(setDigest, { id, digest: digest(token), userId })
  return token
}

const openByDigest = statement<{ digest: string; now: string }>()((q, p) =>
  q
    .selectFrom('account_links')
    .select(COLUMNS)
    .where('digest', '=', p.digest)
    .where('used_at', 'is', null)
    .where('expires_at', '>', p.now),
)

export function findLinkOfToken(db: Db, token: string): Promise<AccountLink | undefined> {
  return db.first(openByDigest, { digest: digest(token), now: timeNow() })
}

const use = statement<{ digest: string; now: string }>()((q, p) =>
  q
    .updateTable('account_links')
    .set({ used_at: p.now })
    .where('digest', '=', p.digest)
    .where('used_at', 'is', null)
    .where('expires_at', '>', p.now)
    .returning('id'),
)

/** Returns false if the link is used, expired or unknown: of two requests with one token, one gets true. */
export async function useLink(tx: Db, token: string): Promise<boolean> {
  return (await tx.first(use, { digest: digest(token), now: timeNow() })) !== undefined
}

const closeOfUser = statement<{ userId: number; now: string }>()((q, p) =>
  q.updateTable('account_links').set({ used_at: p.now }).where('user_id', '=', p.userId).where('used_at', 'is', null),
)
const closeOfMailbox = statement<{ mailbox: string; now: string }>()((q, p) =>
  q
    .updateTable('account_links')
    .set({ used_at: p.now })
    .where('recipient_key', '=', p.mailbox)
    .where('kind', '=', 'join')
    .where('used_at', 'is', null),
)

/** The open links of the user no longer work. */
export async function closeLinksOfUser(tx: Db, userId: number) {
  await tx.all(closeOfUser, { userId, now: timeNow() })
}

/** The links to join that were sent to the mailbox no longer work. */
export async function closeJoinLinksTo(tx: Db, login: string) {
  await tx.all(closeOfMailbox, { mailbox: mailboxKey(login), now: timeNow() })
}
