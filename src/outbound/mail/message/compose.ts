import { addressWith } from '../../incoming/mail-address.ts'
import { findWord } from '../../incoming/mail-address-store.ts'
import type { MailJob } from '../mail-job.ts'
import { type Scene, siteOf } from '../mail-scene.ts'
import type { Addressee } from './find-addressee.ts'
import type { Letter } from './letter.ts'
import { letterAsHtml } from './letter-as-html.ts'
import { letterAsText } from './letter-as-text.ts'
import { mailHeaders } from './mail-headers.ts'
import { type Message, messageOf } from './message.ts'
import { mailAddress } from './one-header.ts'
import { threadOf } from './thread.ts'

/** The letter as a message to its one reader. */
export async function compose(scene: Scene, addressee: Addressee, job: MailJob, letter: Letter): Promise<Message> {
  const { settings } = scene
  const site = siteOf(scene)
  const userId = addressee.caller.id ?? 0
  const preferencesLink = addressee.caller.id === null ? undefined : `${site}/rest/user/${userId}/mail`
  const { messageId, inReplyTo } = threadOf({
    bugId: job.bugId,
    userId,
    isNew: letter.type === 'new',
    site,
    seed: `${job.position} ${job.bugId} ${addressee.address} ${JSON.stringify(job.topic)}`,
  })
  const from = senderOf(settings.mailfrom, site)
  return messageOf(from, addressee.address, {
    ...(await answersTo(scene, addressee, job.bugId)),
    subject: `[Bug ${letter.bug.id}] ${letter.title}`,
    date: new Date(letter.at),
    messageId,
    ...(inReplyTo !== undefined && { inReplyTo, references: inReplyTo }),
    headers: mailHeaders(letter, settings, site).map(({ key, value }) => ({ key, value })),
    text: letterAsText(letter, preferencesLink),
    ...(addressee.form.is_html === 1 && { html: letterAsHtml(letter, preferencesLink) }),
  })
}

/** Whoever has an address of their own for mail to the tracker simply answers. */
async function answersTo({ db, settings }: Scene, { caller }: Addressee, bugId: number) {
  if (settings.incoming_address === '' || caller.id === null) return {}
  const word = await findWord(db, caller.id)
  if (word === undefined) return {}
  return { replyTo: { name: '', address: addressWith(settings.incoming_address, caller.id, word, bugId) } }
}

/** Without an address of its own, the installation has one that shows where it is. */
export function senderOf(mailfrom: string, site: string) {
  return mailAddress(mailfrom) ?? `lacewing@${URL.canParse(site) ? new URL(site).hostname : 'localhost'}`
}
