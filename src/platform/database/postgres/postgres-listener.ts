import pg from 'pg'
import type { Signals, SignalTopic } from '../signals.ts'

const CHANNEL = 'lacewing'
const AGAIN_AFTER_MILLISECONDS = 1000

/**
 * Passes on notifications of other servers over one connection. Listeners are woken whenever it had to be reconnected.
 */
export class PostgresListener {
  private readonly url: string
  private readonly signals: Signals
  private client: pg.Client | undefined
  private again: NodeJS.Timeout | undefined
  private isClosed = false

  constructor(url: string, signals: Signals) {
    this.url = url
    this.signals = signals
    this.connect()
  }

  async close() {
    this.isClosed = true
    clearTimeout(this.again)
    await this.client?.end().catch(() => {})
  }

  private connect() {
    const client = new pg.Client({ connectionString: this.url, keepAlive: true })
    this.client = client
    client.on('notification', ({ payload }) => this.signals.ring(payload as SignalTopic))
    client.on('error', () => {})
    client.on('end', () => this.reconnectSoon())
    client
      .connect()
      .then(() => client.query(`listen ${CHANNEL}`))
      .then(() => this.signals.ringAll())
      .catch(() => client.end().catch(() => {}))
  }

  private reconnectSoon() {
    if (this.isClosed) return
    this.again = setTimeout(() => this.connect(), AGAIN_AFTER_MILLISECONDS)
    this.again.unref()
  }
}

/** To be run in a transaction: listeners are notified when it commits. */
export const notify = { sql: 'select pg_notify($1, $2)', isReused: true }

export function notification(topic: SignalTopic) {
  return [CHANNEL, topic]
}
