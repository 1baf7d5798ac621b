import type { Db } from '../../platform/database/db.ts'
import type { NewJob } from '../../platform/database/new-jobs.ts'
import type { OutboundEvent } from '../events/event.ts'

/**
 * A receiver of every event, such as mail. Its position in the feed is stored, so it gets each event at least once and
 * in order, on one server at a time. Its jobs are stored in the transaction that moves the position, so each event
 * creates its jobs exactly once, even after a crash.
 */
export interface Consumer {
  /** The name under which the position is stored; it must never change. */
  readonly name: string
  /**
   * Returns the jobs for these events, in their order. Runs outside of any transaction, and must not write or send
   * anything. If it throws, it gets the events one by one; an event that fails twice is left out (see plan-events.ts).
   */
  plan(db: Db, events: readonly OutboundEvent[]): Promise<readonly NewJob[]>
}
