// Answers that came with the page, and those that were read since.
import type { AnswerAt } from '../../../client/call-types.ts'
import type { Address } from '../../../shared/rest-address.ts'

type FirstAnswer = readonly [status: number, body: unknown, etag: string]

const element = document.getElementById('first-data')
/** The path of the base address. */
export const root = element?.dataset.root ?? ''
const { frame, view } = JSON.parse(element?.textContent || '{"frame":{},"view":{}}') as {
  frame: Record<string, FirstAnswer>
  view: Record<string, FirstAnswer>
}
const first = new Map<string, FirstAnswer>([...Object.entries(frame), ...Object.entries(view)])

/** An answer that came with the page. It is used once; after that the server is asked. */
export function takeFirst(address: string): FirstAnswer | undefined {
  const answer = first.get(address)
  first.delete(address)
  return answer
}

interface Known {
  body: unknown
  etag: string
  characters: number
}

/** Answers that were read before, newest last: shown at once while the server is asked again. */
const known = new Map<string, Known>()
const MOST_KNOWN = 200
const MOST_KNOWN_CHARACTERS = 4_000_000
let knownCharacters = 0

export function remember(address: string, answer: Known) {
  forget(address)
  known.set(address, answer)
  knownCharacters += answer.characters
  for (const oldest of known.keys()) {
    if (known.size <= MOST_KNOWN && knownCharacters <= MOST_KNOWN_CHARACTERS) return
    if (oldest !== address) forget(oldest)
  }
}

export function forget(address: string) {
  knownCharacters -= known.get(address)?.characters ?? 0
  known.delete(address)
}

/** Forgets all answers, as when another user has logged in. Those that came with the page are for its reader and stay. */
export function forgetAnswers() {
  known.clear()
  knownCharacters = 0
}

export function lastSeen<At extends Address>(address: At): AnswerAt<At> | undefined {
  const answer = first.get(address)
  if (answer !== undefined && answer[0] < 400) return answer[1] as AnswerAt<At>
  return known.get(address)?.body as AnswerAt<At> | undefined
}

/** The version that was last read at an address, for a change with If-Match. */
export function etagOf(address: string): string | undefined {
  return (first.get(address)?.[2] ?? known.get(address)?.etag) || undefined
}

/** Whether the answer came with the page and has not been used yet. */
export function isInPage(address: string) {
  return first.has(address)
}

/** The answer that was read before at an address; undefined if there is none. */
export function knownAnswer(address: string): Readonly<Known> | undefined {
  return known.get(address)
}
