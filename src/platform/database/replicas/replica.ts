import { setTimeout as sleep } from 'node:timers/promises'
import type { Log } from '../../monitoring/log.ts'
import type { Db } from '../db.ts'
import { openPostgres } from '../postgres/postgres.ts'
import { databaseUnavailable } from '../unavailable.ts'
import { StandbyProbe } from './standby-probe.ts'
import { hasReplayed, reasonAgainst, type StandbyState, type WalPosition } from './wal-position.ts'

/** A request waits so long for a standby that has not caught up yet, and then reads from the primary. */
const LONGEST_WAIT_MILLISECONDS = 50
const ASK_AGAIN_MILLISECONDS = 2
/** What a standby has said counts for so long: it may have been restarted since, with older data. */
const STATE_COUNTS_MILLISECONDS = 1000
/** How often a standby that is left out is asked, and one that reads run on. */
const WATCH_MILLISECONDS = 500

/** The counts of a standby that /metrics shows. */
export interface ReplicaCounts {
  readonly name: string
  readonly isUsed: boolean
  readonly reads: number
}

/** One standby. It is left out as soon as it fails or falls behind, and asked again and again whether it is back. */
export class Replica {
  readonly name: string
  readonly db: Db
  private readonly probe: StandbyProbe
  private readonly log: Log
  private readonly positionOfPrimary: () => Promise<WalPosition>
  private known: { state: StandbyState; at: number } | undefined
  /** Left out until it has said how far it is. */
  private isLeftOut = true
  private reason = ''
  private reads = 0
  private readonly running = new Set<(fault: Error) => void>()
  private readonly watch: NodeJS.Timeout
  private isWatching = false

  constructor(url: string, log: Log, positionOfPrimary: () => Promise<WalPosition>) {
    this.name = new URL(url).host
    this.db = openPostgres(url)
    this.probe = new StandbyProbe(url)
    this.log = log
    this.positionOfPrimary = positionOfPrimary
    this.watch = setInterval(() => void this.look(), WATCH_MILLISECONDS)
    this.watch.unref()
    void this.look()
  }

  get isUsable() {
    return !this.isLeftOut
  }

  get load() {
    return this.running.size
  }

  counts(): ReplicaCounts {
    return { name: this.name, isUsed: this.isUsable, reads: this.reads }
  }

  /** Whether it is known to show everything up to this position. */
  isKnownToShow(position: WalPosition): boolean {
    if (this.isLeftOut || this.known === undefined) return false
    const isRecent = performance.now() - this.known.at < STATE_COUNTS_MILLISECONDS
    return isRecent && hasReplayed(this.known.state, position)
  }

  /** Whether it shows everything up to this position, now or soon. If not, it is left out. */
  async shows(position: WalPosition): Promise<boolean> {
    const until = performance.now() + LONGEST_WAIT_MILLISECONDS
    while (!this.isLeftOut) {
      await Promise.race([this.ask(), sleep(Math.max(1, until - performance.now()))])
      if (this.isKnownToShow(position)) return true
      if (performance.now() >= until) this.leaveOut('it is behind the primary')
      else await sleep(ASK_AGAIN_MILLISECONDS)
    }
    return false
  }

  /** Runs a read. It fails at once when the standby is left out because it does not respond. */
  run<Result>(read: (db: Db) => Promise<Result>): Promise<Result> {
    this.reads++
    return new Promise((resolve, reject) => {
      this.running.add(reject)
      read(this.db)
        .then(resolve, reject)
        .finally(() => this.running.delete(reject))
    })
  }

  leaveOut(reason: string, isDead = false) {
    this.known = undefined
    if (!this.isLeftOut || this.reason !== reason) this.log.info('standby left out', { standby: this.name, reason })
    this.isLeftOut = true
    this.reason = reason
    if (isDead) for (const fail of this.running) fail(databaseUnavailable('a standby does not respond', undefined))
  }

  async close() {
    clearInterval(this.watch)
    this.isLeftOut = true
    await this.probe.close()
    await this.db.close()
  }

  /** Learns how far it is. */
  private async ask(): Promise<StandbyState | undefined> {
    const at = performance.now()
    try {
      const state = await this.probe.state()
      const reason = reasonAgainst(state)
      if (reason !== undefined) return void this.leaveOut(reason)
      this.known = { state, at }
      return state
    } catch (fault) {
      return void this.leaveOut((fault as Error).message || 'it does not respond', true)
    }
  }

  /** Asks one that is left out whether it has caught up, and one that reads run on whether it still responds. */
  private async look() {
    if (this.isWatching || (!this.isLeftOut && this.running.size === 0)) return
    this.isWatching = true
    try {
      const position = this.isLeftOut ? await this.positionOfPrimary() : undefined
      const state = await this.ask()
      if (position === undefined || state === undefined || !hasReplayed(state, position)) return
      this.isLeftOut = false
      this.reason = ''
      this.log.info('standby used', { standby: this.name })
    } catch {
      // The primary does not respond; the requests say so.
    } finally {
      this.isWatching = false
    }
  }
}
