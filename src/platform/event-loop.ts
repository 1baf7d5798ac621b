/**
 * One thread answers everybody, so long work is done in slices: it asks now and then whether this turn of the event loop has lasted
 * long, and goes on in a later turn. Of all the work that waits for a later turn, one slice is done per turn: many long requests at once
 * delay a short one no more than a single one does.
 */
const LONGEST_TURN_MILLISECONDS = 10

const NOT_STARTED = -1
let startedAt = NOT_STARTED
const waiting: (() => void)[] = []

/** Whether this turn has lasted so long that other requests should be served first. */
export function isTurnLong(): boolean {
  const now = performance.now()
  if (startedAt !== NOT_STARTED) return now - startedAt > LONGEST_TURN_MILLISECONDS
  startedAt = now
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

/** The results of `work` for all items, in slices. */
export async function mapInSlices<Item, Result>(
  items: readonly Item[],
  work: (item: Item) => Result,
): Promise<Result[]> {
  const results: Result[] = []
  for (const [index, item] of items.entries()) {
    if (index % ITEMS_UNCHECKED === 0 && isTurnLong()) await laterTurn()
    results.push(work(item))
  }
  return results
}

/** To look at the clock costs about as much as to present a small item. */
const ITEMS_UNCHECKED = 16

function wakeNext() {
  startedAt = NOT_STARTED
  waiting.shift()?.()
  if (waiting.length > 0) setImmediate(wakeNext)
}

function endTurn() {
  startedAt = NOT_STARTED
}
