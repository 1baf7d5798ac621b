import pg from 'pg'
import type { Signals, SignalTopic } from '../signals.ts'
import { connectionTarget } from './postgres-address.ts'
import { LONGEST_WAIT_MILLISECONDS } from './postgres-connection.ts'

const CHANNEL = 'lacewing'
const AGAIN_AFTER_MILLISECONDS = 1000
/** After so long without a notification the system asks whether the connection still exists. */
const IDLE_MILLISECONDS = 30_000

interface Waits {
  readonly timeoutMilliseconds: number
  readonly againAfterMilliseconds: number
}

const USUAL_WAITS: Waits = {
  timeoutMilliseconds: LONGEST_WAIT_MILLISECONDS,
  againAfterMilliseconds: AGAIN_AFTER_MILLISECONDS,
}

/**
 * Passes on notifications of other servers over one connection. Listeners are woken whenever it had to be reconnected.
 */
export class PostgresListener {
  private readonly target: ReturnType<typeof connectionTarget>
  private readonly signals: Signals
  private readonly waits: Waits
  private client: pg.Client | undefined
  private again: NodeJS.Timeout | undefined
  private isClosed = false

  constructor(url: string, signals: Signals, waits = USUAL_WAITS) {
    this.target = connectionTarget(url)
    this.signals = signals
    this.waits = waits
    this.connect()
  }

  async close() {
    this.isClosed = true
    clearTimeout(this.again)
    await this.client?.end().catch(() => {})
  }

  private connect() {
    const { timeoutMilliseconds } = this.waits
    const client = new pg.Client({
      ...this.target,
      connectionTimeoutMillis: timeoutMilliseconds,
      query_timeout: timeoutMilliseconds,
      keepAlive: true,
      keepAliveInitialDelayMillis: IDLE_MILLISECONDS,
    })
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
    this.again = setTimeout(() => this.connect(), this.waits.againAfterMilliseconds)
    this.again.unref()
  }
}

/** To be run in a transaction: listeners are notified when it commits. */
export const notify = { sql: 'select pg_notify($1, $2)', isReused: true, writes: true }

export function notification(topic: SignalTopic) {
  return [CHANNEL, topic]
}
