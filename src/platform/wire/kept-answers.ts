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
  private freshness: number | undefined
  private characters = 0

  /** An answer to the very same request, given since the last write. */
  find(key: string, freshness: number): Answer | undefined {
    if (freshness !== this.freshness) return undefined
    const kept = this.answers.get(key)
    return kept !== undefined && kept.until > performance.now() ? kept.answer : undefined
  }

  /** Keeps an answer that was true at the time, if it still is. */
  keep(key: string, freshness: number, answer: Answer) {
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

/** All that an answer can depend on, but for what is stored. No line end can stand in any of it. */
export function wholeRequest({ url, socket, rawHeaders }: IncomingMessage): string {
  return `${url}\n${socket.remoteAddress}\n${rawHeaders.join('\n')}`
}
