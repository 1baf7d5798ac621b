import type { SMTPServerSession } from 'smtp-server'

/** A received message. */
export interface ReceivedMail {
  /** The recipients of the envelope, which may differ from the headers. */
  recipients: string[]
  sender: string
  /** Decoded headers, by name in lower case. */
  headers: ReadonlyMap<string, string[]>
  subject: string
  text: string
  html: string | undefined
  raw: string
}

export function parseMail(bytes: Buffer, session?: SMTPServerSession): ReceivedMail {
  const raw = bytes.toString('latin1')
  const { headers, body } = partOf(raw)
  const parts = partsOf(headers, body)
  const content = (type: string) =>
    parts.find((part) => (part.headers.get('content-type')?.[0] ?? 'text/plain').startsWith(type))
  const html = content('text/html')
  return {
    recipients: session?.envelope.rcptTo.map(({ address }) => address) ?? [],
    sender: session?.envelope.mailFrom ? session.envelope.mailFrom.address : '',
    headers,
    subject: headers.get('subject')?.[0] ?? '',
    text: decoded(content('text/plain')),
    html: html && decoded(html),
    raw,
  }
}

interface Part {
  headers: Map<string, string[]>
  body: string
}

function partOf(raw: string): Part {
  const end = raw.indexOf('\r\n\r\n')
  const headers = new Map<string, string[]>()
  for (const line of raw
    .slice(0, end)
    .replace(/\r\n[ \t]+/g, ' ')
    .split('\r\n')) {
    const name = line.slice(0, line.indexOf(':')).toLowerCase()
    headers.set(name, [...(headers.get(name) ?? []), words(line.slice(line.indexOf(':') + 1).trim())])
  }
  return { headers, body: raw.slice(end + 4) }
}

function partsOf(headers: Map<string, string[]>, body: string): Part[] {
  const boundary = /boundary="([^"]+)"/.exec(headers.get('content-type')?.[0] ?? '')?.[1]
  if (boundary === undefined) return [{ headers, body }]
  return body
    .split(`--${boundary}`)
    .slice(1, -1)
    .map((part) => partOf(part.replace(/^\r\n/, '')))
}

function decoded(part: Part | undefined): string {
  if (part === undefined) return ''
  const encoding = part.headers.get('content-transfer-encoding')?.[0]
  const bytes =
    encoding === 'base64'
      ? Buffer.from(part.body, 'base64')
      : Buffer.from(encoding === 'quoted-printable' ? unquoted(part.body.replace(/=\r\n/g, '')) : part.body, 'latin1')
  return bytes.toString('utf8').replaceAll('\r\n', '\n')
}

function unquoted(text: string) {
  return text.replace(/=([0-9A-F]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
}

/** Decodes encoded words of a header, as in RFC 2047. */
function words(text: string) {
  return text
    .replace(/(\?=)\s+(=\?)/g, '$1$2')
    .replace(/=\?utf-8\?([QB])\?([^?]*)\?=/gi, (_, kind: string, word: string) =>
      Buffer.from(
        kind.toUpperCase() === 'B'
          ? Buffer.from(word, 'base64').toString('latin1')
          : unquoted(word.replaceAll('_', ' ')),
        'latin1',
      ).toString('latin1'),
    )
    .replace(/[\x80-\xff]+/g, (bytes) => Buffer.from(bytes, 'latin1').toString('utf8'))
}
