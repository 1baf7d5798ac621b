import type { AccountNotice } from '../../../access/account-notice.ts'
import { MOST_FAILURES, WINDOW_SECONDS } from '../../../access/authentication/lockout.ts'
import { createLinkToken, findOpenLink } from '../../../people/accounts/account-link-store.ts'
import { emailOf } from '../../../people/users/user.ts'
import { findUserByLogin, listUsersByIds } from '../../../people/users/user-store.ts'
import { accountWith } from '../addressee/find-addressee.ts'
import { headerText } from '../headers/one-header.ts'
import { type MailContext, namedSiteOf, siteOf } from '../mail-context.ts'
import { actorInNotice, UNNAMED } from './notice-actor.ts'
import { ifUnexpected, type NoticeOf, type NoticeText, type OwnerNotice } from './notice-text.ts'
import { mailAddressCreated, webhookCreated } from './write-acting-notice.ts'
import { addressRequested, confirmAddress, loginChanged } from './write-address-notice.ts'
import { writeFactorNotice } from './write-factor-notice.ts'
import { keyCreated, keyWidened } from './write-key-notice.ts'
import { linkAddress, writeLinkNotice } from './write-link-notice.ts'
import { votesCut } from './write-votes-notice.ts'

/** A mail about an account. */
export interface AccountMessage {
  to: string
  subject: string
  text: string
  at: string
}

/**
 * Returns undefined if the account is gone or disabled. Preferences for mail about bugs do not apply. A notice never
 * contains a password or a key. A link or a code in it only proves that its reader has the address.
 */
export async function writeNotice(
  mailContext: MailContext,
  notice: AccountNotice,
): Promise<AccountMessage | undefined> {
  const written = await noticeText(mailContext, notice)
  return written && { ...written, text: `${written.text.join('\n')}\n`, at: notice.at }
}

function noticeText(mailContext: MailContext, notice: AccountNotice): Promise<NoticeText | undefined> {
  if (notice.what === 'locked_out') return lockedOut(mailContext, notice)
  if (notice.what === 'link_asked') return writeLinkNotice(mailContext, notice)
  return toOwner(mailContext, notice)
}

/** Every notice that goes to the owner of the account. */
async function toOwner(
  mailContext: MailContext,
  notice: Exclude<AccountNotice, { what: 'locked_out' | 'link_asked' }>,
): Promise<NoticeText | undefined> {
  const people = await listUsersByIds(mailContext.db, [notice.userId, notice.who])
  const owner = people.find(({ id }) => id === notice.userId)
  if (owner === undefined || owner.disabled_text !== '') return undefined
  const isNew = notice.what === 'account_made'
  const about = {
    site: siteOf(mailContext),
    namedSite: namedSiteOf(mailContext),
    to: emailOf(owner, mailContext.settings),
    login: owner.login,
    actor: actorInNotice(mailContext, { owner, actor: people.find(({ id }) => id === notice.who), isNew }),
  }
  if (notice.what === 'account_made') return accountCreated(mailContext, notice, about)
  if (notice.what === 'password_changed') return passwordChanged(mailContext, notice, about)
  if (notice.what === 'key_made') return keyCreated(mailContext, notice, about)
  if (notice.what === 'key_widened') return keyWidened(mailContext, notice, about)
  if (notice.what === 'webhook_made') return webhookCreated(mailContext, notice, about)
  if (notice.what === 'mail_address_made') return mailAddressCreated(mailContext, notice, about)
  if (notice.what === 'factor_changed') return writeFactorNotice(notice, about, ifUnexpected(mailContext))
  if (notice.what === 'login_changed') return loginChanged(mailContext, notice, about)
  if (notice.what === 'votes_cut') return votesCut(mailContext, notice, owner, about)
  return notice.to === 'before'
    ? addressRequested(mailContext, notice, about)
    : confirmAddress(mailContext, notice, about)
}

async function accountCreated(
  mailContext: MailContext,
  { userId, linkId }: NoticeOf<'account_made'>,
  { site, namedSite, to, login, actor }: OwnerNotice,
): Promise<NoticeText> {
  const link = linkId == null ? undefined : await findOpenLink(mailContext.db, linkId)
  const invitation =
    link === undefined
      ? ['Passwords are never sent by mail: ask the person who created the account.']
      : [
          'To choose a password, open this address:',
          linkAddress(site, await createLinkToken(mailContext.db, link.id, userId)),
          '',
          `It works once, until ${link.expires_at}. After that, request a new link at ${site}/forgot`,
        ]
  return {
    to,
    subject: 'You have an account',
    text: [
      `${actor === UNNAMED ? 'Another user' : actor} has created an account for you at ${namedSite}`,
      '',
      `Your login name is ${login}`,
      '',
      ...invitation,
      ...ifUnexpected(mailContext),
    ],
  }
}

function passwordChanged(
  mailContext: MailContext,
  { isRemoved, at }: NoticeOf<'password_changed'>,
  { site, namedSite, to, login, actor }: OwnerNotice,
): NoticeText {
  return {
    to,
    subject: isRemoved ? 'Your password was removed' : 'Your password was changed',
    text: [
      `The password of your account ${login} at ${namedSite} was ${isRemoved ? 'removed' : 'changed'}.`,
      '',
      `By: ${actor}`,
      `At: ${at}`,
      '',
      'You are logged out everywhere, except in the session in which you changed it yourself.',
      ...(isRemoved ? [] : [`If this was not you, request a new password at ${site}/forgot`]),
      ...ifUnexpected(mailContext),
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
      `A wrong password was sent ${MOST_FAILURES} times in a row for an account at ${namedSiteOf(mailContext)}`,
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
