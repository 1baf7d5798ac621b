import { createHash } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import type { Settings } from '../../../platform/config/settings.ts'
import type { Content } from '../../../platform/contents/content-store.ts'
import { errors } from '../../../platform/errors.ts'

/** Characters that are decoded at once. Other requests run between two steps. */
const STEP = 512 * 1024

/** Largest attachment, in KiB. */
export function mostKibibytes({ maxattachmentsize, maxlocalattachment }: Settings) {
  return Math.max(maxattachmentsize, maxlocalattachment * 1024)
}

/** Leaves room for base64 with line breaks and for the other parameters. */
export function largestBody(settings: Settings) {
  const most = mostKibibytes(settings)
  return { bytes: Math.ceil(most * 1024 * 1.4) + 1024 * 1024, refusal: () => errors.attachment_too_large({ most }) }
}

/** Only the first MiB of a text is searchable. */
const MOST_SEARCHED = 1024 * 1024

/** The content as text, or its beginning if it is long; undefined if it is not text. */
export function textOfContent(bytes: Buffer): string | undefined {
  try {
    const decoder = new TextDecoder('utf-8', { fatal: true })
    const text = decoder.decode(bytes.subarray(0, MOST_SEARCHED), { stream: bytes.length > MOST_SEARCHED })
    return text.includes('\0') ? undefined : text
  } catch {
    return undefined
  }
}

/** Decodes base64, with line breaks anywhere. Throws 606 if it is not base64 or empty, and 600 if the content is too large. */
export async function decodeContent(data: string, settings: Settings): Promise<Content> {
  const most = mostKibibytes(settings)
  const hash = createHash('sha256')
  const pieces: Buffer[] = []
  let size = 0
  let rest = ''
  for (let at = 0; at < data.length; at += STEP) {
    if (at > 0) await setImmediate()
    const text = rest + data.slice(at, at + STEP).replace(/[ \t\r\n]+/g, '')
    // The last four characters may be the end, where padding is.
    const whole = Math.max(0, text.length - 4 - (text.length % 4))
    const piece = decoded(text.slice(0, whole), WHOLE)
    rest = text.slice(whole)
    hash.update(piece)
    pieces.push(piece)
    size += piece.length
    if (size > most * 1024) throw errors.attachment_too_large({ most })
  }
  const end = decoded(rest, ENDING)
  hash.update(end)
  pieces.push(end)
  size += end.length
  if (size === 0) throw errors.attachment_empty()
  if (size > most * 1024) throw errors.attachment_too_large({ most })
  return { digest: hash.digest('hex'), bytes: Buffer.concat(pieces) }
}

const WHOLE = /^[A-Za-z0-9+/]*$/
const ENDING = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/

function decoded(text: string, form: RegExp): Buffer {
  if (!form.test(text)) throw errors.attachment_empty()
  return Buffer.from(text, 'base64')
}
