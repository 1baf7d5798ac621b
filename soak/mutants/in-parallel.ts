import { availableParallelism } from 'node:os'

/** Does the work for each item, for a few of them at a time: tests also wait, so there are more than processors. */
export async function inParallel<Item>(
  items: readonly Item[],
  stop: AbortSignal,
  work: (item: Item, index: number) => Promise<void>,
) {
  const waiting = [...items.entries()]
  const takeTurns = async () => {
    for (let next = waiting.shift(); next !== undefined && !stop.aborted; next = waiting.shift())
      await work(next[1], next[0])
  }
  await Promise.all(Array.from({ length: availableParallelism() + 1 }, takeTurns))
}
