import { setTimeout as wait } from 'node:timers/promises'

/** Spreads requests over time: at most `perSecond` of them, and none while the server has asked for a pause. */
export class RequestPace {
  private readonly gap: number
  private next = 0

  constructor(perSecond: number | undefined) {
    this.gap = perSecond === undefined ? 0 : 1000 / perSecond
  }

  /** Waits for the turn of one request. */
  async turn() {
    for (;;) {
      const now = performance.now()
      if (now >= this.next) {
        this.next = now + this.gap
        return
      }
      const mine = this.next
      if (this.gap > 0) this.next += this.gap
      await wait(mine - now)
      if (this.gap > 0) return
    }
  }

  /** No request is sent for this time. */
  pause(milliseconds: number) {
    this.next = Math.max(this.next, performance.now() + milliseconds)
  }
}
