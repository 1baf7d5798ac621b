/** Thrown if a parser needs bytes that have not arrived yet. It begins again when there are more. */
export const NEED_MORE = Symbol('need more')

/**
 * The part of a stream that is not parsed yet. It grows only while one row does not fit; a parser that starts a row
 * again does so after the window has doubled, so that a large row is not read over and over.
 */
export class ByteWindow {
  bytes: Buffer = Buffer.alloc(0)
  position = 0
  isEnded = false
  /** The offset of the window in the stream, for messages. */
  private before = 0
  private pending: Buffer[] = []
  private pendingBytes = 0
  /** The position of a backslash, or Infinity, and from where it is the first one. */
  private backslash = { from: 0, at: -1 }

  get offset() {
    return this.before + this.position
  }

  /** The bytes that wait to be parsed. */
  get left() {
    return this.bytes.length - this.position
  }

  push(chunk: Buffer) {
    this.pending.push(chunk)
    this.pendingBytes += chunk.length
  }

  /** Whether enough has arrived to parse on. */
  isWorthParsing() {
    return this.isEnded || this.pendingBytes >= Math.max(this.left, 1)
  }

  /** Appends what has arrived, and drops what is parsed. */
  refill() {
    if (this.pendingBytes === 0) return
    const rest = this.bytes.subarray(this.position)
    this.before += this.position
    this.bytes =
      rest.length === 0 && this.pending.length === 1
        ? (this.pending[0] as Buffer)
        : Buffer.concat([rest, ...this.pending])
    this.position = 0
    this.backslash = { from: 0, at: -1 }
    this.pending = []
    this.pendingBytes = 0
  }

  /** The byte at the position; throws NEED_MORE at the end of the window, and returns -1 at the end of the stream. */
  peek(ahead = 0): number {
    const at = this.position + ahead
    if (at < this.bytes.length) return this.bytes[at] as number
    if (this.isEnded) return -1
    throw NEED_MORE
  }

  /** The position of the next backslash; -1 if there is none. Searched once, because most texts have none. */
  nextBackslash(from: number): number {
    const { backslash } = this
    if (from < backslash.from || from > backslash.at) {
      const at = this.bytes.indexOf(0x5c, from)
      this.backslash = { from, at: at === -1 ? Number.POSITIVE_INFINITY : at }
    }
    return this.backslash.at === Number.POSITIVE_INFINITY ? -1 : this.backslash.at
  }

  /** The position of the byte; throws NEED_MORE if it is not in the window. */
  find(byte: number, from = this.position): number {
    const at = this.bytes.indexOf(byte, from)
    if (at === -1) throw NEED_MORE
    return at
  }

  text(from: number, to: number): string {
    return this.bytes.toString('latin1', from, to)
  }
}
