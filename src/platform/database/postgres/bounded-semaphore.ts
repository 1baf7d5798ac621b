import { CallerTurns, wholeCaller } from '../../queues/caller-turns.ts'

interface Waiting {
  readonly caller: string
  readonly timer: NodeJS.Timeout
  readonly since: number
  enter(): void
  refuse(): void
}

interface Sizes {
  readonly inside: number
  readonly insideOfOneCaller: number
  readonly waiting: number
  readonly waitingOfOneCaller: number
  readonly longestWaitMilliseconds: number
}

/**
 * Limits how many enter at once, of one caller and of all. Of those that wait, the caller with the fewest inside is next. Those that would
 * wait too long are refused, and if too many wait, the last of the caller with the most.
 */
export class BoundedSemaphore {
  private readonly sizes: Sizes
  private readonly refusal: () => Error
  private readonly waiting = new CallerTurns<Waiting>()
  private readonly insideByCaller = new Map<string, number>()
  private inside = 0

  constructor(sizes: Sizes, refusal: () => Error) {
    this.sizes = sizes
    this.refusal = refusal
  }

  get insideCount() {
    return this.inside
  }

  get waitingCount() {
    return this.waiting.size
  }

  /** How long a caller waits who has nothing inside: that others wait for places of their own callers says nothing about the load. */
  get waitMilliseconds() {
    let since = Number.POSITIVE_INFINITY
    for (const { caller, item } of this.waiting.firsts())
      if (item.since < since && this.insideOf(caller) === 0) since = item.since
    return Math.max(0, performance.now() - since)
  }

  /** Undefined if there is room at once. Each caller that enters must leave with the same name. */
  enter(caller: string): Promise<void> | undefined {
    const name = wholeCaller(caller)
    if (this.inside < this.sizes.inside && this.insideOf(name) < this.sizes.insideOfOneCaller) {
      this.count(name, 1)
      return undefined
    }
    return new Promise((resolve, reject) => {
      const refuse = () => {
        clearTimeout(mine.timer)
        this.waiting.remove(caller, mine)
        reject(this.refusal())
      }
      const timer = setTimeout(refuse, this.sizes.longestWaitMilliseconds)
      const mine: Waiting = { caller, timer, since: performance.now(), enter: resolve, refuse }
      this.waiting.add(caller, mine)
      if (this.waiting.sizeOf(caller) > this.sizes.waitingOfOneCaller) refuse()
      else if (this.waiting.size > this.sizes.waiting) this.waiting.lastOfBusiest()?.refuse()
    })
  }

  /** Lets the next one in. */
  leave(caller: string) {
    this.count(wholeCaller(caller), -1)
    const next = this.waiting.takeNext((name) => this.rankOf(name))
    if (next === undefined) return
    clearTimeout(next.timer)
    this.count(wholeCaller(next.caller), 1)
    next.enter()
  }

  private rankOf(caller: string) {
    const own = this.insideOf(caller)
    return own < this.sizes.insideOfOneCaller ? own : Number.POSITIVE_INFINITY
  }

  private insideOf(caller: string) {
    return this.insideByCaller.get(caller) ?? 0
  }

  private count(caller: string, change: number) {
    this.inside += change
    const own = this.insideOf(caller) + change
    if (own === 0) this.insideByCaller.delete(caller)
    else this.insideByCaller.set(caller, own)
  }
}
