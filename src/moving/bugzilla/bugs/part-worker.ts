import { parentPort, workerData } from 'node:worker_threads'
import { type PartRequest, partsFor, type ThreadPart } from './part-request.ts'

/** Prepares one part for each message. */
const parts = partsFor(workerData as PartRequest)
let last: Promise<unknown> = Promise.resolve()
let isDone = false

parentPort?.on('message', () => {
  last = last.then(prepareNext)
})

async function prepareNext() {
  if (isDone) return
  try {
    const part = await parts.next()
    isDone = part.next === 'done'
    parentPort?.postMessage({ part } satisfies ThreadPart)
  } catch (fault) {
    isDone = true
    parentPort?.postMessage({ fault: fault as Error } satisfies ThreadPart)
  }
}
