import { errors } from '../../errors.ts'

const DEEPEST = 32
const MOST_VALUES = 20_000
const LONGEST_NUMBER = 1000
/** Strings of at least this many bytes are recorded. */
export const LONG_STRING = 1024 * 1024

/** The position of a string, without its quotes. */
export interface Span {
  readonly start: number
  readonly end: number
}

/**
 * Scans JSON before it is parsed, and refuses what would take long to parse: deep nesting, very many values, endless
 * numbers. It does not recurse, and stops at the first violation. It does not check whether the input is valid JSON.
 */
export class JsonScan {
  readonly longStrings: Span[] = []
  private readonly bytes: Buffer
  private at = 0
  private depth = 0
  private values = 0
  private numberFrom = 0

  constructor(bytes: Buffer) {
    this.bytes = bytes
  }

  /** Continues for about this many bytes. Returns true at the end. */
  advance(count: number): boolean {
    const { bytes } = this
    const until = Math.min(bytes.length, this.at + count)
    while (this.at < until) {
      const byte = bytes[this.at] as number
      if (byte === QUOTE) this.skipString()
      else {
        if (byte === COMMA) this.countValue()
        else if (byte === OPEN_BRACE || byte === OPEN_BRACKET) this.open()
        else if (byte === CLOSE_BRACE || byte === CLOSE_BRACKET) this.depth--
        else if (byte > SPACE) {
          if (++this.at - this.numberFrom > LONGEST_NUMBER)
            throw errors.body_over_limits({ why: `it contains a number of more than ${LONGEST_NUMBER} digits` })
          continue
        }
        this.at++
      }
      this.numberFrom = this.at
    }
    return this.at >= bytes.length
  }

  private open() {
    if (++this.depth > DEEPEST) throw errors.body_over_limits({ why: `it is nested deeper than ${DEEPEST} levels` })
    this.countValue()
  }

  private countValue() {
    if (++this.values > MOST_VALUES) throw errors.body_over_limits({ why: `it has more than ${MOST_VALUES} values` })
  }

  private skipString() {
    const start = this.at + 1
    const end = endOfString(this.bytes, start)
    if (end - start >= LONG_STRING) this.longStrings.push({ start, end })
    this.at = end + 1
  }
}

/** The position of the quote that ends the string, or the end of the body. Most of a long string is skipped at once. */
function endOfString(bytes: Buffer, start: number): number {
  let at = start
  for (;;) {
    const stop = Math.min(bytes.length, at + LOOKED_AT_SINGLY)
    while (at < stop) {
      const byte = bytes[at]
      if (byte === QUOTE) return at
      at += byte === BACKSLASH ? 2 : 1
    }
    if (at >= bytes.length) return bytes.length
    const quote = bytes.indexOf(QUOTE, at)
    if (quote === -1) return bytes.length
    let from = quote
    while (from > at && bytes[from - 1] === BACKSLASH) from--
    const isEscaped = (quote - from) % 2 === 1
    if (!isEscaped) return quote
    at = quote + 1
  }
}

const LOOKED_AT_SINGLY = 64

const [BACKSLASH, QUOTE, OPEN_BRACE, CLOSE_BRACE, OPEN_BRACKET, CLOSE_BRACKET, COMMA, SPACE] = [...'\\"{}[], '].map(
  (it) => it.charCodeAt(0),
) as [number, number, number, number, number, number, number, number]
