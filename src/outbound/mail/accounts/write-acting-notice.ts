import { getApiKey } from '../../../people/api-keys/api-key-store.ts'
import { findWebhook } from '../../webhooks/webhook-store.ts'
import { headerText } from '../headers/one-header.ts'
import type { MailContext } from '../mail-context.ts'
import { ifUnexpected, type NoticeOf, type NoticeText, type OwnerNotice } from './notice-text.ts'

/** About a webhook, which goes on after a logout. Undefined if it is deleted by now. */
export async function webhookCreated(
  mailContext: MailContext,
  { webhookId, at }: NoticeOf<'webhook_made'>,
  { site, namedSite, to, login, actor }: OwnerNotice,
): Promise<NoticeText | undefined> {
  const hook = await findWebhook(mailContext.db, String(webhookId))
  if (hook === undefined) return undefined
  return {
    to,
    subject: 'Your account has a new webhook',
    text: [
      `A webhook of your account ${login} at ${namedSite} was created, or sends to another address now.`,
      '',
      `By:      ${actor}`,
      `At:      ${at}`,
      `Sends to ${headerText(hook.url)}`,
      `Expires: ${hook.expiresAt ?? 'never'}`,
      '',
      'It sends what you may see, until it is deleted. It also ends with the API key that made it.',
      `To end everything that acts for you, open ${site}/settings`,
      ...ifUnexpected(mailContext),
    ],
  }
}

export async function mailAddressCreated(
  mailContext: MailContext,
  { userId, keyId, at }: NoticeOf<'mail_address_made'>,
  { site, namedSite, to, login, actor }: OwnerNotice,
): Promise<NoticeText> {
  const key = keyId === null ? undefined : await getApiKey(mailContext.db, userId, String(keyId))
  return {
    to,
    subject: 'Your account has a secret mail address',
    text: [
      `A secret mail address of your account ${login} at ${namedSite} was made or shown.`,
      '',
      `By: ${actor}${key === undefined ? '' : `, with the API key ${headerText(key.description)}`}`,
      `At: ${at}`,
      '',
      'Anyone who knows the address can file bugs and comment in your name by mail.',
      `To end everything that acts for you, open ${site}/settings`,
      ...ifUnexpected(mailContext),
    ],
  }
}
