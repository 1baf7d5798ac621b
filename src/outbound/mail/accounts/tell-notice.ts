import type { AccountNotice } from '../../../access/account-notice.ts'
import type { Outcome } from '../../jobs/job.ts'
import { type Scene, siteOf } from '../mail-scene.ts'
import { senderOf } from '../message/compose.ts'
import { headersOfKind, type Message, messageOf, ownMessageId } from '../message/message.ts'
import { mailAddress } from '../message/one-header.ts'
import type { Postman } from '../sending/postman.ts'
import { type NoticeLetter, writeNotice } from './write-notice.ts'

/** Tells what happened to an account, unless nobody is to be told any more. */
export async function tellNotice(
  scene: Scene,
  postman: Postman,
  notice: AccountNotice,
  signal: AbortSignal,
): Promise<Outcome> {
  const letter = await writeNotice(scene, notice)
  if (letter === undefined) return { done: true }
  if (mailAddress(letter.to) === undefined) return { dead: 'The login of this account is no mail address.' }
  return postman.send(await composeNotice(scene, letter, JSON.stringify(notice)), signal)
}

function composeNotice(scene: Scene, { to, subject, text, at }: NoticeLetter, seed: string): Promise<Message> {
  const site = siteOf(scene)
  return messageOf(senderOf(scene.settings.mailfrom, site), to, {
    subject,
    date: new Date(at),
    messageId: ownMessageId('account', seed, to, site),
    headers: headersOfKind('admin'),
    text,
  })
}
