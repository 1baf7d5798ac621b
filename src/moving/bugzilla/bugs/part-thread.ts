import { Worker } from 'node:worker_threads'
import type { PartRequest, PreparedParts, ThreadPart } from './part-request.ts'
import type { PreparedPart } from './prepared-part.ts'

/** How many parts the thread may be ahead of the one that is written. */
const PARTS_AHEAD = 3

/** Prepares the parts in a thread of its own, while others are written. */
export class PartThread implements PreparedParts {
  private readonly worker: Worker
  private readonly ready: PreparedPart[] = []
  private waiting: { resolve(part: PreparedPart): void; reject(fault: Error): void } | undefined
  private fault: Error | undefined

  constructor(request: PartRequest) {
    this.worker = new Worker(new URL('./part-worker.ts', import.meta.url), {
      workerData: request,
      resourceLimits: { maxYoungGenerationSizeMb: 16 },
    })
    this.worker.on('message', (message: ThreadPart) => this.accept(message))
    this.worker.on('error', (fault: Error) => this.fail(fault))
    for (let ahead = 0; ahead < PARTS_AHEAD; ahead++) this.worker.postMessage('next')
  }

  next(): Promise<PreparedPart> {
    const ready = this.ready.shift()
    if (ready) return this.taken(ready)
    if (this.fault) return Promise.reject(this.fault)
    return new Promise((resolve, reject) => {
      this.waiting = { resolve, reject }
    })
  }

  async close() {
    await this.worker.terminate()
  }

  private async taken(part: PreparedPart): Promise<PreparedPart> {
    if (part.next !== 'done') this.worker.postMessage('next')
    return part
  }

  private accept({ part, fault }: ThreadPart) {
    if (fault !== undefined) return this.fail(fault)
    if (part === undefined) return
    const { waiting } = this
    this.waiting = undefined
    if (waiting === undefined) this.ready.push(part)
    else waiting.resolve(this.taken(part) as never)
  }

  private fail(fault: Error) {
    this.fault = fault
    this.waiting?.reject(fault)
    this.waiting = undefined
  }
}
