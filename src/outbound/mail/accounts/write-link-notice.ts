import type { AccountNotice } from '../../../access/account-notice.ts'
import { type AccountLink, createLinkToken, findOpenLink } from '../../../people/accounts/account-link-store.ts'
import { findAccountOfMailbox } from '../../../people/accounts/same-mailbox.ts'
import { emailOf } from '../../../people/users/user.ts'
import { findUserByLogin } from '../../../people/users/user-store.ts'
import { type MailContext, namedSiteOf, siteOf } from '../mail-context.ts'
import type { NoticeText } from './notice-text.ts'

/**
 * The mail to a user who wants to join or who forgot a password. It contains the link only if the user can use it. Undefined if no mail is
 * sent: the link was used already, or there is no account whose password could be set.
 */
export async function writeLinkNotice(
  mailContext: MailContext,
  { linkId }: Extract<AccountNotice, { what: 'link_asked' }>,
): Promise<NoticeText | undefined> {
  const link = await findOpenLink(mailContext.db, linkId)
  if (link === undefined) return undefined
  return link.kind === 'join' ? toJoin(mailContext, link) : toNewPassword(mailContext, link)
}

async function toJoin(mailContext: MailContext, link: AccountLink): Promise<NoticeText> {
  const { db, settings } = mailContext
  const [site, namedSite] = [siteOf(mailContext), namedSiteOf(mailContext)]
  const to = emailOf(link, settings)
  const account = await findAccountOfMailbox(db, link.login)
  if (account !== undefined) return alreadyJoined(namedSite, site, to, account.login)
  return {
    to,
    subject: 'Create your account',
    text: [
      `Someone, probably you, wants to create an account with this address at ${namedSite}`,
      '',
      'To create it, open this address and choose a password:',
      linkAddress(site, await createLinkToken(db, link.id, null)),
      '',
      `It works once, until ${link.expires_at}.`,
      'If you did not request this, you can ignore this message: no account is created.',
    ],
  }
}

function alreadyJoined(namedSite: string, site: string, to: string, login: string): NoticeText {
  return {
    to,
    subject: 'You have an account already',
    text: [
      `Someone, probably you, wants to create an account with this address at ${namedSite}`,
      '',
      `There is an account already, with the login name ${login}`,
      'If you forgot its password, request a new one here:',
      `${site}/forgot`,
      '',
      'If you did not request this, you can ignore this message.',
    ],
  }
}

async function toNewPassword(mailContext: MailContext, link: AccountLink): Promise<NoticeText | undefined> {
  const { db, settings } = mailContext
  const user = await findUserByLogin(db, link.login)
  if (user === undefined || user.disabled_text !== '') return undefined
  const site = siteOf(mailContext)
  return {
    to: emailOf(user, settings),
    subject: 'Choose a new password',
    text: [
      `Someone, probably you, requested a new password for the account ${user.login} at ${namedSiteOf(mailContext)}`,
      '',
      'To choose one, open this address:',
      linkAddress(site, await createLinkToken(db, link.id, user.id)),
      '',
      `It works once, until ${link.expires_at}. You are then logged out everywhere.`,
      'If you did not request this, you can ignore this message: your password stays as it is.',
    ],
  }
}

/** The token is in the part that browsers do not send, so that it is not in the log of any server. */
export function linkAddress(site: string, token: string) {
  return `${site}/confirm#${token}`
}
