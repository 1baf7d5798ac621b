import { Worker } from 'node:worker_threads'
import { errors } from '../errors.ts'
import type { ReadLimits } from './read-limits.ts'
import type { SlowRead, SlowReply } from './slow-read.ts'

interface Job {
  sql: string
  values: readonly unknown[]
  limits: ReadLimits
  resolve: (rows: unknown[]) => void
  reject: (fault: Error) => void
}

const MOST_WORKERS = 2
/** For a read to notice that its time is over, and for a thread to start. */
const GRACE_MILLISECONDS = 30_000

/** Threads with a read-only connection of their own, started when the first slow read comes. */
export class SlowReads {
  private readonly file: string
  private readonly idle: Worker[] = []
  private readonly waiting: Job[] = []
  private started = 0
  private readonly all = new Set<Worker>()

  constructor(file: string) {
    this.file = file
  }

  rows(sql: string, values: readonly unknown[], limits: ReadLimits): Promise<unknown[]> {
    return new Promise((resolve, reject) => {
      this.waiting.push({ sql, values, limits, resolve, reject })
      this.next()
    })
  }

  async close() {
    await Promise.all([...this.all].map((worker) => worker.terminate()))
  }

  private next() {
    const worker =
      this.idle.pop() ?? (this.started < MOST_WORKERS && this.waiting.length > 0 ? this.start() : undefined)
    if (!worker) return
    const job = this.waiting.shift()
    if (job) this.give(worker, job)
    else this.idle.push(worker)
  }

  private start() {
    this.started++
    const worker = new Worker(new URL('./slow-reads-worker.ts', import.meta.url), { workerData: this.file })
    worker.unref()
    this.all.add(worker)
    return worker
  }

  private give(worker: Worker, job: Job) {
    const milliseconds = job.limits.deadline - performance.now()
    if (milliseconds <= 0 || job.limits.signal.aborted) {
      this.idle.push(worker)
      job.reject(job.limits.signal.aborted ? errors.client_left() : errors.search_too_slow())
      return this.next()
    }
    const done = (settle: () => void, isUsable: boolean) => {
      clearTimeout(limit)
      // Only our own: a worker that has lost the listeners it keeps for itself receives nothing any more.
      worker.off('message', answered).off('error', failed)
      if (isUsable) this.idle.push(worker)
      else this.discard(worker)
      settle()
      this.next()
    }
    // Reads of searches end by themselves in time (see text-functions.ts); a thread cannot be ended in the midst of a read.
    const limit = setTimeout(
      () => done(() => job.reject(errors.search_too_slow()), false),
      milliseconds + GRACE_MILLISECONDS,
    )
    const answered = ({ rows, fault, isLate }: SlowReply) =>
      done(() => {
        if (rows) job.resolve(rows)
        else job.reject(isLate ? errors.search_too_slow() : new Error(fault))
      }, true)
    const failed = (fault: Error) => done(() => job.reject(fault), false)
    worker.on('message', answered).on('error', failed)
    worker.postMessage({ sql: job.sql, values: job.values, milliseconds } satisfies SlowRead)
  }

  private discard(worker: Worker) {
    this.started--
    this.all.delete(worker)
    void worker.terminate()
  }
}
