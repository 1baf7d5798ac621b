import type { AccountNotice } from '../../../access/account-notice.ts'
import { MOST_FAILURES, WINDOW_SECONDS } from '../../../access/authentication/lockout.ts'
import { getApiKey } from '../../../people/api-keys/api-key-store.ts'
import { CODE_DAYS, codeOf } from '../../../people/users/email/email-change.ts'
import { findOpenEmailChange } from '../../../people/users/email/email-change-store.ts'
import { emailOf } from '../../../people/users/user.ts'
import { findUserByLogin, listUsersByIds } from '../../../people/users/user-store.ts'
import { accountWith } from '../addressee/find-addressee.ts'
import { headerText } from '../headers/one-header.ts'
import { type MailContext, siteOf } from '../mail-context.ts'

/** A mail about an account. */
export interface NoticeLetter {
  to: string
  subject: string
  text: string
  /** When it happened. */
  at: string
}

/**
 * Undefined when nobody is to be told: the account is gone or disabled. Whether somebody wants mail about bugs does not matter here.
 * Neither a password nor a key is ever in it. The code in one of them proves that its reader has the address, and is good for nothing else.
 */
export async function writeNotice(mailContext: MailContext, notice: AccountNotice): Promise<NoticeLetter | undefined> {
  const written =
    notice.what === 'locked_out' ? await lockedOut(mailContext, notice) : await toOwner(mailContext, notice)
  return written && { ...written, text: `${written.text.join('\n')}\n`, at: notice.at }
}

interface Written {
  to: string
  subject: string
  /** Line by line. Whatever somebody wrote is one line. */
  text: string[]
}

type About<What> = Extract<AccountNotice, { what: What }>

/** Everything that is told to the one whose account it is. */
async function toOwner(
  mailContext: MailContext,
  notice: About<'account_made' | 'key_made' | 'login_changed' | 'email_change_asked'>,
): Promise<Written | undefined> {
  const people = await listUsersByIds(mailContext.db, [notice.userId, notice.who])
  const owner = people.find(({ id }) => id === notice.userId)
  if (owner === undefined || owner.disabled_text !== '') return undefined
  const doer = notice.who === owner.id ? 'you' : (people.find(({ id }) => id === notice.who)?.login ?? 'somebody')
  const about = { site: siteOf(mailContext), to: emailOf(owner, mailContext.settings), login: owner.login, doer }
  if (notice.what === 'account_made') return accountMade(about, mailContext)
  if (notice.what === 'key_made') return keyMade(mailContext, notice, about)
  if (notice.what === 'login_changed') return loginChanged(mailContext, notice, about)
  return notice.to === 'before'
    ? newAddressWanted(mailContext, notice, about)
    : confirmAddress(mailContext, notice, about)
}

interface Owned {
  site: string
  to: string
  login: string
  /** Who did it: a login name, or you. */
  doer: string
}

function accountMade({ site, to, login, doer }: Owned, mailContext: MailContext): Written {
  return {
    to,
    subject: 'You have an account',
    text: [
      `${doer} has made an account for you at ${site}/`,
      '',
      `Your login name is ${login}`,
      '',
      'Passwords are never sent by mail: ask whoever made the account.',
      ...ifUnexpected(mailContext),
    ],
  }
}

async function keyMade(
  mailContext: MailContext,
  { userId, keyId, at }: About<'key_made'>,
  { site, to, login, doer }: Owned,
): Promise<Written> {
  const key = await getApiKey(mailContext.db, userId, String(keyId))
  return {
    to,
    subject: 'Your account has a new API key',
    text: [
      `An API key was made for your account ${login} at ${site}/`,
      '',
      `By:          ${doer}`,
      `At:          ${at}`,
      `Description: ${headerText(key.description)}`,
      `Scopes:      ${key.scopes.replaceAll(',', ', ')}`,
      `Ends:        ${key.expires_at ?? 'when it is revoked'}`,
      '',
      'Whoever has the key can do in your name what its scopes allow.',
      `It is revoked with PUT ${site}/rest/user/${userId}/api_key/${keyId} and is_revoked.`,
      ...ifUnexpected(mailContext),
    ],
  }
}

function loginChanged(
  mailContext: MailContext,
  { before, after, to, at }: About<'login_changed'>,
  { site, doer }: Owned,
): Written | undefined {
  return {
    to: emailOf({ login: to === 'before' ? before : after }, mailContext.settings),
    subject: 'Your login name was changed',
    text: [
      `The login name of your account at ${site}/ was changed.`,
      '',
      `By:     ${doer}`,
      `At:     ${at}`,
      `Before: ${before}`,
      `Now:    ${after}`,
      '',
      'Mail goes to the new address from now on, and you are logged out everywhere.',
      ...ifUnexpected(mailContext),
    ],
  }
}

function newAddressWanted(
  mailContext: MailContext,
  { login, at }: About<'email_change_asked'>,
  { site, to }: Owned,
): Written {
  return {
    to,
    subject: 'A new address is wanted for your account',
    text: [
      `Somebody who knows your password wants another address for your account at ${site}/`,
      '',
      `At:          ${at}`,
      `New address: ${login}`,
      '',
      'It changes once a code is sent back that was mailed to the new address.',
      'If it was not you, change your password: then the code is good for nothing.',
      ...ifUnexpected(mailContext),
    ],
  }
}

/** Undefined once it is no longer wanted. */
async function confirmAddress(
  mailContext: MailContext,
  { userId, changeId, login }: About<'email_change_asked'>,
  { site, login: before }: Owned,
): Promise<Written | undefined> {
  const change = await findOpenEmailChange(mailContext.db, userId, '')
  if (change?.id !== changeId) return undefined
  return {
    to: emailOf({ login }, mailContext.settings),
    subject: 'Confirm your new address',
    text: [
      `The account ${before} at ${site}/ wants to have this address from now on.`,
      '',
      `Code: ${await codeOf(mailContext.db, change)}`,
      '',
      `Send it back as email_code with PUT ${site}/rest/user/${userId} within ${CODE_DAYS} days.`,
      'If you do not know of this, you need not do anything.',
    ],
  }
}

/** For whoever looks after the installation, while there is an address for that. Guesses at accounts that do not exist are no news. */
async function lockedOut(
  mailContext: MailContext,
  { loginKey, address, at }: About<'locked_out'>,
): Promise<Written | undefined> {
  const { maintainer } = mailContext.settings
  const account = maintainer === '' ? undefined : await findUserByLogin(mailContext.db, loginKey)
  if (account === undefined || (await isDisabled(mailContext, maintainer))) return undefined
  return {
    to: maintainer,
    subject: `The account ${account.login} was locked out`,
    text: [
      `Somebody gave a wrong password for an account at ${siteOf(mailContext)}/ ${MOST_FAILURES} times in a row.`,
      '',
      `Account: ${account.login}`,
      `From:    ${headerText(address)}`,
      `At:      ${at}`,
      '',
      `From this address, nobody can log in to it with a password for ${WINDOW_SECONDS / 60} minutes.`,
      'While that holds, no mail tells of other addresses from which the same is tried.',
    ],
  }
}

async function isDisabled(mailContext: MailContext, address: string): Promise<boolean> {
  const id = await accountWith(mailContext, address)
  const [account] = id === undefined ? [] : await listUsersByIds(mailContext.db, [id])
  return account !== undefined && account.disabled_text !== ''
}

function ifUnexpected({ settings }: MailContext): string[] {
  const whom = settings.maintainer === '' ? 'an administrator' : settings.maintainer
  return ['', `If you did not expect this, tell ${whom}.`]
}
