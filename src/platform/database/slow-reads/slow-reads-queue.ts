import type { ReadLimits } from './read-limits.ts'

/** A read that waits for a thread, or has one since `started`. */
export interface QueuedRead {
  readonly limits: ReadLimits
  started?: number
  queued?: number
}

export interface QueueSizes {
  readonly threads: number
  /** Threads that one caller can have at once. */
  readonly threadsOfCaller: number
  /** Threads for requests that have already run for long. */
  readonly threadsOfLong: number
  readonly longMilliseconds: number
  /** Requests that wait or run. */
  readonly requests: number
  readonly requestsOfCaller: number
}

export const USUAL_SIZES: QueueSizes = {
  threads: 3,
  threadsOfCaller: 2,
  threadsOfLong: 2,
  longMilliseconds: 500,
  requests: 500,
  requestsOfCaller: 100,
}

/**
 * Decides which read is next. Requests that have run for long have lower priority and never get all threads; callers
 * take turns; among the requests of one caller the one that has run least is first. The length of a read is not known
 * in advance, so too many long ones may run: if a short one waits, one of them is interrupted and put back. A request
 * is identified by its limits.
 */
export class SlowReadsQueue<Read extends QueuedRead> {
  private readonly sizes: QueueSizes
  private readonly waiting: Read[] = []
  private readonly running = new Set<Read>()
  /** The number of waiting and running reads per request. */
  private readonly reads = new Map<ReadLimits, number>()
  /** The turn in which each caller last got a thread. */
  private readonly turns = new Map<string, number>()
  private turn = 0
  private lastWait = 0

  constructor(sizes: QueueSizes) {
    this.sizes = sizes
  }

  get waitingCount() {
    return this.waiting.length
  }

  get runningCount() {
    return this.running.size
  }

  /** How long the read that began last had waited while all threads were busy; 0 if none waits. */
  get waitMilliseconds() {
    return this.waiting.length === 0 ? 0 : this.lastWait
  }

  /** A request that has begun to read may finish; a new one needs room for itself and its caller. */
  hasRoomFor(limits: ReadLimits): boolean {
    if (this.reads.has(limits) || limits.spent.milliseconds > 0) return true
    const ofCaller = [...this.reads.keys()].filter(({ caller }) => caller === limits.caller)
    return this.reads.size < this.sizes.requests && ofCaller.length < this.sizes.requestsOfCaller
  }

  add(read: Read) {
    read.queued = performance.now()
    this.waiting.push(read)
    this.reads.set(read.limits, (this.reads.get(read.limits) ?? 0) + 1)
  }

  /** The next read, which then counts as running; undefined if none may run now. */
  take(now: number): Read | undefined {
    const read = this.best(now)
    if (read === undefined) return undefined
    this.waiting.splice(this.waiting.indexOf(read), 1)
    this.running.add(read)
    // Those of a caller with too many wait for their caller, not for a thread.
    const isShort = read.limits.spent.milliseconds === 0 && this.running.size >= this.sizes.threads
    if (isShort) this.lastWait = Math.max(0, now - (read.queued ?? now))
    this.turns.set(read.limits.caller, ++this.turn)
    read.started = now
    return read
  }

  /** In one pass: very many reads may wait, and each that ends looks for the next. */
  private best(now: number): Read | undefined {
    let best: { read: Read; rank: readonly number[] } | undefined
    for (const read of this.waiting) {
      if (!this.mayRun(read, now)) continue
      const rank = this.rankOf(read)
      if (best === undefined || compareRanks(rank, best.rank) < 0) best = { read, rank }
    }
    return best?.read
  }

  /** Returns whether the read was still waiting. */
  remove(read: Read): boolean {
    const index = this.waiting.indexOf(read)
    if (index === -1) this.running.delete(read)
    else this.waiting.splice(index, 1)
    this.forget(read.limits)
    return index !== -1
  }

  /** An interrupted read waits again. */
  putBack(read: Read) {
    this.running.delete(read)
    delete read.started
    this.waiting.push(read)
  }

  /**
   * A long read to interrupt: one more than may run, while a short one waits because of it. Undefined if there is none.
   * It is the one that has run least, so that no request is interrupted again and again.
   */
  surplus(now: number): Read | undefined {
    const long = [...this.running].filter((read) => this.timeOf(read, now) >= this.sizes.longMilliseconds)
    const shorts = this.waiting.filter(({ limits }) => limits.spent.milliseconds < this.sizes.longMilliseconds)
    const isSurplus = (read: Read) => long.length > this.sizes.threadsOfLong || ofSameCaller(long, read).length > 1
    const isInTheWay = (read: Read) =>
      shorts.some((short) =>
        ofSameCaller([...this.running], short).length < this.sizes.threadsOfCaller
          ? this.running.size >= this.sizes.threads
          : short.limits.caller === read.limits.caller,
      )
    return long
      .filter((read) => isSurplus(read) && isInTheWay(read))
      .sort((one, other) => this.timeOf(one, now) - this.timeOf(other, now))[0]
  }

  isWaiting(read: Read) {
    return this.waiting.includes(read)
  }

  /** All reads that have not ended. */
  all(): Read[] {
    return [...this.waiting, ...this.running]
  }

  private mayRun({ limits }: Read, now: number): boolean {
    const running = [...this.running]
    const ofCaller = ofSameCaller(running, { limits })
    if (ofCaller.length >= this.sizes.threadsOfCaller) return false
    if (limits.spent.milliseconds < this.sizes.longMilliseconds) return true
    const isLong = (read: Read) => this.timeOf(read, now) >= this.sizes.longMilliseconds
    return !ofCaller.some(isLong) && running.filter(isLong).length < this.sizes.threadsOfLong
  }

  private timeOf({ limits, started = 0 }: Read, now: number) {
    return limits.spent.milliseconds + now - started
  }

  private rankOf({ limits }: Read): readonly number[] {
    const { spent, caller } = limits
    const isLong = spent.milliseconds >= this.sizes.longMilliseconds ? 1 : 0
    const ofCaller = ofSameCaller([...this.running], { limits })
    return [isLong, ofCaller.length, this.turns.get(caller) ?? 0, spent.milliseconds]
  }

  private forget(limits: ReadLimits) {
    const left = (this.reads.get(limits) ?? 1) - 1
    if (left > 0) return void this.reads.set(limits, left)
    this.reads.delete(limits)
    if (this.reads.size === 0 || this.turns.size > MOST_TURNS) this.turns.clear()
  }
}

const MOST_TURNS = 1000

function ofSameCaller<Read extends QueuedRead>(reads: readonly Read[], { limits }: QueuedRead): Read[] {
  return reads.filter((read) => read.limits.caller === limits.caller)
}

/** Compares by the first number that differs; reads of equal rank keep their order. */
function compareRanks(one: readonly number[], other: readonly number[]): number {
  const index = one.findIndex((number, at) => number !== other[at])
  return index === -1 ? 0 : (one[index] ?? 0) - (other[index] ?? 0)
}
