import type { Db } from '../../platform/database/db.ts'
import type { NewJob } from '../../platform/database/new-jobs.ts'
import type { OutboundEvent } from '../events/event.ts'

/**
 * Something that has to hear of every event, such as mail. Its place in the feed is kept in the database: it hears of each event at least
 * once and in order, one server at a time, also after a crash. What it answers is written as jobs in the transaction that moves its place
 * on; so each event makes its jobs exactly once, whatever is killed.
 */
export interface Consumer {
  /** Under which its place is kept; never changes. */
  readonly name: string
  /**
   * What is to be done about these events, in their order. Outside of any transaction: read as much as needed, write nothing, tell
   * nobody. When it throws, it is asked again event by event; an event for which it throws twice is left out (see plan-events.ts).
   */
  plan(db: Db, events: readonly OutboundEvent[]): Promise<readonly NewJob[]>
}
