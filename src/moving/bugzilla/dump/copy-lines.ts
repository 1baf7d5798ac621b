import { type ByteWindow, NEED_MORE } from './byte-window.ts'
import type { DumpValue } from './dump-value.ts'
import { asciiIn, ESCAPES } from './quoted-text.ts'

const TAB = 0x09
const NEWLINE = 0x0a
const CARRIAGE_RETURN = 0x0d
const BACKSLASH = 0x5c

const COPY_ESCAPES = new Map<number, number>(ESCAPES)

/** One line of COPY … FROM stdin: values between tabs. Undefined for the line `\.`, which ends the table. */
export function readCopyLine(window: ByteWindow): DumpValue[] | undefined {
  const { bytes } = window
  const newline = bytes.indexOf(NEWLINE, window.position)
  if (newline === -1) throw NEED_MORE
  const start = window.position
  window.position = newline + 1
  // Windows ends lines with two characters. Within a value, pg_dump escapes both.
  const end = newline > start && bytes[newline - 1] === CARRIAGE_RETURN ? newline - 1 : newline
  if (bytes[start] === BACKSLASH && bytes[start + 1] === 0x2e) return undefined
  const values: DumpValue[] = []
  for (let at = start; ; ) {
    const tab = bytes.indexOf(TAB, at)
    const to = tab === -1 || tab > end ? end : tab
    values.push(valueIn(bytes, at, to))
    if (to === end) return values
    at = to + 1
  }
}

function valueIn(bytes: Buffer, start: number, end: number): DumpValue {
  if (end - start === 2 && bytes[start] === BACKSLASH && bytes[start + 1] === 0x4e) return null
  const text = asciiIn(bytes, start, end)
  if (text !== undefined && !text.includes('\\')) return text
  const raw = bytes.subarray(start, end)
  return { bytes: raw.includes(BACKSLASH) ? unescaped(raw) : raw, isBinary: false }
}

function unescaped(raw: Buffer): Buffer {
  const result = Buffer.allocUnsafe(raw.length)
  let length = 0
  for (let at = 0; at < raw.length; at++) {
    let byte = raw[at] as number
    if (byte === BACKSLASH && at + 1 < raw.length) {
      byte = raw[++at] as number
      byte = COPY_ESCAPES.get(byte) ?? byte
    }
    result[length++] = byte
  }
  return result.subarray(0, length)
}
