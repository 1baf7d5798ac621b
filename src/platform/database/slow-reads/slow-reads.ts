import { type ApiError, errors } from '../../errors.ts'
import type { ReadLimits } from './read-limits.ts'
import type { SlowReadCounts, SlowReader, SlowReply } from './slow-read.ts'
import { type QueuedRead, type QueueSizes, SlowReadsQueue, USUAL_SIZES } from './slow-reads-queue.ts'

interface Read extends QueuedRead {
  readonly sql: string
  readonly isReused: boolean
  readonly values: readonly unknown[]
  readonly resolve: (rows: unknown[]) => void
  readonly reject: (fault: Error) => void
  timer?: NodeJS.Timeout
  thread?: SlowReader
  /** While it runs: fires when it counts as long. */
  longTimer?: NodeJS.Timeout
  /** It gives its thread to a shorter read, and runs again later. */
  isInterrupted?: boolean
  /** Its result was already returned. */
  hasEnded?: boolean
}

/** A request that gets no thread within this time is refused. */
const LONGEST_WAIT_MILLISECONDS = 10_000
const RETRY_SECONDS = 5
/** How long a read may take to react to its cancellation, before its thread is ended. */
const GRACE_MILLISECONDS = 1000
/** Limit for threads that were ended and still wait for SQLite. */
const MOST_ENDING = 3

/** Runs reads in threads, which are started for the first slow reads. SlowReadsQueue decides their order. */
export class SlowReads {
  private readonly startReader: () => SlowReader
  private readonly sizes: QueueSizes
  private readonly queue: SlowReadsQueue<Read>
  private readonly requests = new WeakMap<ReadLimits, Set<Read>>()
  private readonly threads = new Set<SlowReader>()
  private idle: SlowReader[] = []
  private ending = 0
  private refused = 0
  private late = 0
  private abandoned = 0

  constructor(startReader: () => SlowReader, sizes = USUAL_SIZES) {
    this.startReader = startReader
    this.sizes = sizes
    this.queue = new SlowReadsQueue(sizes)
  }

  counts(): SlowReadCounts {
    const { refused, late, abandoned, queue, threads } = this
    const { waitingCount: waiting, runningCount: running, waitMilliseconds } = queue
    return { waiting, running, waitMilliseconds, workers: threads.size, refused, late, abandoned }
  }

  async rows(sql: string, values: readonly unknown[], limits: ReadLimits, use?: 'reused'): Promise<unknown[]> {
    if (limits.signal.aborted) throw errors.client_left()
    if (performance.now() >= limits.deadline) throw errors.search_too_slow()
    if (!this.queue.hasRoomFor(limits)) throw this.refusal()
    return new Promise((resolve, reject) => {
      const read: Read = { sql, values, isReused: use === 'reused', limits, resolve, reject }
      this.readsOf(limits).add(read)
      this.queue.add(read)
      read.timer = setTimeout(() => this.endLate(read), this.longestWait(limits))
      this.runNext()
    })
  }

  async close() {
    for (const read of this.queue.all()) this.end(read, new Error('The database is closed'))
    await Promise.all([...this.threads].map((thread) => thread.end()))
  }

  private refusal(): ApiError {
    this.refused++
    return errors.overloaded({ seconds: RETRY_SECONDS })
  }

  /** The reads of a request, all of which end when its client disconnects. */
  private readsOf(limits: ReadLimits): Set<Read> {
    const known = this.requests.get(limits)
    if (known) return known
    const reads = new Set<Read>()
    this.requests.set(limits, reads)
    limits.signal.addEventListener('abort', () => {
      for (const read of reads) {
        this.abandoned++
        this.end(read, errors.client_left())
      }
    })
    return reads
  }

  private longestWait({ deadline, spent }: ReadLimits) {
    const left = Math.max(1, deadline - performance.now())
    return spent.milliseconds > 0 ? left : Math.min(left, LONGEST_WAIT_MILLISECONDS)
  }

  private endLate(read: Read) {
    if (this.queue.isWaiting(read) && read.limits.spent.milliseconds === 0) return this.end(read, this.refusal())
    this.late++
    this.end(read, errors.search_too_slow())
  }

  /** Rejects at once. A running read is cancelled, and its thread is ended if it does not react. */
  private end(read: Read, fault: Error) {
    read.hasEnded = true
    clearTimeout(read.timer)
    this.requests.get(read.limits)?.delete(read)
    read.reject(fault)
    if (this.queue.isWaiting(read)) return void this.queue.remove(read)
    const { thread } = read
    thread?.cancel()
    read.timer = setTimeout(() => this.discard(read, thread), GRACE_MILLISECONDS)
    read.timer.unref()
  }

  /** Surplus long reads give their threads to waiting short ones, one at a time. */
  private interruptSurplus() {
    const read = this.queue.surplus(performance.now())
    if (read === undefined || read.hasEnded || read.isInterrupted) return
    read.isInterrupted = true
    read.thread?.cancel()
  }

  private runNext() {
    this.forgetUnusable()
    while (this.idle.length > 0 || (this.threads.size < this.sizes.threads && this.ending < MOST_ENDING)) {
      const read = this.queue.take(performance.now())
      if (read === undefined) break
      this.run(this.idle.pop() ?? this.start(), read)
    }
    this.interruptSurplus()
  }

  /** A thread can fail while it is idle. */
  private forgetUnusable() {
    for (const thread of this.threads) if (!thread.isUsable) this.threads.delete(thread)
    this.idle = this.idle.filter((thread) => thread.isUsable)
  }

  private start() {
    const thread = this.startReader()
    this.threads.add(thread)
    return thread
  }

  private run(thread: SlowReader, read: Read) {
    const { sql, values, isReused, limits } = read
    clearTimeout(read.timer)
    read.thread = thread
    const milliseconds = Math.max(1, limits.deadline - performance.now())
    read.timer = setTimeout(() => this.endLate(read), milliseconds)
    // Timers can fire slightly too early.
    const untilLong = Math.max(0, this.sizes.longMilliseconds - limits.spent.milliseconds) + 2
    read.longTimer = setTimeout(() => this.interruptSurplus(), untilLong)
    read.longTimer.unref()
    thread.run({ sql, values, isReused, milliseconds }, (reply) => {
      const runsAgain = read.isInterrupted && !read.hasEnded && reply.rows === undefined && reply.isLate
      this.finish(read, thread, runsAgain ? 'interrupted' : 'done')
      if (!runsAgain) settle(read, reply)
    })
  }

  /** Called when the thread of the read is free again. */
  private finish(read: Read, thread: SlowReader, how: 'done' | 'interrupted') {
    clearTimeout(read.timer)
    clearTimeout(read.longTimer)
    // Never 0, which marks a request that has not read yet.
    read.limits.spent.milliseconds += Math.max(0.001, performance.now() - (read.started ?? 0))
    if (how === 'interrupted') this.waitAgain(read)
    else {
      this.requests.get(read.limits)?.delete(read)
      this.queue.remove(read)
    }
    if (thread.isUsable) this.idle.push(thread)
    else this.threads.delete(thread)
    this.runNext()
  }

  private waitAgain(read: Read) {
    delete read.thread
    read.isInterrupted = false
    this.queue.putBack(read)
    read.timer = setTimeout(() => this.endLate(read), this.longestWait(read.limits))
  }

  private discard(read: Read, thread: SlowReader | undefined) {
    if (thread === undefined) return
    this.ending++
    void thread.end().finally(() => {
      this.ending--
      this.runNext()
    })
    this.finish(read, thread, 'done')
  }
}

function settle({ resolve, reject }: Read, { rows, fault, isLate }: SlowReply) {
  if (rows) resolve(rows)
  else reject(isLate ? errors.search_too_slow() : (fault ?? new Error('A slow read ended without a result')))
}
