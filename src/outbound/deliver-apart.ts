import { Worker } from 'node:worker_threads'
import { keepOrder } from './keep-order.ts'
import type { Apart, Surroundings } from './surroundings.ts'

/** So that a thread which cannot start is not started without end. */
const BREATH_MILLISECONDS = 2000
/** What is under way when the server ends is finished by then, or left to the next server. */
const LONGEST_END_MILLISECONDS = 15_000

/**
 * Tells the world from a thread of its own, with connections of its own to the database, so that no message takes time from answering
 * requests. Only the order of events is kept here, for the feed, which is asked here.
 */
export function deliverApart({ db, config, log, baseUrl }: Surroundings) {
  const order = keepOrder(db, log)
  let isEnding = false
  let breath: NodeJS.Timeout | undefined
  let thread = started()
  const stops = (['events', 'jobs'] as const).map((topic) => db.listen(topic, () => thread.postMessage(topic)))

  function started(): Worker {
    const workerData: Apart = { config, baseUrl: baseUrl() }
    const worker = new Worker(new URL('./deliver-thread.ts', import.meta.url), { workerData })
    worker.once('error', (fault) => log.error('delivery failed', { stack: fault.stack ?? String(fault) }))
    worker.once('exit', () => {
      if (isEnding) return
      breath = setTimeout(() => {
        thread = started()
      }, BREATH_MILLISECONDS)
    })
    return worker
  }

  return {
    async end() {
      isEnding = true
      clearTimeout(breath)
      for (const stop of stops) stop()
      await order.end()
      await ended(thread)
    },
  }
}

async function ended(thread: Worker) {
  // A thread that has ended by itself has no number any more.
  if (thread.threadId === -1) return
  const isOver = new Promise((resolve) => thread.once('exit', resolve))
  const late = setTimeout(() => void thread.terminate(), LONGEST_END_MILLISECONDS)
  thread.postMessage('end')
  await isOver
  clearTimeout(late)
}
