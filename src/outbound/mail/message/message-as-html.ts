import { escaped } from '../../../platform/wire/formats/html-page.ts'
import { headingOf } from './message-as-text.ts'
import type { MessageComment, MessageContent } from './message-content.ts'
import { reasonTexts } from './reasons.ts'

/** The message as HTML. It loads nothing from the network, and user input is escaped. */
export function messageAsHtml(message: MessageContent, preferencesLink: string | undefined): string {
  const { bug, link, opening, facts, changes, comments } = message
  const title = `Bug ${bug.id}: ${bug.summary}`
  const parts = [
    `<p><a href="${escaped(link)}"><b>${escaped(title)}</b></a></p>`,
    `<p>${escaped(opening)}</p>`,
    facts.length > 0 ? table(facts.map(({ label, value }) => row(heading(label), cell(value)))) : '',
    changes.length > 0 ? table([CHANGES_HEAD, ...changes.map(changeRow)]) : '',
    ...comments.map(commentAsHtml),
    footer(message, preferencesLink),
  ]
  return `<!DOCTYPE html>\n<html><head><meta charset="utf-8"><title>${escaped(title)}</title></head>\n<body>\n${parts
    .filter((part) => part !== '')
    .join('\n')}\n</body></html>\n`
}

function changeRow({ what, removed, added }: { what: string; removed: string; added: string }) {
  return row(heading(what), cell(removed), cell(added))
}

const CHANGES_HEAD = row(heading('What'), heading('Removed'), heading('Added'))

function table(rows: readonly string[]) {
  return `<table border="1" cellspacing="0" cellpadding="6">\n${rows.join('\n')}\n</table>`
}

function row(...cells: string[]) {
  return `<tr>${cells.join('')}</tr>`
}

function heading(text: string) {
  return `<th align="left" valign="top">${escaped(text)}</th>`
}

function cell(text: string) {
  return `<td valign="top">${escaped(text).replaceAll('\n', '<br>')}</td>`
}

function commentAsHtml(comment: MessageComment) {
  return `<p><b>${escaped(headingOf(comment))}</b></p>\n<pre style="white-space: pre-wrap">${comment.html}</pre>`
}

function footer(message: MessageContent, preferencesLink: string | undefined) {
  const items = reasonTexts(message).map((reason) => `<li>${escaped(reason)}</li>`)
  const choose =
    preferencesLink === undefined
      ? ''
      : `\n<p><a href="${escaped(preferencesLink)}">Change your mail preferences</a></p>`
  return `<hr>\n<p>You get this because:</p>\n<ul>${items.join('')}</ul>${choose}`
}
