import { isUtf8 } from 'node:buffer'
import { randomUUID } from 'node:crypto'
import { errors } from '../errors.ts'
import { isTurnLong, laterTurn } from '../event-loop.ts'
import { JsonScan, type Span } from './json-scan.ts'
import type { Given } from './params.ts'

const MOST_PARAMETERS = 1000
/** Shorter bodies are read at once: they take less than a millisecond. */
const READ_AT_ONCE = 128 * 1024
const SLICE = 256 * 1024

/** A body is a JSON object, or empty. What would take long to parse is refused before it is; what is long is read in slices. */
export function readJsonBody(bytes: Buffer): Given | Promise<Given> {
  if (bytes.length > READ_AT_ONCE) return readInSlices(bytes)
  requireUtf8(bytes)
  new JsonScan(bytes).advance(bytes.length)
  return objectIn(parsed(bytes.toString('utf8')))
}

async function readInSlices(bytes: Buffer): Promise<Given> {
  requireUtf8(bytes)
  const scan = new JsonScan(bytes)
  while (!scan.advance(SLICE)) if (isTurnLong()) await laterTurn()
  if (scan.longStrings.length === 0) return objectIn(parsed(bytes.toString('utf8')))
  return readAroundStrings(bytes, scan.longStrings)
}

/** Parses a body without its long strings, and those in slices: they are files, mostly. */
async function readAroundStrings(bytes: Buffer, spans: readonly Span[]): Promise<Given> {
  const strings = new Map<unknown, string>()
  let text = ''
  let from = 0
  for (const { start, end } of spans) {
    const placeholder = randomUUID()
    strings.set(placeholder, await stringIn(bytes.subarray(start, end)))
    text += bytes.toString('utf8', from, start) + placeholder
    from = end
  }
  await laterTurn()
  return withStrings(objectIn(parsed(text + bytes.toString('utf8', from))), strings)
}

async function stringIn(bytes: Buffer): Promise<string> {
  const pieces: string[] = []
  for (let from = 0; from < bytes.length; ) {
    const end = endOfSlice(bytes, from)
    pieces.push(parsed(`"${bytes.toString('utf8', from, end)}"`) as string)
    from = end
    if (isTurnLong()) await laterTurn()
  }
  return pieces.join('')
}

/** The end of the slice that begins here: it cuts neither a character nor an escape sequence. */
function endOfSlice(bytes: Buffer, from: number): number {
  let end = Math.min(bytes.length, from + SLICE)
  while (end < bytes.length && isContinuation(bytes[end] as number)) end++
  if (end === bytes.length) return end
  const backslash = bytes.subarray(end - LONGEST_ESCAPE, end).lastIndexOf(BACKSLASH)
  if (backslash === -1) return end
  const last = end - LONGEST_ESCAPE + backslash
  let first = last
  while (first > from && bytes[first - 1] === BACKSLASH) first--
  // Two backslashes are one that is written.
  return (last - first) % 2 === 0 ? last : end
}

const BACKSLASH = '\\'.charCodeAt(0)
const LONGEST_ESCAPE = '\\u0000'.length

function isContinuation(byte: number) {
  return (byte & 0b1100_0000) === 0b1000_0000
}

/** The parsed body with the long strings in their places. */
function withStrings(body: Given, strings: ReadonlyMap<unknown, string>): Given {
  const filled = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(filled)
    if (typeof value !== 'object' || value === null) return strings.get(value) ?? value
    if (Object.keys(value).some((name) => strings.has(name)))
      throw errors.unreadable_body({ why: 'a name is too long' })
    return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, filled(part)]))
  }
  return filled(body) as Given
}

function requireUtf8(bytes: Buffer) {
  // Decoding would put other characters in the place of broken ones, and nobody would notice.
  if (!isUtf8(bytes)) throw errors.unreadable_body({ why: 'it is not UTF-8' })
}

function objectIn(value: unknown): Given {
  if (value === null) return {}
  if (typeof value !== 'object' || Array.isArray(value))
    throw errors.unreadable_body({ why: 'it must be a JSON object' })
  // Each is copied and looked at several times; a body of nothing but names would hold everybody up.
  if (Object.keys(value).length > MOST_PARAMETERS)
    throw errors.unreadable_body({ why: `it has more than ${MOST_PARAMETERS} parameters` })
  return value as Given
}

function parsed(body: string): unknown {
  try {
    return body.trim() === '' ? {} : JSON.parse(body)
  } catch {
    throw errors.unreadable_body({ why: 'it is not JSON' })
  }
}
