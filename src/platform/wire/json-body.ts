import { isUtf8 } from 'node:buffer'
import { errors } from '../errors.ts'
import type { Given } from './params.ts'

const DEEPEST = 32
const MOST_PARAMETERS = 1000

/** A body is a JSON object, or empty. Nested deeper than anything here can be, it is not even parsed. */
export function readJsonBody(bytes: Buffer): Given {
  // Decoding would put other characters in the place of broken ones, and nobody would notice.
  if (!isUtf8(bytes)) throw errors.unreadable_body({ why: 'it is not UTF-8' })
  const body = bytes.toString('utf8')
  if (body.trim() === '') return {}
  if (depthOf(body) > DEEPEST) throw errors.unreadable_body({ why: `it is nested deeper than ${DEEPEST} levels` })
  const value = parsed(body)
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
    return JSON.parse(body)
  } catch {
    throw errors.unreadable_body({ why: 'it is not JSON' })
  }
}

/** Counts brackets outside of strings: cheap, and never recursive. A string is skipped at once, because it may hold a file. */
function depthOf(body: string) {
  let depth = 0
  let deepest = 0
  for (let at = 0; at < body.length; at++) {
    const character = body.charCodeAt(at)
    if (character === QUOTE) at = endOfString(body, at)
    else if (character === OPEN_BRACE || character === OPEN_BRACKET) deepest = Math.max(deepest, ++depth)
    else if (character === CLOSE_BRACE || character === CLOSE_BRACKET) depth--
  }
  return deepest
}

/** The place of the quote that ends the string which begins here; the end of the body when there is none. */
function endOfString(body: string, start: number): number {
  let at = body.indexOf('"', start + 1)
  while (at !== -1 && isEscaped(body, at, start)) at = body.indexOf('"', at + 1)
  return at === -1 ? body.length : at
}

function isEscaped(body: string, quote: number, start: number) {
  let at = quote - 1
  while (at > start && body.charCodeAt(at) === BACKSLASH) at--
  return (quote - 1 - at) % 2 === 1
}

const [BACKSLASH, QUOTE, OPEN_BRACE, CLOSE_BRACE, OPEN_BRACKET, CLOSE_BRACKET] = [...'\\"{}[]'].map((it) =>
  it.charCodeAt(0),
)
