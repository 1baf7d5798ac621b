import { Worker } from 'node:worker_threads'
import { translateSqliteFault } from '../sqlite/sqlite-faults.ts'
import { isUnavailable } from '../unavailable.ts'
import type { SlowRead, SlowReader, SlowReply, ThreadReply } from './slow-read.ts'
import { scansIn, type ThreadRead } from './text-scan.ts'

/** A worker thread with its own read-only connection. It runs one read at a time. */
export class SlowReadsThread implements SlowReader {
  private readonly worker: Worker
  /** Not 0 if the read is to end; the thread checks it while it reads. */
  private readonly isCancelled = new Int32Array(new SharedArrayBuffer(4))
  private done: ((reply: SlowReply) => void) | undefined
  private isBroken = false

  constructor(file: string) {
    this.worker = new Worker(new URL('./slow-reads-worker.ts', import.meta.url), {
      workerData: { file, isCancelled: this.isCancelled },
      resourceLimits: { maxOldGenerationSizeMb: MOST_HEAP_MEGABYTES },
    })
    this.worker.unref()
    this.worker.on('message', ({ fault, ...reply }: ThreadReply) =>
      fault === undefined ? this.finish(reply) : this.fail({ ...reply, fault: errorFrom(fault) }),
    )
    this.worker.on('error', (fault: Error & { code?: string }) => {
      this.isBroken = true
      this.finish({ fault: errorFrom(fault), isLate: fault.code === 'ERR_WORKER_OUT_OF_MEMORY' })
    })
  }

  get isUsable() {
    return !this.isBroken
  }

  run(read: SlowRead, done: (reply: SlowReply) => void) {
    this.done = done
    Atomics.store(this.isCancelled, 0, 0)
    this.worker.postMessage({ ...read, ...scansIn(read.values) } satisfies ThreadRead)
  }

  /** The read ends as soon as the thread checks the flag. */
  cancel() {
    Atomics.store(this.isCancelled, 0, 1)
  }

  /** Terminates the thread within JavaScript. A running SQLite call cannot be interrupted, so this waits for it. */
  async end() {
    this.isBroken = true
    this.done = undefined
    await this.worker.terminate()
  }

  /** A connection that could not read its file may never recover, so the thread is not used any more. */
  private fail(reply: SlowReply) {
    if (isUnavailable(reply.fault)) {
      this.isBroken = true
      void this.worker.terminate()
    }
    this.finish(reply)
  }

  private finish(reply: SlowReply) {
    const { done } = this
    this.done = undefined
    done?.(reply)
  }
}

/** A read that needs more memory than this ends only its thread, not the whole server. */
const MOST_HEAP_MEGABYTES = 192

/** The error that a thread sent. */
function errorFrom({ message, errcode }: { message: string; errcode?: number }): Error {
  return translateSqliteFault(Object.assign(new Error(message), errcode !== undefined && { errcode })) as Error
}
