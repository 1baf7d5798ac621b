import type { Settings } from '../../../platform/config/settings.ts'
import type { AttachmentRow } from './attachment-view-store.ts'

/** Content types that a browser shows without running anything in them. */
const DISPLAYED_TYPES = new Set([
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

/** Content types that are sent by name, so that the right program opens the saved file. */
const NAMED_TYPES = new Set(['application/pdf', 'application/zip', 'application/gzip', 'application/x-tar'])

/** With these headers a browser saves even a web page as bytes. If it shows the page after all, no script in it runs. */
const SAFE_HEADERS = {
  'X-Content-Type-Options': 'nosniff',
  'Content-Security-Policy':
    "default-src 'none'; style-src 'unsafe-inline'; sandbox; frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
  'Cross-Origin-Resource-Policy': 'same-origin',
  'X-Download-Options': 'noopen',
  'Accept-Ranges': 'none',
  // A shared cache could give the content to users who may not see it.
  'Cache-Control': 'private, no-store',
}

/** Response headers that are safe for any content, whatever type the user who attached it claims. */
export function downloadHeaders(
  { file_name, content_type }: Pick<AttachmentRow, 'file_name' | 'content_type'>,
  { allow_attachment_display }: Pick<Settings, 'allow_attachment_display'>,
): Record<string, string> {
  const type = safeType(content_type)
  const disposition = allow_attachment_display && DISPLAYED_TYPES.has(bareType(type)) ? 'inline' : 'attachment'
  return {
    ...SAFE_HEADERS,
    'Content-Type': type,
    'Content-Disposition': `${disposition}; ${fileNameParameters(file_name)}`,
  }
}

/** Types that are not known to be harmless become application/octet-stream. */
function safeType(contentType: string): string {
  const type = bareType(contentType)
  if (type === 'text/plain') return `text/plain; charset=${safeCharset(contentType)}`
  return DISPLAYED_TYPES.has(type) || NAMED_TYPES.has(type) ? type : 'application/octet-stream'
}

function bareType(contentType: string) {
  return (contentType.split(';')[0] ?? '').trim().toLowerCase()
}

/** Only charsets in which ASCII characters, and so HTML tags, keep their codes. */
function safeCharset(contentType: string) {
  const [, charset] = /;\s*charset=(us-ascii|iso-8859-\d{1,2}|windows-125\d|koi8-[ru])$/i.exec(contentType) ?? []
  return charset ?? 'UTF-8'
}

/** As in RFC 6266: an ASCII name for old clients and the full name for others. No character of a name can end the header. */
function fileNameParameters(fileName: string) {
  const plain = fileName.replace(/[^\x20-\x7e]/gu, '_').replace(/["\\%]/g, '_')
  const whole = encodeURIComponent(fileName).replace(
    /['()*!]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  return `filename="${plain}"; filename*=UTF-8''${whole}`
}
