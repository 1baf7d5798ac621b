import type { OutboundEvent } from '../../events/event.ts'

export const TEST_KIND = 'webhook.test'

/** What the log keeps of an event or a test message. */
export type LoggedEvent = Pick<OutboundEvent, 'position' | 'bugId'> & { kind: string }

/** Positions of events are positive: a negative one stands for a test message. */
export function isTest(position: number): boolean {
  return position < 0
}

/** Less than the largest integer of the column, so that a position comes again after weeks, when the log has forgotten it. */
const DIFFERENT_POSITIONS = 2_000_000_000

/** Differs from that of other tests, so that receivers do not take it for a repetition. */
export function newTestPosition(): number {
  return -1 - (Date.now() % DIFFERENT_POSITIONS)
}

export function testEvent(position: number): LoggedEvent {
  return { position, bugId: 0, kind: TEST_KIND }
}
