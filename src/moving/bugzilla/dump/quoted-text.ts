import { type ByteWindow, NEED_MORE } from './byte-window.ts'
import type { DumpValue } from './dump-value.ts'

const BACKSLASH = 0x5c

/** The same as quotedText, as a text if that needs no decoding, which most need not. */
export function textIn(window: ByteWindow, quote: number, hasEscapes: boolean): DumpValue {
  const { bytes } = window
  const start = window.position + 1
  const end = bytes.indexOf(quote, start)
  if (end === -1) throw NEED_MORE
  const backslash = hasEscapes ? window.nextBackslash(start) : -1
  const isPlain = (backslash === -1 || backslash > end) && end + 1 < bytes.length && bytes[end + 1] !== quote
  if (!isPlain) return quotedText(window, quote, hasEscapes)
  window.position = end + 1
  return asciiIn(bytes, start, end) ?? { bytes: bytes.subarray(start, end), isBinary: false }
}

/** The text if all bytes are ASCII: only then it has as many characters as bytes, and none that stands for damage. */
export function asciiIn(bytes: Buffer, start: number, end: number): string | undefined {
  const text = bytes.toString('utf8', start, end)
  return text.length === end - start && !text.includes('\ufffd') ? text : undefined
}

/** A quoted text from its opening quote on. */
export function quotedText(
  window: ByteWindow,
  quote: number,
  hasEscapes: boolean,
): { bytes: Buffer; isBinary: boolean } {
  const { bytes } = window
  const start = window.position + 1
  let needsWork = false
  let at = start
  // Most texts have neither escapes nor quotes, so the native search finds their end at once.
  let backslash = hasEscapes ? window.nextBackslash(at) : -1
  for (;;) {
    const end = bytes.indexOf(quote, at)
    if (end === -1) throw NEED_MORE
    if (backslash !== -1 && backslash < end) {
      needsWork = true
      at = backslash + 2
      backslash = window.nextBackslash(at)
      continue
    }
    if (end + 1 >= bytes.length && !window.isEnded) throw NEED_MORE
    if (bytes[end + 1] === quote) {
      needsWork = true
      at = end + 2
      continue
    }
    window.position = end + 1
    const raw = bytes.subarray(start, end)
    return { bytes: needsWork ? unescaped(raw, quote, hasEscapes) : raw, isBinary: false }
  }
}

/** The characters that a backslash and a letter stand for, on both engines of Bugzilla. */
export const ESCAPES: readonly (readonly [letter: number, character: number])[] = [
  [0x62, 0x08],
  [0x66, 0x0c],
  [0x6e, 0x0a],
  [0x72, 0x0d],
  [0x74, 0x09],
  [0x76, 0x0b],
]
const MYSQL_ESCAPES = new Map<number, number>([...ESCAPES, [0x30, 0x00], [0x5a, 0x1a]])

/** Replaces escapes and doubled quotes. `\%` and `\_` are those characters in a text, as any other character is. */
function unescaped(raw: Buffer, quote: number, hasEscapes: boolean): Buffer {
  const result = Buffer.allocUnsafe(raw.length)
  let length = 0
  let at = 0
  let nextQuote = raw.indexOf(quote)
  let nextEscape = hasEscapes ? raw.indexOf(BACKSLASH) : -1
  // Copies what is between two special characters at once.
  while (nextQuote !== -1 || nextEscape !== -1) {
    const isEscape = nextEscape !== -1 && (nextQuote === -1 || nextEscape < nextQuote)
    const special = isEscape ? nextEscape : nextQuote
    length += raw.copy(result, length, at, special)
    const byte = raw[special + 1] ?? raw[special]
    result[length++] = isEscape ? (MYSQL_ESCAPES.get(byte as number) ?? (byte as number)) : quote
    at = special + 2
    if (nextQuote !== -1 && nextQuote < at) nextQuote = raw.indexOf(quote, at)
    if (nextEscape !== -1 && nextEscape < at) nextEscape = raw.indexOf(BACKSLASH, at)
  }
  length += raw.copy(result, length, at)
  return result.subarray(0, length)
}
