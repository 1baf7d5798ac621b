import { availableParallelism } from 'node:os'

/** Does the work for each item, for a few of them at a time: tests also wait, so there are more than processors. */
export async function inParallel<Item>(items: readonly Item[], work: (item: Item) => Promise<void>) {
  const waiting = [...items]
  const takeTurns = async () => {
    for (let item = waiting.shift(); item !== undefined; item = waiting.shift()) await work(item)
  }
  await Promise.all(Array.from({ length: availableParallelism() + 1 }, takeTurns))
}
