import type { ChangeSource } from '../../queues/current-caller.ts'
import type { Db } from '../db.ts'

const sources = new WeakMap<Db, ChangeSource>()

/** A queue may run the work of a transaction in the context of another request, so its source is noted when it is asked for. */
export function noteSource(tx: Db, source: ChangeSource | undefined) {
  if (source !== undefined) sources.set(tx, source)
}

/** By what the transaction makes changes; undefined if no request makes them. */
export function sourceOfTransaction(tx: Db): ChangeSource | undefined {
  return sources.get(tx)
}
