import { errors } from '../errors.ts'
import { CallerTurns } from './caller-turns.ts'

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
  private readonly waiting = new CallerTurns<() => void>()
  private running = 0

  constructor(limits: FairQueueLimits) {
    this.limits = limits
  }

  /** Throws 503 if too many tasks are waiting, of this caller or in total. */
  requireRoom(caller: string) {
    const own = this.waiting.sizeOf(caller)
    if (own < this.limits.waitingOfOneCaller && this.waiting.size < this.limits.waiting) return
    throw errors.overloaded({ seconds: RETRY_SECONDS })
  }

  async run<Result>(caller: string, task: () => Promise<Result>): Promise<Result> {
    if (this.running < this.limits.running) this.running++
    else await this.turnOf(caller)
    try {
      return await task()
    } finally {
      const next = this.waiting.takeNext()
      if (next) next()
      else this.running--
    }
  }

  private turnOf(caller: string): Promise<void> {
    this.requireRoom(caller)
    return new Promise((resolve) => this.waiting.add(caller, resolve))
  }
}
