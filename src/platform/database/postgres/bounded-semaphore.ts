interface Waiting {
  enter: () => void
  timer: NodeJS.Timeout
}

interface Sizes {
  readonly inside: number
  readonly waiting: number
  readonly longestWaitMilliseconds: number
}

/** Limits how many enter at once. Others wait in order; those that would wait too long are refused. */
export class BoundedSemaphore {
  private readonly sizes: Sizes
  private readonly refusal: () => Error
  private readonly waiting = new Set<Waiting>()
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

  /** Undefined if there is room at once. Every caller that enters must leave. */
  enter(): Promise<void> | undefined {
    if (this.inside < this.sizes.inside) {
      this.inside++
      return undefined
    }
    if (this.waiting.size >= this.sizes.waiting) return Promise.reject(this.refusal())
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.waiting.delete(mine)
        reject(this.refusal())
      }, this.sizes.longestWaitMilliseconds)
      const mine = { enter: resolve, timer }
      this.waiting.add(mine)
    })
  }

  /** Lets the first waiting caller in. */
  leave() {
    const [next] = this.waiting
    if (next === undefined) {
      this.inside--
      return
    }
    this.waiting.delete(next)
    clearTimeout(next.timer)
    next.enter()
  }
}
