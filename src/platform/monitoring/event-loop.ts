import { CallerTurns } from '../queues/caller-turns.ts'
import { currentCaller } from '../queues/current-caller.ts'

/**
 * One thread serves all requests, so long work is done in slices: it checks now and then whether its slice is over, and
 * continues in a later turn of the event loop. Each turn runs one waiting slice, so that many long requests at once
 * delay a short one no more than a single long one does.
 */
const SLICE_MILLISECONDS = 10

const NOT_STARTED = -1
let turnStartedAt = NOT_STARTED
const waiting = new CallerTurns<() => void>()

/**
 * Whether this turn of the event loop has lasted long, whatever took the time. Only for work that is known to be long.
 */
export function isTurnLong(): boolean {
  const now = performance.now()
  if (turnStartedAt !== NOT_STARTED) return now - turnStartedAt > SLICE_MILLISECONDS
  turnStartedAt = now
  setImmediate(endTurn)
  return false
}

/** Waits for a later turn of the event loop. Callers take turns, so that many slices of one do not delay those of others. */
export function laterTurn(caller = currentCaller()): Promise<void> {
  return new Promise((resolve) => {
    if (waiting.size === 0) setImmediate(wakeNext)
    waiting.add(caller, resolve)
  })
}

/** The time of one piece of work that may turn out to be long; short work never waits for a later turn. */
export class Slice {
  private endsAt = performance.now() + SLICE_MILLISECONDS

  isOver(): boolean {
    return performance.now() > this.endsAt
  }

  async next() {
    await laterTurn()
    this.endsAt = performance.now() + SLICE_MILLISECONDS
  }
}

/** The results of `work` for all items, in slices if there are many. */
export async function mapInSlices<Item, Result>(
  items: readonly Item[],
  work: (item: Item, place: number) => Result,
  caller?: string,
): Promise<Result[]> {
  const results: Result[] = []
  for (const item of items) {
    results.push(work(item, results.length))
    if (results.length % ITEMS_UNCHECKED === 0 && isTurnLong()) await laterTurn(caller)
  }
  return results
}

/** Reading the clock costs about as much as presenting a small item. */
const ITEMS_UNCHECKED = 32

function wakeNext() {
  turnStartedAt = NOT_STARTED
  const next = waiting.takeNext()
  if (waiting.size > 0) setImmediate(wakeNext)
  next?.()
}

function endTurn() {
  turnStartedAt = NOT_STARTED
}
