import { errors } from '../errors.ts'

export interface FairQueueLimits {
  /** Tasks that run at the same time. */
  readonly running: number
  readonly waiting: number
  readonly waitingOfOneCaller: number
}

const RETRY_SECONDS = 5

/** Runs a few tasks at a time. Callers take turns, so that many tasks of one caller do not delay those of others. */
export class FairQueue {
  private readonly limits: FairQueueLimits
  /** By caller; the caller whose turn is next comes first. */
  private readonly waiting = new Map<string, (() => void)[]>()
  private waitingCount = 0
  private running = 0

  constructor(limits: FairQueueLimits) {
    this.limits = limits
  }

  /** Throws 503 if too many tasks are waiting, of this caller or in total. */
  requireRoom(caller: string) {
    const own = this.waiting.get(caller)?.length ?? 0
    if (own < this.limits.waitingOfOneCaller && this.waitingCount < this.limits.waiting) return
    throw errors.overloaded({ seconds: RETRY_SECONDS })
  }

  async run<Result>(caller: string, task: () => Promise<Result>): Promise<Result> {
    if (this.running < this.limits.running) this.running++
    else await this.turnOf(caller)
    try {
      return await task()
    } finally {
      const next = this.takeNext()
      if (next) next()
      else this.running--
    }
  }

  private turnOf(caller: string): Promise<void> {
    this.requireRoom(caller)
    return new Promise((resolve) => {
      const own = this.waiting.get(caller)
      if (own) own.push(resolve)
      else this.waiting.set(caller, [resolve])
      this.waitingCount++
    })
  }

  private takeNext(): (() => void) | undefined {
    const [first] = this.waiting
    if (first === undefined) return undefined
    const [caller, [next, ...rest]] = first
    this.waiting.delete(caller)
    if (rest.length > 0) this.waiting.set(caller, rest)
    this.waitingCount--
    return next
  }
}
