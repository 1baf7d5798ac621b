import { randomUUID } from 'node:crypto'
import { headerText } from '../headers/one-header.ts'
import { type UnaddressedMessage, unsubscribeHeaders } from '../message/message.ts'

/** What needs no encoding in a header; `=?` would begin an encoded word. */
const PLAIN_HEADER = /^(?!.*=\?)[\x20-\x7e]*$/
/** What needs no encoding in a body: ASCII in lines that every mail server takes. */
const PLAIN_BODY = /^(?:[\t\x20-\x7e]{0,500}\n)*[\t\x20-\x7e]{0,500}$/
/** Nobody can write text that contains it. */
const BOUNDARY = `--_${randomUUID()}`
const LONGEST_LINE = 76

/**
 * A message of ASCII alone, as it is sent; undefined for one that has other characters, which the mail library encodes. Most messages
 * need no encoding, and writing one here takes a small part of the time.
 */
export function plainBytesOf(from: string, to: string, content: UnaddressedMessage): Buffer | undefined {
  const { subject, date, messageId, inReplyTo, references, replyTo, headers, text, html, unsubscribe } = content
  if (!isBody(text) || !(html === undefined || isBody(html)) || !Array.isArray(headers)) return undefined
  const lines: [string, string][] = [
    ...headers.map(({ key, value }): [string, string] => [key, String(value)]),
    ...(unsubscribe === undefined ? [] : unsubscribeHeaders(unsubscribe)).map(({ key, value }): [string, string] => [
      key,
      value,
    ]),
    ['From', from],
    ['To', to],
    ['Reply-To', addressIn(replyTo)],
    ['In-Reply-To', inReplyTo?.toString() ?? ''],
    ['References', references?.toString() ?? ''],
    ['Subject', headerText(subject)],
    ['Message-ID', messageId],
    ['Date', dateText(date)],
    ['MIME-Version', '1.0'],
  ]
  let head = ''
  for (const [name, value] of lines) {
    if (!PLAIN_HEADER.test(value)) return undefined
    if (value !== '') head += headerLine(name, value)
  }
  return Buffer.from(head + bodyOf(text, html), 'latin1')
}

function isBody(text: unknown): text is string {
  return typeof text === 'string' && PLAIN_BODY.test(text)
}

function addressIn(replyTo: UnaddressedMessage['replyTo']): string {
  return typeof replyTo === 'object' && 'address' in replyTo ? (replyTo.address ?? '') : ''
}

/** As RFC 5322 writes it, in UTC. */
function dateText(date: UnaddressedMessage['date']): string {
  return new Date(date ?? Date.now()).toUTCString().replace('GMT', '+0000')
}

/** Folded between words where possible. */
function headerLine(name: string, value: string): string {
  const whole = `${name}: ${value}`
  if (whole.length <= LONGEST_LINE) return `${whole}\r\n`
  let folded = ''
  let line = `${name}:`
  for (const word of value.split(' ')) {
    const longer = `${line} ${word}`
    if (longer.length <= LONGEST_LINE || line === `${name}:`) line = longer
    else {
      folded += `${line}\r\n`
      line = ` ${word}`
    }
  }
  return `${folded}${line}\r\n`
}

function bodyOf(text: string, html: string | UnaddressedMessage['html']): string {
  if (typeof html !== 'string') return partOf('plain', text)
  const parts = [partOf('plain', text), partOf('html', html)].map((part) => `--${BOUNDARY}\r\n${part}\r\n`)
  return `Content-Type: multipart/alternative;\r\n boundary="${BOUNDARY}"\r\n\r\n${parts.join('')}--${BOUNDARY}--\r\n`
}

function partOf(kind: 'plain' | 'html', text: string): string {
  const content = text.replaceAll('\n', '\r\n')
  return `Content-Type: text/${kind}; charset=utf-8\r\nContent-Transfer-Encoding: 7bit\r\n\r\n${content}`
}
