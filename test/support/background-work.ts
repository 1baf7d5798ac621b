import { AsyncLocalStorage } from 'node:async_hooks'
import type { Db } from '../../src/platform/database/db.ts'

/** The request that the current code works for, while queries are counted. */
export const currentRequest = new AsyncLocalStorage<object | undefined>()

/** Runs the listeners of signals outside of the request that sends the signal: what they start is background work. */
export function separateBackgroundWork(db: Db) {
  const { listen } = db
  db.listen = (topic, listener) => listen.call(db, topic, () => currentRequest.run(undefined, listener))
}
