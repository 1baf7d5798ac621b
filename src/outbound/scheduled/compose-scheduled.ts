import { escaped } from '../../platform/wire/formats/html-page.ts'
import type { Addressee } from '../mail/addressee/find-addressee.ts'
import { type MailContext, siteOf } from '../mail/mail-context.ts'
import { senderOf } from '../mail/message/compose.ts'
import { headersOfKind, type Message, messageOf, ownMessageId } from '../mail/message/message.ts'
import type { MailedList, ScheduledMessage } from './shown-bugs.ts'

/** `seed` is the same when the message is sent again, so that duplicates can be recognized. */
export async function composeScheduled(
  mailContext: MailContext,
  addressee: Addressee,
  message: ScheduledMessage,
  seed: string,
): Promise<Message> {
  const site = siteOf(mailContext)
  const messageId = ownMessageId('scheduled', seed, addressee.address, site)
  const from = senderOf(mailContext.settings.mailfrom, site)
  return messageOf(from, addressee.address, {
    subject: message.subject,
    messageId,
    headers: headersOfKind('whine'),
    text: asText(message, site),
    ...(addressee.form.is_html === 1 && { html: asHtml(message, site) }),
  })
}

function asText({ body, lists }: ScheduledMessage, site: string): string {
  const parts = lists.map(({ title, bugs }) => `${title}\n${'-'.repeat(title.length)}\n\n${bugs.map(line).join('\n')}`)
  return [body, ...(lists.length === 0 ? ['No bugs were found.'] : parts)].filter((part) => part !== '').join('\n\n')

  function line(bug: Record<string, unknown>) {
    return `Bug ${bug.id}: ${bug.summary}\n  ${describe(bug)}\n  ${linkTo(site, bug)}\n`
  }
}

function describe(bug: Record<string, unknown>) {
  const state = [bug.status, bug.resolution].filter((word) => word !== '').join(' ')
  const note = bug.note === undefined ? [] : [bug.note]
  return [...note, state, bug.priority, bug.severity, `${bug.product}/${bug.component}`, bug.assigned_to].join(', ')
}

function linkTo(site: string, bug: Record<string, unknown>) {
  return `${site}/show_bug.cgi?id=${bug.id}`
}

function asHtml({ body, lists }: ScheduledMessage, site: string): string {
  const said = body === '' ? '' : `<p>${escaped(body).replaceAll('\n', '<br>')}</p>\n`
  const parts = lists.map((list) => listAsHtml(list, site))
  const found = parts.length === 0 ? '<p>No bugs were found.</p>' : parts.join('\n')
  return `<!DOCTYPE html>\n<html><head><meta charset="utf-8"></head>\n<body>\n${said}${found}\n</body></html>\n`
}

function listAsHtml({ title, bugs }: MailedList, site: string): string {
  const rows = bugs.map(
    (bug) =>
      `<tr><td><a href="${escaped(linkTo(site, bug))}">${escaped(String(bug.id))}</a></td><td>${escaped(String(bug.summary))}</td><td>${escaped(describe(bug))}</td></tr>`,
  )
  return `<h3>${escaped(title)}</h3>\n<table border="1" cellspacing="0" cellpadding="6">\n${rows.join('\n')}\n</table>`
}
