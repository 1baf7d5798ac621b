import { type ByteWindow, NEED_MORE } from './byte-window.ts'
import { type DumpKind, type DumpValue, UnreadableDump } from './dump-value.ts'
import { quotedText, textIn } from './quoted-text.ts'

export const QUOTE = 0x27
export const DOUBLE_QUOTE = 0x22
export const BACKTICK = 0x60
const UNDERSCORE = 0x5f
const NEWLINE = 0x0a

/** Skips white space and comments, whose texts `onComment` gets. */
export function skipSpace(window: ByteWindow, onComment: (text: string) => void = ignore) {
  for (;;) {
    const byte = window.peek()
    if (byte === 0x20 || (byte >= 0x09 && byte <= 0x0d)) window.position++
    else if (byte === 0x2d && isLineComment(window)) skipLine(window, onComment)
    else if (byte === 0x23) skipLine(window, onComment)
    else if (byte === 0x2f && window.peek(1) === 0x2a) skipBlockComment(window, onComment)
    else return
  }
}

function ignore() {}

function isLineComment(window: ByteWindow) {
  return window.peek(1) === 0x2d
}

/** A comment or a command of psql, up to the end of the line. */
export function skipLine(window: ByteWindow, onText: (text: string) => void = () => {}) {
  let end = window.bytes.indexOf(NEWLINE, window.position)
  if (end === -1) {
    if (!window.isEnded) throw NEED_MORE
    end = window.bytes.length
  }
  onText(window.text(window.position, end))
  window.position = Math.min(end + 1, window.bytes.length)
}

export function skipBlockComment(window: ByteWindow, onComment: (text: string) => void) {
  const end = window.bytes.indexOf('*/', window.position + 2, 'latin1')
  if (end === -1) throw NEED_MORE
  onComment(window.text(window.position, Math.min(end, window.position + 200)))
  window.position = end + 2
}

/** A word of letters, digits, _ and $; empty if there is none. */
export function readWord(window: ByteWindow): string {
  let end = window.position
  for (;;) {
    if (end >= window.bytes.length) {
      if (!window.isEnded) throw NEED_MORE
      break
    }
    if (!isWordByte(window.bytes[end] as number)) break
    end++
  }
  const word = window.text(window.position, end)
  window.position = end
  return word
}

function isWordByte(byte: number) {
  return (
    (byte >= 0x30 && byte <= 0x39) ||
    (byte >= 0x41 && byte <= 0x5a) ||
    (byte >= 0x61 && byte <= 0x7a) ||
    byte === UNDERSCORE ||
    byte === 0x24 ||
    byte >= 0x80
  )
}

/** The name of a table or column, in any quotes; of `schema.table` the last part. */
export function readName(window: ByteWindow): string {
  skipSpace(window)
  const byte = window.peek()
  let name: string
  if (byte === BACKTICK || byte === DOUBLE_QUOTE || byte === QUOTE) name = quotedName(window, byte)
  else if (byte === 0x5b) name = quotedName(window, 0x5d)
  else name = readWord(window)
  if (window.peek() !== 0x2e) return name
  window.position++
  return readName(window)
}

export function quotedName(window: ByteWindow, quote: number): string {
  const end = window.find(quote, window.position + 1)
  const name = window.bytes.toString('utf8', window.position + 1, end)
  window.position = end + 1
  return name
}

/** One value of an INSERT statement. */
export function readValue(window: ByteWindow, kind: DumpKind): DumpValue {
  skipSpace(window)
  const byte = window.peek()
  if (byte === QUOTE || byte === DOUBLE_QUOTE) return textIn(window, byte, kind === 'mysql')
  if (byte === 0x28) return inBrackets(window, kind)
  const isNumber = (byte >= 0x30 && byte <= 0x39) || byte === 0x2d || byte === 0x2b || byte === 0x2e
  return isNumber ? readNumber(window) : readWordValue(window, kind)
}

function inBrackets(window: ByteWindow, kind: DumpKind): DumpValue {
  window.position++
  const value = readValue(window, kind)
  skipSpace(window)
  if (window.peek() !== 0x29) throw unreadable(window, 'a closing bracket is missing')
  window.position++
  return value
}

function readNumber(window: ByteWindow): DumpValue {
  if (window.peek() === 0x30 && (window.peek(1) | 0x20) === 0x78) {
    window.position += 2
    return { bytes: Buffer.from(readDigits(window), 'hex'), isBinary: true }
  }
  let end = window.position
  let isWhole = true
  for (;;) {
    const byte = end < window.bytes.length ? (window.bytes[end] as number) : window.isEnded ? -1 : needMore()
    const isSign = byte === 0x2d || byte === 0x2b
    const isExponent = (byte | 0x20) === 0x65
    if (!((byte >= 0x30 && byte <= 0x39) || isSign || isExponent || byte === 0x2e)) break
    if (isExponent || byte === 0x2e) isWhole = false
    end++
  }
  const digits = window.text(window.position, end)
  if (digits === '') throw unreadable(window, 'a value is missing')
  window.position = end
  const number = Number(digits)
  return isWhole && Number.isSafeInteger(number) ? number : digits
}

/** The digits of a blob, which can be very many: up to the comma or the bracket behind them. */
function readDigits(window: ByteWindow): string {
  const { bytes, position } = window
  const bracket = bytes.indexOf(0x29, position)
  const comma = bytes.subarray(0, bracket === -1 ? bytes.length : bracket).indexOf(0x2c, position)
  const end = comma === -1 ? bracket : comma
  if (end === -1) throw NEED_MORE
  window.position = end
  return window.text(position, end).trimEnd()
}

function needMore(): never {
  throw NEED_MORE
}

/** NULL, TRUE, and texts with a prefix: `x'…'`, `_binary '…'`, `E'…'`. */
function readWordValue(window: ByteWindow, kind: DumpKind): DumpValue {
  const word = readWord(window).toLowerCase()
  if (word === '') throw unreadable(window, 'a value is missing')
  if (word === 'null' || word === 'default') return null
  if (word === 'true' || word === 'false') return word === 'true' ? 1 : 0
  if (word.startsWith('_') || word.length === 1) skipSpace(window)
  const quote = window.peek()
  if (quote !== QUOTE && quote !== DOUBLE_QUOTE) throw unreadable(window, `${JSON.stringify(word)} is not a value`)
  if (word === 'x')
    return { bytes: Buffer.from(quotedText(window, quote, false).bytes.toString('latin1'), 'hex'), isBinary: true }
  if (word === 'b') return bits(quotedText(window, quote, false).bytes.toString('latin1'))
  const value = quotedText(window, quote, kind === 'mysql' || word === 'e')
  return word === '_binary' ? { ...value, isBinary: true } : value
}

function bits(digits: string): DumpValue {
  return /^[01]{1,32}$/.test(digits) ? Number.parseInt(digits, 2) : 0
}

/** What is damaged at the very end was cut off there. */
export function unreadable(window: ByteWindow, what: string) {
  if (window.isEnded && window.position >= window.bytes.length) return NEED_MORE
  return new UnreadableDump(`The dump cannot be read at byte ${window.offset}: ${what}.`)
}
