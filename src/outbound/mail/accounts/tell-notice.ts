import MailComposer from 'nodemailer/lib/mail-composer'
import type { AccountNotice } from '../../../access/account-notice.ts'
import { digest } from '../../../platform/secrets.ts'
import type { Outcome } from '../../jobs/job.ts'
import { type Scene, siteOf } from '../mail-scene.ts'
import { type Message, senderOf } from '../message/compose.ts'
import { headerText, mailAddress } from '../message/one-header.ts'
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

/** `seed` is the same whenever the same one is sent, so that a double can be known as one. */
async function composeNotice(scene: Scene, { to, subject, text, at }: NoticeLetter, seed: string): Promise<Message> {
  const site = siteOf(scene)
  const host = URL.canParse(site) ? new URL(site).hostname : 'localhost'
  const word = digest(`${seed} ${to}`).replace(/[^A-Za-z0-9]/g, '')
  const messageId = `<account-${word.slice(0, 22)}@${host}>`
  const from = senderOf(scene.settings.mailfrom, site)
  const bytes = await new MailComposer({
    from: { name: '', address: from },
    to: { name: '', address: to },
    subject: headerText(subject),
    date: new Date(at),
    messageId,
    headers: [
      // compat: what the original calls its mail about accounts, for filters that know it.
      ...['X-Tracker-', 'X-Bugzilla-'].map((prefix) => ({ key: `${prefix}Type`, value: 'admin' })),
      { key: 'Auto-Submitted', value: 'auto-generated' },
    ],
    text,
    disableFileAccess: true,
    disableUrlAccess: true,
    newline: 'win',
    normalizeHeaderKey: (key) => key,
  })
    .compile()
    .build()
  return { from, to, messageId, bytes }
}
