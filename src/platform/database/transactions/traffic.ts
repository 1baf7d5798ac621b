import { setTimeout as sleep } from 'node:timers/promises'

/** The time of the last write, shared with other threads. */
export class Traffic {
  readonly shared: SharedArrayBuffer
  private readonly last: BigInt64Array

  constructor(shared = new SharedArrayBuffer(BigInt64Array.BYTES_PER_ELEMENT)) {
    this.shared = shared
    this.last = new BigInt64Array(shared)
  }

  note() {
    Atomics.store(this.last, 0, process.hrtime.bigint())
  }

  /**
   * Waits until there was no write for a moment, since a busy writer has only short pauses. Returns false if that took
   * too long.
   */
  async ended(longestMilliseconds: number): Promise<boolean> {
    const until = performance.now() + longestMilliseconds
    for (;;) {
      const rest = QUIET_MILLISECONDS - this.millisecondsSince()
      if (rest <= 0) return true
      if (performance.now() >= until) return false
      await sleep(rest)
    }
  }

  private millisecondsSince() {
    return Number(process.hrtime.bigint() - Atomics.load(this.last, 0)) / 1e6
  }
}

const QUIET_MILLISECONDS = 25

/**
 * How a low-priority thread behaves: it waits for a pause of the traffic, and if there is none, takes its share of the
 * time. Most traffic pauses before that, and is never held up.
 */
export class LowPriority {
  private readonly traffic: Traffic
  private readonly patience: number
  private readonly share: number
  private insistsUntil = 0

  constructor(traffic: Traffic, patienceMilliseconds = 1500, shareMilliseconds = 250) {
    this.traffic = traffic
    this.patience = patienceMilliseconds
    this.share = shareMilliseconds
  }

  async waitUntilWriterIdle() {
    if (performance.now() < this.insistsUntil) return
    if (await this.traffic.ended(this.patience)) return
    this.insistsUntil = performance.now() + this.share
  }
}
