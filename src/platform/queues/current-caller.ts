import { AsyncLocalStorage } from 'node:async_hooks'

/** Small, because a connection that a request opens keeps it. Its name changes when the user is known. */
export interface NamedCaller {
  readonly name: string
  /** By what the changes are made that the request makes; undefined until it is known. */
  readonly source?: ChangeSource | undefined
}

/** By what a change is made: the number of the kind (shared/change-sources.ts), and which one of its kind. */
export interface ChangeSource {
  readonly kind: number
  readonly id: number | null
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

/** By what the current code makes changes; undefined without a request. */
export function currentSource(): ChangeSource | undefined {
  return current.getStore()?.source
}

/** Does the work as the same caller, and records that its changes are made by this source. */
export function runFromSource<Result>(source: ChangeSource, work: () => Result): Result {
  return current.run({ name: currentCaller(), source }, work)
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
