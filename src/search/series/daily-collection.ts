import type { Db } from '../../platform/database/db.ts'
import type { Log } from '../../platform/monitoring/log.ts'
import { loggedCause } from '../../platform/monitoring/outage.ts'
import { collectSeries } from './collect-series.ts'

/** How often a server checks whether a new day has begun, or whether another server died before it had counted all series. */
const LOOK_EVERY_MILLISECONDS = 60_000

/** Counts the series every day while the server runs. */
export class DailyCollection {
  private readonly timer: NodeJS.Timeout
  private readonly db: Db
  private readonly log: Log
  private readonly baseUrl: string
  private running: Promise<void> | undefined
  private isEnding = false

  constructor(db: Db, log: Log, baseUrl: string) {
    this.db = db
    this.log = log
    this.baseUrl = baseUrl
    this.look()
    this.timer = setInterval(() => this.look(), LOOK_EVERY_MILLISECONDS)
    this.timer.unref()
  }

  /** Finishes the series that is being counted. The others are counted by the next server that checks. */
  async end() {
    this.isEnding = true
    clearInterval(this.timer)
    await this.running
  }

  private look() {
    this.running ??= this.collect().finally(() => {
      this.running = undefined
    })
  }

  private async collect() {
    try {
      const { db, log, baseUrl } = this
      await collectSeries({ db, log, baseUrl, now: Date.now(), isEnding: () => this.isEnding })
    } catch (fault) {
      if (!this.isEnding) this.log.error('series not collected', { why: loggedCause(fault) })
    }
  }
}
