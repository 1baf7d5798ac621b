import { setTimeout as sleep } from 'node:timers/promises'

/** When somebody last wrote, where other threads can see it. */
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

  /** Until nobody has written for a moment, since whoever writes much has only short pauses; but no longer than that. */
  async ended(longestMilliseconds: number) {
    const until = performance.now() + longestMilliseconds
    for (;;) {
      const rest = QUIET_MILLISECONDS - this.millisecondsSince()
      if (rest <= 0 || performance.now() >= until) return
      await sleep(rest)
    }
  }

  private millisecondsSince() {
    return Number(process.hrtime.bigint() - Atomics.load(this.last, 0)) / 1e6
  }
}

const QUIET_MILLISECONDS = 25
