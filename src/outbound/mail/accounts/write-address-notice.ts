import { CODE_DAYS, emailChangeCode } from '../../../people/users/email/email-change.ts'
import { findOpenEmailChange } from '../../../people/users/email/email-change-store.ts'
import { emailOf } from '../../../people/users/user.ts'
import type { MailContext } from '../mail-context.ts'
import { ifUnexpected, type NoticeOf, type NoticeText, type OwnerNotice } from './notice-text.ts'

export function loginChanged(
  mailContext: MailContext,
  { before, after, to, at }: NoticeOf<'login_changed'>,
  { namedSite, actor }: OwnerNotice,
): NoticeText | undefined {
  return {
    to: emailOf({ login: to === 'before' ? before : after }, mailContext.settings),
    subject: 'Your login name was changed',
    text: [
      `The login name of your account at ${namedSite} was changed.`,
      '',
      `By:     ${actor}`,
      `At:     ${at}`,
      `Before: ${before}`,
      `Now:    ${after}`,
      '',
      'Mail goes to the new address from now on, and you are logged out everywhere.',
      ...ifUnexpected(mailContext),
    ],
  }
}

export function addressRequested(
  mailContext: MailContext,
  { login, at }: NoticeOf<'email_change_asked'>,
  { namedSite, to }: OwnerNotice,
): NoticeText {
  return {
    to,
    subject: 'A new address was requested for your account',
    text: [
      `Someone who knows your password requested a new address for your account at ${namedSite}`,
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
export async function confirmAddress(
  mailContext: MailContext,
  { userId, changeId, login }: NoticeOf<'email_change_asked'>,
  { site, namedSite, login: before }: OwnerNotice,
): Promise<NoticeText | undefined> {
  const change = await findOpenEmailChange(mailContext.db, userId, '')
  if (change?.id !== changeId) return undefined
  const code = await emailChangeCode(mailContext.db, change)
  return {
    to: emailOf({ login }, mailContext.settings),
    subject: 'Confirm your new address',
    text: [
      `The account ${before} at ${namedSite} requested to use this address from now on.`,
      '',
      'To confirm it, open this address in a browser in which you are logged in:',
      `${site}/confirm/email#${code}`,
      '',
      `Code: ${code}`,
      '',
      `Programs send it back as email_code with PUT ${site}/rest/user/${userId}. It works within ${CODE_DAYS} days.`,
      'If you did not request this, you can ignore this message.',
    ],
  }
}
