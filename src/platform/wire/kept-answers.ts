import type { IncomingMessage } from 'node:http'

/** Of everything that is kept together, and of one answer. */
const MOST_CHARACTERS = 8 * 1024 * 1024
const LONGEST = 32 * 1024
/** Also what nobody writes changes in time: a key is used, and that must be noted now and then. */
const KEPT_MILLISECONDS = 5_000

interface Kept<Answer> {
  answer: Answer
  until: number
}

/**
 * What was answered to requests that came before, for those that come again: dashboards and bots ask the same thing over and over. The same
 * request from the same place gets the same answer for a few seconds, but not a moment longer than nothing was written. Where
 * only a query could tell whether something was, nothing is kept.
 */
export class KeptAnswers<Answer extends { body: string | Buffer }> {
  private readonly answers = new Map<string, Kept<Answer>>()
  private readonly addresses = new Addresses()
  private freshness: number | undefined
  private characters = 0

  /** Notes that an address was asked for; whether it was before. What is asked for once is not kept, and hardly costs anything. */
  isAskedAgain(address: string): boolean {
    return this.addresses.note(address)
  }

  /** An answer to the very same request, given since the last write. */
  find(key: string, freshness: number): Answer | undefined {
    if (freshness !== this.freshness) return undefined
    const kept = this.answers.get(key)
    return kept !== undefined && kept.until > performance.now() ? kept.answer : undefined
  }

  /** Keeps an answer that was true at the time, if it still is. */
  keep(address: string, keyOf: () => string, freshness: number, answer: Answer) {
    if (!this.addresses.wasAskedAgain(address)) return
    const key = keyOf()
    const size = answer.body.length + key.length
    if (size > LONGEST) return
    if (freshness !== this.freshness || this.characters + size > MOST_CHARACTERS) this.forget(freshness)
    this.characters += size
    this.answers.set(key, { answer, until: performance.now() + KEPT_MILLISECONDS })
  }

  private forget(freshness: number) {
    this.answers.clear()
    this.characters = 0
    this.freshness = freshness
  }
}

const PLACES = 4096

/** Which addresses were asked for lately, and whether more than once: one for each place of a small table, by digest. */
class Addresses {
  private readonly digests = new Int32Array(PLACES)
  private readonly isRepeated = new Uint8Array(PLACES)

  note(address: string): boolean {
    const digest = digestOf(address)
    const place = digest & (PLACES - 1)
    const isKnown = this.digests[place] === digest
    this.digests[place] = digest
    this.isRepeated[place] = isKnown ? 1 : 0
    return isKnown
  }

  wasAskedAgain(address: string): boolean {
    const digest = digestOf(address)
    const place = digest & (PLACES - 1)
    return this.digests[place] === digest && this.isRepeated[place] === 1
  }
}

/** FNV-1a. */
function digestOf(text: string): number {
  let digest = 0x811c9dc5
  for (let at = 0; at < text.length; at++) digest = Math.imul(digest ^ text.charCodeAt(at), 0x01000193)
  return digest ^ (digest >>> 15)
}

/** All that an answer can depend on, but for what is stored. No line end can stand in any of it. */
export function wholeRequest({ url, socket, rawHeaders }: IncomingMessage): string {
  return `${url}\n${socket.remoteAddress}\n${rawHeaders.join('\n')}`
}
