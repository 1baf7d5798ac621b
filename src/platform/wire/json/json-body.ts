import { isUtf8 } from 'node:buffer'
import { randomUUID } from 'node:crypto'
import { errors } from '../../errors.ts'
import { isTurnLong, laterTurn } from '../../monitoring/event-loop.ts'
import type { RequestParams } from '../params.ts'
import { JsonScan, LONG_STRING, type Span } from './json-scan.ts'

const MOST_PARAMETERS = 1000
/** Shorter bodies are parsed at once, which takes less than a millisecond. */
const READ_AT_ONCE = 128 * 1024
const SLICE = 256 * 1024

/**
 * A body is a JSON object, or empty. Input that would take long to parse is refused first; long input is parsed in
 * slices. Only the parameter `fileIn` may be a long text: all other texts are processed at once.
 */
export function readJsonBody(bytes: Buffer, fileIn?: string): RequestParams | Promise<RequestParams> {
  if (bytes.length > READ_AT_ONCE) return readInSlices(bytes, fileIn)
  requireUtf8(bytes)
  new JsonScan(bytes).advance(bytes.length)
  return objectIn(parsed(bytes.toString('utf8')))
}

async function readInSlices(bytes: Buffer, fileIn: string | undefined): Promise<RequestParams> {
  requireUtf8(bytes)
  const scan = new JsonScan(bytes)
  while (!scan.advance(SLICE)) if (isTurnLong()) await laterTurn()
  const [file, ...others] = scan.longStrings
  if (file === undefined) return objectIn(parsed(bytes.toString('utf8')))
  if (fileIn === undefined || others.length > 0) throw textTooLong()
  return readAroundFile(bytes, file, fileIn)
}

/** Parses a body without its one long text, and that text in slices. */
async function readAroundFile(bytes: Buffer, { start, end }: Span, fileIn: string): Promise<RequestParams> {
  const placeholder = randomUUID()
  const before = bytes.toString('utf8', 0, start)
  const body = objectIn(parsed(before + placeholder + bytes.toString('utf8', end)))
  if (body[fileIn] !== placeholder) throw textTooLong()
  return { ...body, [fileIn]: await stringIn(bytes.subarray(start, end)) }
}

function textTooLong() {
  return errors.body_over_limits({ why: `it contains a text that is longer than ${LONG_STRING} bytes` })
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

/** The end of the slice that begins here: it does not split a character or an escape sequence. */
function endOfSlice(bytes: Buffer, from: number): number {
  let end = Math.min(bytes.length, from + SLICE)
  while (end < bytes.length && isContinuation(bytes[end] as number)) end++
  if (end === bytes.length) return end
  const backslash = bytes.subarray(end - LONGEST_ESCAPE, end).lastIndexOf(BACKSLASH)
  if (backslash === -1) return end
  const last = end - LONGEST_ESCAPE + backslash
  let first = last
  while (first > from && bytes[first - 1] === BACKSLASH) first--
  // Two backslashes are an escaped one.
  return (last - first) % 2 === 0 ? last : end
}

const BACKSLASH = '\\'.charCodeAt(0)
const LONGEST_ESCAPE = '\\u0000'.length

function isContinuation(byte: number) {
  return (byte & 0b1100_0000) === 0b1000_0000
}

function requireUtf8(bytes: Buffer) {
  // Decoding would silently replace broken characters.
  if (!isUtf8(bytes)) throw errors.unreadable_body({ why: 'it is not UTF-8' })
}

function objectIn(value: unknown): RequestParams {
  if (value === null) return {}
  if (typeof value !== 'object' || Array.isArray(value))
    throw errors.unreadable_body({ why: 'it must be a JSON object' })
  // Each parameter is copied and checked several times, so a body of nothing but names would delay other requests.
  if (Object.keys(value).length > MOST_PARAMETERS)
    throw errors.body_over_limits({ why: `it has more than ${MOST_PARAMETERS} parameters` })
  return value as RequestParams
}

function parsed(body: string): unknown {
  try {
    return body.trim() === '' ? {} : JSON.parse(body)
  } catch {
    throw errors.unreadable_body({ why: 'it is not JSON' })
  }
}
