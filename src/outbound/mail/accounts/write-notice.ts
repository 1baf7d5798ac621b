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
export interface AccountMessage {
  to: string
  subject: string
  text: string
  at: string
}

/**
 * Returns undefined if the account is gone or disabled. Preferences for mail about bugs do not apply. A notice never
 * contains a password or a key. The code in one of them only proves that its reader has the address.
 */
export async function writeNotice(
  mailContext: MailContext,
  notice: AccountNotice,
): Promise<AccountMessage | undefined> {
  const written =
    notice.what === 'locked_out' ? await lockedOut(mailContext, notice) : await toOwner(mailContext, notice)
  return written && { ...written, text: `${written.text.join('\n')}\n`, at: notice.at }
}

interface NoticeText {
  to: string
  subject: string
  /** Line by line. Text that a user wrote is on one line. */
  text: string[]
}

type NoticeOf<What> = Extract<AccountNotice, { what: What }>

/** Every notice that goes to the owner of the account. */
async function toOwner(
  mailContext: MailContext,
  notice: NoticeOf<'account_made' | 'key_made' | 'login_changed' | 'email_change_asked'>,
): Promise<NoticeText | undefined> {
  const people = await listUsersByIds(mailContext.db, [notice.userId, notice.who])
  const owner = people.find(({ id }) => id === notice.userId)
  if (owner === undefined || owner.disabled_text !== '') return undefined
  const actor = notice.who === owner.id ? 'you' : (people.find(({ id }) => id === notice.who)?.login ?? 'somebody')
  const about = { site: siteOf(mailContext), to: emailOf(owner, mailContext.settings), login: owner.login, doer: actor }
  if (notice.what === 'account_made') return accountCreated(about, mailContext)
  if (notice.what === 'key_made') return keyCreated(mailContext, notice, about)
  if (notice.what === 'login_changed') return loginChanged(mailContext, notice, about)
  return notice.to === 'before'
    ? addressRequested(mailContext, notice, about)
    : confirmAddress(mailContext, notice, about)
}

interface OwnerNotice {
  site: string
  to: string
  login: string
  /** The user who made the change: a login name, or "you". */
  doer: string
}

function accountCreated({ site, to, login, doer }: OwnerNotice, mailContext: MailContext): NoticeText {
  return {
    to,
    subject: 'You have an account',
    text: [
      `${doer} has created an account for you at ${site}/`,
      '',
      `Your login name is ${login}`,
      '',
      'Passwords are never sent by mail: ask the person who created the account.',
      ...ifUnexpected(mailContext),
    ],
  }
}

async function keyCreated(
  mailContext: MailContext,
  { userId, keyId, at }: NoticeOf<'key_made'>,
  { site, to, login, doer }: OwnerNotice,
): Promise<NoticeText> {
  const key = await getApiKey(mailContext.db, userId, String(keyId))
  return {
    to,
    subject: 'Your account has a new API key',
    text: [
      `An API key was created for your account ${login} at ${site}/`,
      '',
      `By:          ${doer}`,
      `At:          ${at}`,
      `Description: ${headerText(key.description)}`,
      `Scopes:      ${key.scopes.replaceAll(',', ', ')}`,
      `Expires:     ${key.expires_at ?? 'never'}`,
      '',
      'Anyone who has the key can do in your name what its scopes allow.',
      `To revoke it, send is_revoked=true with PUT ${site}/rest/user/${userId}/api_key/${keyId}.`,
      ...ifUnexpected(mailContext),
    ],
  }
}

function loginChanged(
  mailContext: MailContext,
  { before, after, to, at }: NoticeOf<'login_changed'>,
  { site, doer }: OwnerNotice,
): NoticeText | undefined {
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

function addressRequested(
  mailContext: MailContext,
  { login, at }: NoticeOf<'email_change_asked'>,
  { site, to }: OwnerNotice,
): NoticeText {
  return {
    to,
    subject: 'A new address was requested for your account',
    text: [
      `Someone who knows your password requested a new address for your account at ${site}/`,
      '',
      `At:          ${at}`,
      `New address: ${login}`,
      '',
      'The address changes when the code that was mailed to the new address is sent back.',
      'If this was not you, change your password: that makes the code invalid.',
      ...ifUnexpected(mailContext),
    ],
  }
}

/** Undefined if the request is no longer open. */
async function confirmAddress(
  mailContext: MailContext,
  { userId, changeId, login }: NoticeOf<'email_change_asked'>,
  { site, login: before }: OwnerNotice,
): Promise<NoticeText | undefined> {
  const change = await findOpenEmailChange(mailContext.db, userId, '')
  if (change?.id !== changeId) return undefined
  return {
    to: emailOf({ login }, mailContext.settings),
    subject: 'Confirm your new address',
    text: [
      `The account ${before} at ${site}/ requested to use this address from now on.`,
      '',
      `Code: ${await codeOf(mailContext.db, change)}`,
      '',
      `Send it back as email_code with PUT ${site}/rest/user/${userId} within ${CODE_DAYS} days.`,
      'If you did not request this, you can ignore this message.',
    ],
  }
}

/**
 * For the maintainer of the installation, if an address is set. Guesses at accounts that do not exist are not reported.
 */
async function lockedOut(
  mailContext: MailContext,
  { loginKey, address, at }: NoticeOf<'locked_out'>,
): Promise<NoticeText | undefined> {
  const { maintainer } = mailContext.settings
  const account = maintainer === '' ? undefined : await findUserByLogin(mailContext.db, loginKey)
  if (account === undefined || (await isDisabled(mailContext, maintainer))) return undefined
  return {
    to: maintainer,
    subject: `The account ${account.login} was locked out`,
    text: [
      `A wrong password was sent ${MOST_FAILURES} times in a row for an account at ${siteOf(mailContext)}/`,
      '',
      `Account: ${account.login}`,
      `From:    ${headerText(address)}`,
      `At:      ${at}`,
      '',
      `Logins to it with a password from this address are refused for ${WINDOW_SECONDS / 60} minutes.`,
      'During this time, no further mail is sent about attempts from other addresses.',
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
