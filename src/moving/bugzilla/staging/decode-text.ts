import { isUtf8 } from 'node:buffer'

export interface DecodedText {
  readonly text: string
  /** What is odd about it, as a part of a sentence; undefined if nothing is. */
  readonly oddity: string | undefined
}

const windows1252 = new TextDecoder('windows-1252')

/**
 * The text of a column. Old databases have bytes of other character sets in columns of UTF-8: what is not UTF-8 is read
 * as Windows-1252, which includes Latin-1 and can read every byte.
 */
export function decodeText(bytes: Buffer): DecodedText {
  if (!isUtf8(bytes))
    return { text: withoutNul(windows1252.decode(bytes)), oddity: 'was not UTF-8 and was read as Windows-1252' }
  const text = bytes.toString('utf8')
  if (text.length === bytes.length) {
    if (!text.includes('\0')) return { text, oddity: undefined }
    return { text: withoutNul(text), oddity: 'had NUL characters, which were removed' }
  }
  if (text.includes('\0')) return { text: withoutNul(text), oddity: 'had NUL characters, which were removed' }
  return { text, oddity: TWICE_ENCODED.test(text) ? 'seems to be encoded twice and was left as it is' : undefined }
}

/** No PostgreSQL text can have them. */
function withoutNul(text: string) {
  return text.replaceAll('\0', '')
}

/** `Ã¼` for `ü`, `â€œ` for a quotation mark. */
const TWICE_ENCODED =
  /[\u00c2-\u00c5][\u0080-\u00bf\u0152\u0153\u0160\u0161\u0178\u017d\u017e\u0192\u02c6\u02dc\u2013\u2014\u2018-\u201e\u2020-\u2022\u2026\u2030\u2039\u203a\u20ac\u2122]|\u00e2[\u0080\u20ac][\u0080-\u00bf\u0152\u0153\u0160-\u0178\u2013-\u2122]/
