import type { Settings } from '../../../platform/config/settings.ts'
import type { AttachmentRow } from './attachment-view-store.ts'

/** Kinds of content that a browser shows without running anything of it. */
const SHOWN = new Set([
  'text/plain',
  'image/png',
  'image/jpeg',
  'image/gif',
  'image/webp',
  'image/avif',
  'image/bmp',
  'audio/mpeg',
  'audio/ogg',
  'audio/wav',
  'audio/webm',
  'video/mp4',
  'video/ogg',
  'video/webm',
])

/** Kinds that are told by their name, so that the right program opens them once they are saved. */
const SAVED = new Set(['application/pdf', 'application/zip', 'application/gzip', 'application/x-tar'])

/** With these, even what is a page comes as bytes to be saved; and should it be shown all the same, it can do nothing. */
const HARMLESS = {
  'X-Content-Type-Options': 'nosniff',
  'Content-Security-Policy':
    "default-src 'none'; style-src 'unsafe-inline'; sandbox; frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
  'Cross-Origin-Resource-Policy': 'same-origin',
  'X-Download-Options': 'noopen',
  'Accept-Ranges': 'none',
  // Nobody may keep it who could give it to somebody else.
  'Cache-Control': 'private, no-store',
}

/** The headers under which the content of an attachment is given out, whatever whoever attached it says that it is. */
export function downloadHeaders(
  { file_name, content_type }: Pick<AttachmentRow, 'file_name' | 'content_type'>,
  { allow_attachment_display }: Pick<Settings, 'allow_attachment_display'>,
): Record<string, string> {
  const type = safeType(content_type)
  const disposition = allow_attachment_display && SHOWN.has(bareType(type)) ? 'inline' : 'attachment'
  return { ...HARMLESS, 'Content-Type': type, 'Content-Disposition': `${disposition}; ${namedAs(file_name)}` }
}

/** What is not known to be harmless is told as mere bytes. */
function safeType(contentType: string): string {
  const type = bareType(contentType)
  if (type === 'text/plain') return `text/plain; charset=${safeCharset(contentType)}`
  return SHOWN.has(type) || SAVED.has(type) ? type : 'application/octet-stream'
}

function bareType(contentType: string) {
  return (contentType.split(';')[0] ?? '').trim().toLowerCase()
}

/** Only those in which every character of a tag is itself. */
function safeCharset(contentType: string) {
  const [, charset] = /;\s*charset=(us-ascii|iso-8859-\d{1,2}|windows-125\d|koi8-[ru])$/i.exec(contentType) ?? []
  return charset ?? 'UTF-8'
}

/** As RFC 6266 has it: plain characters for old clients, and all of them for the others. Nothing of a name can end the header. */
function namedAs(fileName: string) {
  const plain = fileName.replace(/[^\x20-\x7e]/gu, '_').replace(/["\\%]/g, '_')
  const whole = encodeURIComponent(fileName).replace(
    /['()*!]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  return `filename="${plain}"; filename*=UTF-8''${whole}`
}
