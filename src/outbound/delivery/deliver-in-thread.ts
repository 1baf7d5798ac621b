import { Worker } from 'node:worker_threads'
import type { SignalTopic } from '../../platform/database/signals.ts'
import { LowPriority, Traffic } from '../../platform/database/transactions/traffic.ts'
import { Restarts } from '../../platform/monitoring/restarts.ts'
import { stackOf } from '../../platform/monitoring/uncaught.ts'
import { areRemindersDue, isAnythingWaiting } from '../consumers/waiting-store.ts'
import { assignEventPositions } from '../events/assign-event-positions.ts'
import type { DeliveryContext, DeliveryThreadData } from './delivery-context.ts'
import { runInRounds } from './rounds.ts'

/** The pause before a failed thread is replaced. */
const SHORTEST_PAUSE_MILLISECONDS = 2000
const LONGEST_PAUSE_MILLISECONDS = 60_000
/** Running deliveries may take this long when the server ends; the rest is left to the next server. */
const LONGEST_END_MILLISECONDS = 15_000
const GATHER_MILLISECONDS = 50
const WAKE_AFTER_MILLISECONDS = 20
/** How often the server checks whether the thread is needed, besides when a signal arrives. */
const LOOK_EVERY_MILLISECONDS = 2000
/** An idle thread waits this long for more work before it ends. */
const LINGER_MILLISECONDS = 20_000
/** A starting server does not send reminders at once. */
const REMIND_AFTER_SECONDS = 600

/**
 * Delivers from a thread with its own database connections, so that delivery takes no time from requests. The thread
 * runs only while there is something to deliver, because it needs half as much memory again. Event positions are
 * assigned in the main thread, which serves the feed.
 */
export function deliverInThread({ db, config, log, baseUrl }: DeliveryContext) {
  const order = assignEventPositions(db, log)
  let thread: Worker | undefined
  let isEnding = false
  let neededAt = 0
  let notBefore = 0
  const restarts = new Restarts(SHORTEST_PAUSE_MILLISECONDS, LONGEST_PAUSE_MILLISECONDS)
  const lowPriority = db.traffic && new LowPriority(new Traffic(db.traffic))

  const pauses = { gatherMilliseconds: GATHER_MILLISECONDS, idleMilliseconds: LOOK_EVERY_MILLISECONDS }
  const looking = runInRounds({ name: 'checking for deliveries', log, ...pauses }, async () => {
    if (await isNeeded()) await need()
    else if (performance.now() - neededAt > LINGER_MILLISECONDS) await rest()
    return false
  })
  const stops = (['events', 'jobs'] as const).map((topic) => db.listen(topic, woken(topic)))

  /** Waking a thread takes longer than writing a row, so several signals within a short time wake it once. */
  function woken(topic: SignalTopic) {
    let isSoon = false
    return () => {
      if (thread === undefined) return looking.wake()
      if (isSoon) return
      isSoon = true
      const soon = setTimeout(() => {
        isSoon = false
        if (thread === undefined) looking.wake()
        else thread.postMessage(topic)
      }, WAKE_AFTER_MILLISECONDS)
      soon.unref()
    }
  }

  async function isNeeded() {
    if (config.maildir !== undefined || (await isAnythingWaiting(db))) return true
    return process.uptime() > REMIND_AFTER_SECONDS && (await areRemindersDue(db))
  }

  async function need() {
    neededAt = performance.now()
    if (thread !== undefined || neededAt < notBefore) return
    // Starting a thread takes as much processor time as hundreds of changes.
    await lowPriority?.waitUntilWriterIdle()
    if (isEnding) return
    const startedAt = performance.now()
    const workerData: DeliveryThreadData = { config, baseUrl: baseUrl(), traffic: db.traffic }
    const worker = new Worker(new URL('./deliver-thread.ts', import.meta.url), { workerData })
    worker.on('error', (fault) => log.error('delivery failed', { stack: stackOf(fault) }))
    worker.once('exit', () => {
      // A thread that was asked to end is already replaced.
      if (thread !== worker) return
      thread = undefined
      const now = performance.now()
      notBefore = now + restarts.pauseAfter(now - startedAt)
    })
    thread = worker
  }

  async function rest() {
    const worker = thread
    thread = undefined
    if (worker !== undefined) await ended(worker)
  }

  return {
    async end() {
      isEnding = true
      for (const stop of stops) stop()
      await looking.end()
      await order.end()
      await rest()
    },
  }
}

async function ended(thread: Worker) {
  // A thread that has already ended has no id.
  if (thread.threadId === -1) return
  const isOver = new Promise((resolve) => thread.once('exit', resolve))
  const late = setTimeout(() => void thread.terminate(), LONGEST_END_MILLISECONDS)
  thread.postMessage('end')
  await isOver
  clearTimeout(late)
}
