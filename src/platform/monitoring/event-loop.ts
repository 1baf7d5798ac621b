/**
 * One thread serves all requests, so long work is done in slices: it checks now and then whether its slice is over, and
 * continues in a later turn of the event loop. Each turn runs one waiting slice, so that many long requests at once
 * delay a short one no more than a single long one does.
 */
const SLICE_MILLISECONDS = 10

const NOT_STARTED = -1
let turnStartedAt = NOT_STARTED
const waiting: (() => void)[] = []

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

/** Waits for a later turn of the event loop. */
export function laterTurn(): Promise<void> {
  return new Promise((resolve) => {
    waiting.push(resolve)
    if (waiting.length === 1) setImmediate(wakeNext)
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
  work: (item: Item) => Result,
): Promise<Result[]> {
  const results: Result[] = []
  for (const item of items) {
    results.push(work(item))
    if (results.length % ITEMS_UNCHECKED === 0 && isTurnLong()) await laterTurn()
  }
  return results
}

/** Reading the clock costs about as much as presenting a small item. */
const ITEMS_UNCHECKED = 32

function wakeNext() {
  turnStartedAt = NOT_STARTED
  waiting.shift()?.()
  if (waiting.length > 0) setImmediate(wakeNext)
}

function endTurn() {
  turnStartedAt = NOT_STARTED
}
