import { setTimeout as sleep } from 'node:timers/promises'
import type { ClusterLedger, WrittenBug } from './cluster-ledger.ts'

const LONGEST_ANSWER_MILLISECONDS = 60_000
const RETRY_MILLISECONDS = 200

/** A user who writes and reads at random, through whichever server HAProxy chooses, and checks every response. */
export class ClusterCaller {
  private readonly origin: string
  private readonly apiKey: string
  private readonly ledger: ClusterLedger
  private readonly own: WrittenBug[] = []

  constructor(webPort: number, apiKey: string, ledger: ClusterLedger) {
    this.origin = `http://127.0.0.1:${webPort}/rest`
    this.apiKey = apiKey
    this.ledger = ledger
  }

  async step() {
    const kind = Math.random()
    const bug = this.own[Math.floor(Math.random() * this.own.length)]
    if (bug === undefined || (kind < 0.02 && this.own.length < 50)) await this.file()
    else if (kind < 0.07) await this.comment(bug)
    else if (kind < 0.25) await this.change(bug)
    else if (kind < 0.55) await this.read(bug)
    else if (kind < 0.7) await this.read(this.ledger.someBug() ?? bug)
    else if (kind < 0.8) await this.readComments(bug)
    else await this.search(bug)
    this.ledger.steps++
  }

  /** Sent again with the same key until it is acknowledged: it must exist once. */
  private async file() {
    const summary = this.ledger.marker('bug')
    const body = { product: 'TestProduct', component: 'TestComponent', summary, description: `Described by ${summary}` }
    const { id } = (await this.untilAcknowledged('POST', '/bug', body, summary)) as { id: number }
    const bug = { id, summary, acknowledged: 0, sent: 0, comments: [] }
    this.own.push(bug)
    this.ledger.bugs.push(bug)
  }

  private async comment(bug: WrittenBug) {
    const text = this.ledger.marker('comment')
    await this.untilAcknowledged('POST', `/bug/${bug.id}/comment`, { comment: text }, text)
    bug.comments.push(text)
  }

  /** The whiteboard counts upwards. A change without a response may have been made. */
  private async change(bug: WrittenBug) {
    const number = ++bug.sent
    const answered = await this.send('PUT', `/bug/${bug.id}`, { whiteboard: whiteboardOf(number) })
    if (answered?.status === 200) {
      bug.acknowledged = number
      this.ledger.noteWrite()
    }
  }

  private async read(bug: WrittenBug) {
    const least = bug.acknowledged
    const began = performance.now()
    const answered = await this.send('GET', `/bug/${bug.id}?include_fields=id,whiteboard`)
    this.ledger.noteRead(performance.now() - began)
    if (answered?.status !== 200) return this.noteRefused(answered)
    const [found] = (answered.body as { bugs: { whiteboard: string }[] }).bugs
    const number = Number(found?.whiteboard.slice(1) || 0)
    if (number < least || number > bug.sent)
      this.ledger.old.push(`bug ${bug.id}: read ${number}, ${least} was acknowledged and ${bug.sent} sent`)
  }

  private async readComments(bug: WrittenBug) {
    const expected = [...bug.comments]
    const answered = await this.send('GET', `/bug/${bug.id}/comment`)
    if (answered?.status !== 200) return this.noteRefused(answered)
    const { comments } = (answered.body as { bugs: Record<string, { comments: { text: string }[] }> }).bugs[bug.id] ?? {
      comments: [],
    }
    const texts = new Set(comments.map(({ text }) => text))
    const missing = expected.filter((text) => !texts.has(text))
    if (missing.length > 0)
      this.ledger.old.push(`bug ${bug.id}: the comments ${missing} were acknowledged and not read`)
  }

  /** By what was written last, so that an older state does not find it. */
  private async search(bug: WrittenBug) {
    if (bug.sent !== bug.acknowledged) return this.change(bug)
    const least = bug.acknowledged
    const wanted = least === 0 ? `summary=${bug.summary}` : `whiteboard=${whiteboardOf(least)}&whiteboard_type=equals`
    const answered = await this.send('GET', `/bug?${wanted}&id=${bug.id}&include_fields=id`)
    if (answered?.status !== 200) return this.noteRefused(answered)
    const { bugs } = answered.body as { bugs: { id: number }[] }
    if (!bugs.some(({ id }) => id === bug.id))
      this.ledger.old.push(`bug ${bug.id}: a search for ${wanted} does not find it`)
  }

  private async untilAcknowledged(method: string, path: string, body: unknown, key: string): Promise<unknown> {
    for (;;) {
      const answered = await this.send(method, path, body, { 'Idempotency-Key': key })
      if (answered !== undefined && answered.status < 300) {
        this.ledger.noteWrite()
        return answered.body
      }
      this.ledger.repeated++
      await sleep(RETRY_MILLISECONDS)
    }
  }

  private async send(method: string, path: string, body?: unknown, headers: Record<string, string> = {}) {
    try {
      const response = await fetch(this.origin + path, {
        method,
        headers: { 'X-TRACKER-API-KEY': this.apiKey, 'Content-Type': 'application/json', ...headers },
        signal: AbortSignal.timeout(LONGEST_ANSWER_MILLISECONDS),
        ...(body !== undefined && { body: JSON.stringify(body) }),
      })
      const text = await response.text()
      const answered = { status: response.status, body: JSON.parse(text) as unknown }
      if (response.status >= 300) this.ledger.noteRefusal(response.status, `${method} ${path}: ${text.slice(0, 300)}`)
      // As Retry-After says, but sooner, so that the time until service is measured.
      if (response.status === 503) await sleep(RETRY_MILLISECONDS)
      return answered
    } catch {
      this.ledger.unanswered++
      await sleep(RETRY_MILLISECONDS)
      return undefined
    }
  }

  private noteRefused(answered: { status: number } | undefined) {
    if (answered !== undefined && answered.status === 404) this.ledger.old.push(`a read got ${answered.status}`)
  }
}

export function whiteboardOf(number: number) {
  return `w${number}`
}
