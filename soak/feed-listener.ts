import { setTimeout as sleep } from 'node:timers/promises'
import { ADMIN } from '../bench/processes.ts'
import { EventSource } from '../test/support/event-source.ts'
import { send } from './client.ts'

const KEY = { 'X-TRACKER-API-KEY': ADMIN.LACEWING_ADMIN_API_KEY }

/** A client that follows the feed through servers that come and go: every other one by stream, the rest by polling. */
export class FeedListener {
  readonly name: string
  readonly events: { id: number }[] = []
  reconnections = 0
  private readonly ports: () => readonly number[]
  private readonly number: number
  private cursor: string
  private isStopped = false
  private source: EventSource | undefined

  constructor(ports: () => readonly number[], number: number, cursor: string) {
    this.ports = ports
    this.number = number
    this.cursor = cursor
    this.name = `listener ${number} (${this.isStreaming ? 'stream' : 'poll'})`
  }

  async follow() {
    while (!this.isStopped) {
      await (this.isStreaming ? this.stream() : this.poll()).catch(() => {})
      if (this.isStopped) return
      this.reconnections++
      await sleep(50)
    }
  }

  stop() {
    this.isStopped = true
    this.source?.close()
  }

  private get isStreaming() {
    return this.number % 2 === 0
  }

  private get port() {
    const ports = this.ports()
    return ports[this.number % ports.length] as number
  }

  private async stream() {
    const world = { url: `http://127.0.0.1:${this.port}` }
    this.source = await EventSource.open(world, { headers: KEY }, { 'Last-Event-ID': this.cursor })
    this.source.onEvent = (event) => {
      this.events.push(event)
      this.cursor = String(event.id)
    }
    for (const event of this.source.events.splice(0)) this.source.onEvent(event)
    await this.source.ended
  }

  private async poll() {
    for (;;) {
      const answered = await send(this.port, 'GET', `/event?after=${this.cursor}&wait=5`)
      if (answered?.status !== 200 || this.isStopped) return
      this.events.push(...answered.body.events)
      this.cursor = answered.body.next_cursor
    }
  }
}
