import { laterTurn } from '../monitoring/event-loop.ts'
import { FairQueue } from './fair-queue.ts'

/** Of an input, in characters. Work on a shorter one takes a few milliseconds. */
const LONG = 4000

/** Two at a time, because all that have begun are in memory. */
const queue = new FairQueue({ running: 2, waiting: 300, waitingOfOneCaller: 60 })

/**
 * Runs work whose time and memory depend on the length of an input: at once if that is short, else in a queue that is fair to callers, and
 * from a turn of its own. Throws 503 if too much waits. The work itself still runs in slices.
 */
export function runLongWork<Result>(caller: string, length: number, work: () => Promise<Result>): Promise<Result> {
  if (length <= LONG) return work()
  return queue.run(caller, async () => {
    await laterTurn(caller)
    return work()
  })
}
