import { Worker } from 'node:worker_threads'
import type { SignalTopic } from '../../platform/database/signals.ts'
import { LowPriority, Traffic } from '../../platform/database/transactions/traffic.ts'
import { Restarts } from '../../platform/monitoring/restarts.ts'
import { stackOf } from '../../platform/monitoring/uncaught.ts'
import { areRemindersDue, isAnythingWaiting } from '../consumers/waiting-store.ts'
import { assignEventPositions } from '../events/assign-event-positions.ts'
import type { RunningDelivery } from './deliver.ts'
import type { DeliveryContext, DeliveryThreadData } from './delivery-context.ts'
import { type Rounds, runInRounds } from './rounds.ts'

/** The pause before a failed thread is replaced. */
const SHORTEST_PAUSE_MILLISECONDS = 2000
const LONGEST_PAUSE_MILLISECONDS = 60_000
/** Running deliveries may take this long when the server ends; the rest is left to the next server. */
const LONGEST_END_MILLISECONDS = 15_000
const BATCH_MILLISECONDS = 50
const WAKE_AFTER_MILLISECONDS = 20
/** How often the server checks whether the thread is needed, besides when a signal arrives. */
const LOOK_EVERY_MILLISECONDS = 2000
/** An idle thread waits this long for more work before it ends. */
const LINGER_MILLISECONDS = 20_000
/** A starting server does not send reminders at once. */
const REMIND_AFTER_SECONDS = 600

/**
 * Delivers in a thread of its own, with its own connections to the database, so that delivery takes no time from requests. The thread
 * exists only while there is something to deliver, because it takes half as much memory again. Events get their positions in this
 * thread, because the feed is read here.
 */
export function deliverInThread(context: DeliveryContext): RunningDelivery {
  const order = assignEventPositions(context.db, context.log)
  const thread = new DeliveryThread(context)
  return {
    async end() {
      await thread.stopLooking()
      await order.end()
      await thread.end()
    },
  }
}

class DeliveryThread {
  private readonly context: DeliveryContext
  private readonly restarts = new Restarts(SHORTEST_PAUSE_MILLISECONDS, LONGEST_PAUSE_MILLISECONDS)
  private readonly lowPriority: LowPriority | undefined
  private readonly looking: Rounds
  private readonly stopListening: (() => void)[]
  private worker: Worker | undefined
  private isEnding = false
  private neededAt = 0
  private notBefore = 0

  constructor(context: DeliveryContext) {
    this.context = context
    const { db, log } = context
    this.lowPriority = db.traffic && new LowPriority(new Traffic(db.traffic))
    const pauses = { batchMilliseconds: BATCH_MILLISECONDS, idleMilliseconds: LOOK_EVERY_MILLISECONDS }
    this.looking = runInRounds({ name: 'checking for deliveries', log, ...pauses }, () => this.look())
    this.stopListening = (['events', 'jobs'] as const).map((topic) => db.listen(topic, this.wakerFor(topic)))
  }

  async stopLooking() {
    this.isEnding = true
    for (const stop of this.stopListening) stop()
    await this.looking.end()
  }

  async end() {
    const { worker } = this
    this.worker = undefined
    if (worker !== undefined) await endWorker(worker)
  }

  private async look(): Promise<boolean> {
    if (await this.isNeeded()) await this.need()
    else if (performance.now() - this.neededAt > LINGER_MILLISECONDS) await this.end()
    return false
  }

  private async isNeeded() {
    const { db, config } = this.context
    if (config.maildir !== undefined || (await isAnythingWaiting(db))) return true
    return process.uptime() > REMIND_AFTER_SECONDS && (await areRemindersDue(db))
  }

  private async need() {
    this.neededAt = performance.now()
    if (this.worker !== undefined || this.neededAt < this.notBefore) return
    // Starting a thread takes as much processor time as hundreds of changes.
    await this.lowPriority?.waitUntilWriterIdle()
    if (!this.isEnding) this.worker = this.start()
  }

  private start(): Worker {
    const { db, config, log, baseUrl } = this.context
    const startedAt = performance.now()
    const workerData: DeliveryThreadData = { config, baseUrl: baseUrl(), traffic: db.traffic }
    const worker = new Worker(new URL('./deliver-thread.ts', import.meta.url), { workerData })
    worker.on('error', (fault) => log.error('delivery failed', { stack: stackOf(fault) }))
    worker.once('exit', () => {
      // A thread that was asked to end is replaced already.
      if (this.worker !== worker) return
      this.worker = undefined
      const now = performance.now()
      this.notBefore = now + this.restarts.pauseAfter(now - startedAt)
    })
    return worker
  }

  /** Waking a thread takes longer than writing a row, so several signals within a short time wake it once. */
  private wakerFor(topic: SignalTopic) {
    let isSoon = false
    return () => {
      if (this.worker === undefined) return this.looking.wake()
      if (isSoon) return
      isSoon = true
      const soon = setTimeout(() => {
        isSoon = false
        if (this.worker === undefined) this.looking.wake()
        else this.worker.postMessage(topic)
      }, WAKE_AFTER_MILLISECONDS)
      soon.unref()
    }
  }
}

async function endWorker(thread: Worker) {
  // A thread that has already ended has no id.
  if (thread.threadId === -1) return
  const isOver = new Promise((resolve) => thread.once('exit', resolve))
  const late = setTimeout(() => void thread.terminate(), LONGEST_END_MILLISECONDS)
  thread.postMessage('end')
  await isOver
  clearTimeout(late)
}
