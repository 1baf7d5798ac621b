import PostalMime, { type Address, type Email } from 'postal-mime'
import { digest } from '../../platform/secrets/secrets.ts'
import { type AddressClaim, addressClaim } from './mail-address.ts'
import { type IncomingText, parseMessageText, textOfHtml } from './message-text.ts'

/** A parsed message, before the secret word in its address is checked. */
export interface IncomingMessage extends IncomingText {
  claim: AddressClaim
  /** The bug that the message is about; undefined if it files a new one. */
  bugId: number | undefined
  subject: string
  files: IncomingFile[]
  /** The same for the same message, however often it arrives. */
  digest: string
}

export interface IncomingFile {
  name: string
  type: string
  bytes: Buffer
}

/** Why a message is not accepted. */
export interface RefusedMessage {
  refused: string
}

export const LARGEST_MESSAGE_BYTES = 64 * 1024 * 1024

export async function readMessage(raw: Buffer, installation: string): Promise<IncomingMessage | RefusedMessage> {
  if (raw.length > LARGEST_MESSAGE_BYTES) return { refused: 'the message is too large' }
  const mail = await PostalMime.parse(raw, { attachmentEncoding: 'arraybuffer' }).catch(() => undefined)
  if (mail === undefined) return { refused: 'it cannot be parsed as a message' }
  const why = whyAutomatic(mail)
  if (why !== undefined) return { refused: why }
  const claim = addressesIn(mail).flatMap((address) => addressClaim(installation, address) ?? [])[0]
  if (claim === undefined) return { refused: 'it is not addressed to a user’s mail address' }
  const subject = (mail.subject ?? '').replace(/\s+/g, ' ').trim()
  const said = parseMessageText(mail.text ?? textOfHtml(mail.html ?? ''))
  return {
    ...said,
    claim,
    bugId: claim.bugId ?? bugInSubject(subject) ?? bugInThread(mail),
    subject: subject.replace(/^((re|aw|fwd?|sv|tr)\s*:\s*)+/i, ''),
    files: mail.attachments.map(fileFrom),
    digest: digest(mail.messageId ?? digest(raw.toString('latin1'))),
  }
}

/**
 * Why an automatic message is refused, so that two programs do not answer each other forever: automatic replies,
 * mailing lists, delivery reports, mail loops, and our own mail.
 */
function whyAutomatic(mail: Email): string | undefined {
  const all = (name: string) =>
    mail.headers.filter(({ key }) => key === name).map(({ value }) => value.trim().toLowerCase())
  const is = (name: string, pattern: RegExp) => all(name).some((value) => pattern.test(value))
  const has = (...names: string[]) => names.some((name) => all(name).length > 0)
  if (has('x-tracker-type', 'x-bugzilla-type')) return 'a tracker sent it'
  if (is('auto-submitted', /^(?!no\b)/)) return 'it was sent automatically'
  if (is('precedence', /^(bulk|junk|list|auto[-_]?reply)/)) return 'it is bulk mail or an automatic reply'
  if (has('x-autoreply', 'x-autorespond', 'x-autoresponder', 'x-auto-reply')) return 'it is an automatic reply'
  if (has('list-id', 'list-unsubscribe', 'feedback-id')) return 'it comes from a mailing list'
  if (is('content-type', /^multipart\/report/)) return 'it is a delivery report'
  if (is('return-path', /^<>$/)) return 'its return path is empty'
  if (is('from', /\b(mailer-daemon|postmaster|no-?reply)@/)) return 'its sender is a program'
  if (all('received').length > MOST_HOPS) return 'it went through too many mail servers'
  return undefined
}

const MOST_HOPS = 50

/** The recipients, by the headers and by the mail server. */
function addressesIn(mail: Email): string[] {
  const written = [...(mail.to ?? []), ...(mail.cc ?? []), ...(mail.bcc ?? [])].flatMap(plainAddresses)
  const delivered = mail.headers.filter(({ key }) => DELIVERED.includes(key)).map(({ value }) => value)
  return [...delivered, ...written].map((address) => address.replace(/^.*<|>.*$/g, ''))
}

const DELIVERED = ['delivered-to', 'x-original-to', 'envelope-to', 'x-envelope-to']

function plainAddresses(address: Address): string[] {
  return address.group === undefined ? [address.address] : address.group.map((it) => it.address)
}

function bugInSubject(subject: string): number | undefined {
  const [, id] = /\[bug\s+(\d{1,9})\]/i.exec(subject) ?? []
  return id === undefined ? undefined : Number(id)
}

/** Parses our own message ids; see mail/headers/thread.ts. */
function bugInThread({ inReplyTo = '', references = '' }: Email): number | undefined {
  const [, id] = /<bug-(\d{1,9})-\d+[^<>\s]*@/.exec(`${inReplyTo} ${references}`) ?? []
  return id === undefined ? undefined : Number(id)
}

function fileFrom({ filename, mimeType, content }: Email['attachments'][number], index: number): IncomingFile {
  const bytes = typeof content === 'string' ? Buffer.from(content) : Buffer.from(content as ArrayBuffer)
  return { name: nameIn(filename) || `file-${index + 1}`, type: mimeType || 'application/octet-stream', bytes }
}

/** The file name without folders, on one line. */
function nameIn(input: string | null): string {
  return (input ?? '')
    .replace(/^.*[\\/]/, '')
    .replace(/\p{Cc}+/gu, ' ')
    .trim()
}
