import cluster, { type Worker } from 'node:cluster'
import { type MetricFamily, merged, withLabel } from './exposition.ts'

/**
 * With several processes, a scrape reaches one of them. That one asks the primary process, which asks each of the
 * others and returns the replies that arrive in time.
 */

const LONGEST_WAIT_MILLISECONDS = 1000

/** The messages between processes. `ask` is a number that matches replies to requests. */
type Message =
  | { metrics: 'of all'; ask: number; families?: MetricFamily[] }
  | { metrics: 'of one'; ask: number; families?: MetricFamily[] }

/** The metrics of this process and its siblings, each with its number as a label. */
export class ProcessMetrics {
  private readonly own: () => MetricFamily[]
  private readonly openRequests = new Map<number, (families: MetricFamily[]) => void>()
  private lastAsk = 0

  /** `own` returns the metrics of this process. */
  constructor(own: () => MetricFamily[]) {
    this.own = own
    if (cluster.isWorker) process.on('message', this.receive)
  }

  all(): Promise<MetricFamily[]> {
    if (!cluster.isWorker) return Promise.resolve(this.labelled())
    const ask = ++this.lastAsk
    return new Promise((resolve) => {
      const late = setTimeout(() => done(this.labelled()), 2 * LONGEST_WAIT_MILLISECONDS)
      const done = (families: MetricFamily[]) => {
        clearTimeout(late)
        this.openRequests.delete(ask)
        resolve(families)
      }
      this.openRequests.set(ask, done)
      process.send?.({ metrics: 'of all', ask } satisfies Message)
    })
  }

  close() {
    process.off('message', this.receive)
  }

  private labelled() {
    return withLabel(`process="${cluster.worker?.id ?? 1}"`, this.own())
  }

  private readonly receive = (message: Message) => {
    const { metrics, ask } = message
    if (metrics === 'of one') process.send?.({ metrics, ask, families: this.labelled() } satisfies Message)
    else if (metrics === 'of all') this.openRequests.get(ask)?.(message.families ?? [])
  }
}

/** For the primary process: answers workers that ask for the metrics of all. */
export function relayMetrics() {
  const open = new Map<number, (families: MetricFamily[]) => void>()
  let lastAsk = 0

  const ofOne = (worker: Worker): Promise<MetricFamily[]> => {
    const ask = ++lastAsk
    return new Promise((resolve) => {
      const late = setTimeout(() => done([]), LONGEST_WAIT_MILLISECONDS)
      const done = (families: MetricFamily[]) => {
        clearTimeout(late)
        open.delete(ask)
        resolve(families)
      }
      open.set(ask, done)
      send(worker, { metrics: 'of one', ask })
    })
  }

  cluster.on('message', async (worker, message: Message) => {
    const { metrics, ask, families = [] } = message
    if (metrics === 'of one') open.get(ask)?.(families)
    if (metrics !== 'of all') return
    const workers = Object.values(cluster.workers ?? {}).filter((it) => it !== undefined)
    const all = await Promise.all(workers.map(ofOne))
    send(worker, { metrics: 'of all', ask, families: merged(all.flat()) })
  })
}

/** A worker that is ending does not reply, and is waited for no longer than others. */
function send(worker: Worker, message: Message) {
  worker.send(message, () => {})
}
