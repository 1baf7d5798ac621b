import { setTimeout as sleep } from 'node:timers/promises'
import { ADMIN } from '../../bench/processes.ts'
import type { ClusterLedger } from './cluster-ledger.ts'

const READS = 3
const LONGEST_ANSWER_MILLISECONDS = 60_000

/**
 * Makes a comment private and public again, and reads it each time as a user who may not see private ones: it must never show after the change is
 * acknowledged, from whichever standby it is read.
 */
export class HiddenComment {
  private readonly origin: string
  private readonly reader: string
  private readonly ledger: ClusterLedger
  private readonly text: string

  constructor(webPort: number, reader: string, ledger: ClusterLedger) {
    this.origin = `http://127.0.0.1:${webPort}/rest`
    this.reader = reader
    this.ledger = ledger
    this.text = ledger.marker('hidden')
  }

  async run(isOver: () => boolean) {
    await this.asAdmin('PUT', '/parameters', { insidergroup: 'admin' })
    const bug = await this.asAdmin('POST', '/bug', {
      product: 'TestProduct',
      component: 'TestComponent',
      summary: this.ledger.marker('hides'),
      description: 'It has a comment that not everybody may read.',
    })
    const id = (bug as { id: number }).id
    const comment = await this.asAdmin('POST', `/bug/${id}/comment`, { comment: this.text })
    const commentId = (comment as { id: number }).id
    for (let isPrivate = true; !isOver(); isPrivate = !isPrivate) {
      await this.asAdmin('PUT', `/bug/${id}`, { comment_is_private: { [commentId]: isPrivate } })
      await Promise.all(Array.from({ length: READS }, () => this.check(id, isPrivate)))
      await sleep(50)
    }
  }

  private async check(id: number, isPrivate: boolean) {
    const answered = await this.send('GET', `/bug/${id}/comment`, this.reader)
    if (answered?.status !== 200) return
    this.ledger.rightsChecked++
    if (answered.text.includes(this.text) === isPrivate)
      this.ledger.old.push(`a comment that is ${isPrivate ? 'private was shown' : 'public again was not shown'}`)
  }

  /** Until it is acknowledged: a change that is made twice is the same change. */
  private async asAdmin(method: string, path: string, body: object): Promise<unknown> {
    for (;;) {
      const answered = await this.send(method, path, ADMIN.LACEWING_ADMIN_API_KEY, body)
      if (answered !== undefined && answered.status < 300) return JSON.parse(answered.text)
      if (answered !== undefined)
        this.ledger.noteRefusal(answered.status, `${method} ${path}: ${answered.text.slice(0, 300)}`)
      await sleep(200)
    }
  }

  private async send(method: string, path: string, key: string, body?: object) {
    try {
      const response = await fetch(this.origin + path, {
        method,
        headers: { 'X-TRACKER-API-KEY': key, 'Content-Type': 'application/json' },
        signal: AbortSignal.timeout(LONGEST_ANSWER_MILLISECONDS),
        ...(body !== undefined && { body: JSON.stringify(body) }),
      })
      return { status: response.status, text: await response.text() }
    } catch {
      return undefined
    }
  }
}
