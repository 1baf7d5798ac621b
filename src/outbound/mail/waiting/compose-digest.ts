import { escaped } from '../../../platform/wire/formats/html-page.ts'
import type { Addressee } from '../addressee/find-addressee.ts'
import { type MailContext, siteOf, subjectOf } from '../mail-context.ts'
import { senderOf } from '../message/compose.ts'
import { headersOfKind, type Message, messageOf, ownMessageId } from '../message/message.ts'
import { readableTime } from '../message/message-as-text.ts'
import type { MessageContent } from '../message/message-content.ts'
import { reasonTexts } from '../message/reasons.ts'
import { unsubscribeToken } from '../unsubscribe/unsubscribe-address.ts'
import { MOST_IN_DIGEST } from './wait-for.ts'

export interface Digest {
  /** The same when the digest is sent again, so that duplicates can be recognized. */
  seed: string
  written: readonly MessageContent[]
  /** How many further changes are not written out. */
  more: number
  /** Whether so many changes waited that later ones may have been left out. */
  isCut: boolean
}

/** One message about several changes, by bug. */
export async function composeDigest(mailContext: MailContext, addressee: Addressee, digest: Digest): Promise<Message> {
  const site = siteOf(mailContext)
  const bugs = [...Map.groupBy(digest.written, ({ bug }) => Number(bug.id)).values()]
  const subject = `${counted(digest.written.length, 'change')} of ${counted(bugs.length, 'bug')}`
  return messageOf(senderOf(mailContext.settings.mailfrom, site), addressee.address, {
    subject: subjectOf(mailContext, subject),
    messageId: ownMessageId('digest', digest.seed, addressee.address, site),
    headers: headersOfKind('digest'),
    ...(addressee.caller.id !== null && {
      unsubscribe: `${site}/unsubscribe/${await unsubscribeToken(mailContext.db, { userId: addressee.caller.id, kind: 'digest', ids: [0] })}`,
    }),
    text: asText(bugs, digest, site),
    ...(addressee.form.is_html === 1 && { html: asHtml(bugs, digest, site) }),
  })
}

function counted(count: number, what: string) {
  return `${count} ${what}${count === 1 ? '' : 's'}`
}

type BugPart = readonly MessageContent[]

/** A comment in a digest is cut after so many characters. */
const LONGEST_COMMENT = 600

function linesOf({ opening, at, changes, comments }: MessageContent): string[] {
  return [
    `${readableTime(at)}: ${opening}`,
    ...changes.map(({ what, removed, added }) => `${what}: ${cut(removed) || '(none)'} -> ${cut(added) || '(none)'}`),
    ...comments.map(({ text }) => cut(text)),
  ]
}

function cut(text: string) {
  return text.length <= LONGEST_COMMENT ? text : `${text.slice(0, LONGEST_COMMENT).toWellFormed()}…`
}

function headOf([first]: BugPart) {
  const why = first === undefined ? '' : reasonTexts(first).join('; ')
  return { title: `Bug ${first?.bug.id}: ${first?.bug.summary}`, link: first?.link ?? '', why: `Because ${why}.` }
}

function asText(bugs: readonly BugPart[], digest: Digest, site: string): string {
  const parts = bugs.map((bug) => {
    const { title, link, why } = headOf(bug)
    return [title, link, why, '', ...bug.map((it) => linesOf(it).join('\n'))].join('\n')
  })
  return `${[...parts, ...restOf(digest)].join('\n\n')}\n\n-- \nThis is your daily digest. Change it: ${site}/settings/mail\n`
}

function asHtml(bugs: readonly BugPart[], digest: Digest, site: string): string {
  const parts = bugs.map((bug) => {
    const { title, link, why } = headOf(bug)
    const changes = bug.map((it) => `<li>${linesOf(it).map(inLines).join('<br>')}</li>`)
    return `<h3><a href="${escaped(link)}">${escaped(title)}</a></h3>\n<p>${escaped(why)}</p>\n<ul>${changes.join('\n')}</ul>`
  })
  const foot = `<hr>\n<p>This is your daily digest. <a href="${escaped(`${site}/settings/mail`)}">Change it</a></p>`
  const rest = restOf(digest).map((text) => `<p>${text}</p>`)
  return `<!DOCTYPE html>\n<html><head><meta charset="utf-8"></head>\n<body>\n${[...parts, ...rest, foot].join('\n')}\n</body></html>\n`
}

function inLines(text: string) {
  return escaped(text).replaceAll('\n', '<br>')
}

/** What is left out is said. */
function restOf({ more, isCut }: Digest): string[] {
  return [
    ...(more > 0 ? [`And ${counted(more, 'more change')}, not shown here.`] : []),
    ...(isCut ? [`A digest takes ${MOST_IN_DIGEST} changes. Later ones are not in it: look at your inbox.`] : []),
  ]
}
