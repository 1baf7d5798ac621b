import { randomUUID } from 'node:crypto'
import { forgetOldest } from '../../../platform/queues/forget-oldest.ts'
import { bytesOf, type Message, messageOf, type UnaddressedMessage } from '../message/message.ts'
import { plainBytesOf } from './plain-message.ts'

/** A message as it is sent, but with placeholders for what differs between its recipients. */
interface MessageTemplate {
  /** The headers, between the placeholders. */
  head: readonly string[]
  body: Buffer
}

/** Of one recipient. The other parts are the same for all who see the same for the same reason. */
interface OwnHeaders {
  to: string
  messageId: string
  inReplyTo: string | undefined
  unsubscribe: string | undefined
}

const MOST_TEMPLATES = 50
/** Nobody can write text that contains it. */
const WORD = randomUUID()
const PLACEHOLDERS = {
  to: `to-${WORD}@lacewing.invalid`,
  messageId: `<id-${WORD}@lacewing.invalid>`,
  reply: `<re-${WORD}@lacewing.invalid>`,
  unsubscribe: `un-${WORD}@lacewing.invalid`,
}
const ANY_PLACEHOLDER = new RegExp(`((?:to|<id|<re|<un)-${WORD}@lacewing\\.invalid>?)`)
/** What needs no encoding in a header and fits into a line. */
const PLAIN = /^[\x21-\x7e]{1,250}$/

/**
 * Builds messages about bugs. Encoding one takes longer than all that is read for it, so a message with the same text and headers as one
 * before it is made from that: only the recipient and the thread are put in. What recipients see is compared, not their rights.
 */
export class SharedMessages {
  private readonly templates = new Map<string, Promise<MessageTemplate>>()

  async messageOf(from: string, to: string, content: UnaddressedMessage): Promise<Message> {
    const plain = plainBytesOf(from, to, content)
    if (plain !== undefined) return { from, to, messageId: content.messageId, bytes: plain }
    const { messageId, inReplyTo, references: _, unsubscribe, ...rest } = content
    const own = { to, messageId, inReplyTo: inReplyTo?.toString(), unsubscribe }
    if (!Object.values(own).every((text) => text === undefined || PLAIN.test(text))) return messageOf(from, to, content)
    const { head, body } = await this.templateOf(from, rest, own)
    const text = head.map((part) => (ANY_PLACEHOLDER.test(part) ? ownValueOf(part, own) : part)).join('')
    return { from, to, messageId, bytes: Buffer.concat([Buffer.from(text, 'latin1'), body]) }
  }

  private templateOf(from: string, rest: Omit<UnaddressedMessage, 'messageId'>, own: OwnHeaders) {
    const has = { isReply: own.inReplyTo !== undefined, canEnd: own.unsubscribe !== undefined }
    const key = JSON.stringify([from, rest, has])
    const known = this.templates.get(key)
    if (known !== undefined) return known
    const made = templateOf(from, rest, has)
    this.templates.set(key, made)
    made.catch(() => this.templates.delete(key))
    forgetOldest(this.templates, MOST_TEMPLATES)
    return made
  }
}

async function templateOf(
  from: string,
  rest: Omit<UnaddressedMessage, 'messageId'>,
  { isReply, canEnd }: { isReply: boolean; canEnd: boolean },
) {
  const { to, messageId, reply, unsubscribe } = PLACEHOLDERS
  const bytes = await bytesOf(from, to, {
    ...rest,
    messageId,
    ...(isReply && { inReplyTo: reply, references: reply }),
    ...(canEnd && { unsubscribe }),
  })
  const end = bytes.indexOf('\r\n\r\n')
  // Headers are ASCII: other characters are encoded.
  return { head: bytes.toString('latin1', 0, end).split(ANY_PLACEHOLDER), body: bytes.subarray(end) }
}

function ownValueOf(placeholder: string, { to, messageId, inReplyTo = '', unsubscribe = '' }: OwnHeaders) {
  if (placeholder === PLACEHOLDERS.to) return to
  if (placeholder === `<${PLACEHOLDERS.unsubscribe}>`) return `<${unsubscribe}>`
  return placeholder === PLACEHOLDERS.messageId ? messageId : inReplyTo
}
