import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { requestCancel } from '../postgres/postgres-cancel.ts'
import type { PostgresTarget } from '../postgres/postgres-connection.ts'
import { connectFault, isCancelled } from '../postgres/postgres-faults.ts'
import { prepareNothingOn, runOn } from '../postgres/postgres-statements.ts'
import { isUnavailable } from '../unavailable.ts'
import type { SlowRead, SlowReader, SlowReply } from './slow-read.ts'

/** An idle connection is closed after this time. */
const IDLE_MILLISECONDS = 10_000
const CANCEL_AGAIN_MILLISECONDS = 200

/** A connection to PostgreSQL that is opened for the first read. */
export class SlowReadsConnection implements SlowReader {
  private readonly target: PostgresTarget
  private client: pg.Client | undefined
  private idle: NodeJS.Timeout | undefined
  private reading: Promise<unknown[]> | undefined
  private isCancelled = false
  private cancelling: Promise<void> | undefined
  private hasEnded = false

  constructor(target: PostgresTarget) {
    this.target = target
  }

  get isUsable() {
    return !this.hasEnded
  }

  run(read: SlowRead, done: (reply: SlowReply) => void) {
    this.isCancelled = false
    void this.replyTo(read).then((reply) => {
      if (!this.hasEnded) done(reply)
    })
  }

  cancel() {
    this.isCancelled = true
    if (this.client !== undefined) this.cancelling ??= this.cancelUntilDone(this.client)
  }

  async end() {
    this.hasEnded = true
    await this.close()
  }

  private async replyTo({ sql, values, isReused }: SlowRead): Promise<SlowReply> {
    clearTimeout(this.idle)
    try {
      this.client ??= await this.connect()
      if (this.isCancelled) return { isLate: true }
      this.reading = runOn(this.client, { sql, isReused, writes: false }, values)
      return { rows: await this.reading }
    } catch (fault) {
      if (isUnavailable(fault)) void this.close()
      return { fault: fault as Error, isLate: isCancelled(fault) }
    } finally {
      await this.finish()
    }
  }

  /** The next read starts only when no pending cancel request could end it. */
  private async finish() {
    this.isCancelled = false
    this.reading = undefined
    await this.cancelling
    this.cancelling = undefined
    this.idle = setTimeout(() => void this.close(), IDLE_MILLISECONDS)
    this.idle.unref()
  }

  /** Repeated, because PostgreSQL ignores a request that arrives before the read has started. */
  private async cancelUntilDone(client: pg.Client) {
    while (this.isCancelled && !this.hasEnded) {
      await requestCancel(this.target.url, client)
      const again = new AbortController()
      await Promise.race([sleep(CANCEL_AGAIN_MILLISECONDS, undefined, again), this.reading]).catch(() => {})
      again.abort()
    }
  }

  private async connect(): Promise<pg.Client> {
    const client = new pg.Client(this.target.config)
    if (this.target.isPooled) prepareNothingOn(client)
    client.on('error', () => {})
    client.on('end', () => {
      if (this.client === client) this.client = undefined
    })
    try {
      await client.connect()
      return client
    } catch (fault) {
      throw connectFault(fault)
    }
  }

  private async close() {
    clearTimeout(this.idle)
    const { client } = this
    this.client = undefined
    await client?.end()
  }
}
