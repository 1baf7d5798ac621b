import { AsyncLocalStorage } from 'node:async_hooks'

/** Small, because a connection that a request opens keeps it. Its name changes when the user is known. */
export interface NamedCaller {
  readonly name: string
}

/** Whose request the current code serves. Timers and promises that it starts see it too. */
const current = new AsyncLocalStorage<NamedCaller>()

export function runAs<Result>(caller: NamedCaller, work: () => Result): Result {
  return current.run(caller, work)
}

/** For queues that are fair to callers. All work without a request counts as one caller. */
export function currentCaller(): string {
  return current.getStore()?.name ?? ''
}

/** The items, each of which is made for the current caller, also if another one reads it. */
export function madeAsCurrentCaller<Item>(items: AsyncIterable<Item>): AsyncIterable<Item> {
  const within = AsyncLocalStorage.snapshot()
  return {
    [Symbol.asyncIterator]() {
      const iterator = items[Symbol.asyncIterator]()
      return {
        next: () => within(() => iterator.next()),
        return: (value) => within(() => iterator.return?.(value) ?? Promise.resolve({ done: true, value })),
      }
    },
  }
}
