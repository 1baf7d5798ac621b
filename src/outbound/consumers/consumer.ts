import type { Db } from '../../platform/database/db.ts'
import { addJobs, type NewJob } from '../../platform/database/new-jobs.ts'
import type { OutboundEvent } from '../events/event.ts'

/**
 * A receiver of every event, such as mail. Its position in the feed is stored, so it gets each event at least once and
 * in order, on one server at a time. What it makes of events is stored in the transaction that moves the position, so each
 * event has its effect exactly once, even after a crash.
 */
export interface Consumer<Item = unknown> {
  /** The name under which the position is stored; it must never change. */
  readonly name: string
  /** Users look at what it stores, so it does not let requests write first, as other deliveries do; it must store little. */
  readonly isPrompt?: true
  /**
   * Returns what to store for these events, in their order. Runs outside of any transaction, and must not write or send
   * anything. If it throws, it gets the events one by one; an event that fails twice is left out (see plan-events.ts).
   */
  plan(db: Db, events: readonly OutboundEvent[]): Promise<readonly Item[]>
  /** Stores it. Users and bugs may have been deleted since. */
  save(tx: Db, items: readonly Item[]): Promise<void>
}

/** A consumer that makes jobs. */
export function jobConsumer(name: string, plan: Consumer<NewJob>['plan']): Consumer<NewJob> {
  return { name, plan, save: addJobs }
}
