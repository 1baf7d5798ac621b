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
  if (!isUtf8(bytes)) return decodeOther(bytes)
  const text = bytes.toString('utf8')
  if (text.length === bytes.length) {
    if (!text.includes('\0')) return { text, oddity: undefined }
    return { text: withoutNul(text), oddity: 'had NUL characters, which were removed' }
  }
  if (text.includes('\0')) return { text: withoutNul(text), oddity: 'had NUL characters, which were removed' }
  return { text, oddity: TWICE_ENCODED.test(text) ? 'seems to be encoded twice and was left as it is' : undefined }
}

function decodeOther(bytes: Buffer): DecodedText {
  const joined = withJoinedSurrogates(bytes)
  if (isUtf8(joined))
    return {
      text: withoutNul(joined.toString('utf8')),
      oddity: 'had characters in two parts (CESU-8), which were joined',
    }
  const whole = withoutCutCharacter(joined)
  if (whole !== undefined)
    return { text: withoutNul(whole.toString('utf8')), oddity: 'ended within a character, which was removed' }
  return decodeMixed(joined)
}

const UTF_8 =
  /((?:[\xc2-\xdf][\x80-\xbf]|\xe0[\xa0-\xbf][\x80-\xbf]|[\xe1-\xec\xee\xef][\x80-\xbf]{2}|\xed[\x80-\x9f][\x80-\xbf]|\xf0[\x90-\xbf][\x80-\xbf]{2}|[\xf1-\xf3][\x80-\xbf]{3}|\xf4[\x80-\x8f][\x80-\xbf]{2})+)/

const HALF_CHARACTER = /\xed[\xa0-\xbf][\x80-\xbf]/g

/** What is UTF-8 stays, such as the rest of a text with one damaged byte. */
function decodeMixed(bytes: Buffer): DecodedText {
  const parts = bytes.toString('latin1').replaceAll(HALF_CHARACTER, '\xef\xbf\xbd').split(UTF_8)
  const text = parts
    .map((part, index) => {
      const own = Buffer.from(part, 'latin1')
      return index % 2 === 1 ? own.toString('utf8') : windows1252.decode(own)
    })
    .join('')
  const isMixed = parts.length > 1
  const how = isMixed ? 'was UTF-8 only in parts; the rest was read' : 'was not UTF-8 and was read'
  return { text: withoutNul(text), oddity: `${how} as Windows-1252` }
}

const SURROGATES = /\xed([\xa0-\xaf])([\x80-\xbf])\xed([\xb0-\xbf])([\x80-\xbf])/g

/** Some programs write a character beyond U+FFFF as two surrogates of three bytes each. */
function withJoinedSurrogates(bytes: Buffer): Buffer {
  const text = bytes.toString('latin1')
  if (!text.includes('\xed')) return bytes
  const joined = text.replace(SURROGATES, (pair) => {
    const [, a = 0, b = 0, , c = 0, d = 0] = Buffer.from(pair, 'latin1')
    const [high, low] = [((a & 0x0f) << 6) | (b & 0x3f), ((c & 0x0f) << 6) | (d & 0x3f)]
    return Buffer.from(String.fromCodePoint(0x10000 + (high << 10) + low)).toString('latin1')
  })
  return Buffer.from(joined, 'latin1')
}

/**
 * Without the last character if only a part of its bytes is there, because the text was cut at a number of bytes. Undefined if the rest does
 * not look like UTF-8: it must be valid and have a character that is not ASCII.
 */
function withoutCutCharacter(bytes: Buffer): Buffer | undefined {
  for (let cut = 1; cut <= 3 && cut < bytes.length; cut++) {
    if ((bytes[bytes.length - cut] as number) < 0xc0) continue
    const whole = bytes.subarray(0, -cut)
    return isUtf8(whole) && whole.some((byte) => byte >= 0x80) ? whole : undefined
  }
  return undefined
}

/** No PostgreSQL text can have them. */
function withoutNul(text: string) {
  return text.replaceAll('\0', '')
}

/** `Ã¼` for `ü`, `â€œ` for a quotation mark. */
const TWICE_ENCODED =
  /[\u00c2-\u00c5][\u0080-\u00bf\u0152\u0153\u0160\u0161\u0178\u017d\u017e\u0192\u02c6\u02dc\u2013\u2014\u2018-\u201e\u2020-\u2022\u2026\u2030\u2039\u203a\u20ac\u2122]|\u00e2[\u0080\u20ac][\u0080-\u00bf\u0152\u0153\u0160-\u0178\u2013-\u2122]/
