import type { EventKind } from '../../changes/outbox.ts'

/** Something that happened to a bug and is committed, as whoever tells it gets it. */
export interface OutboundEvent {
  /**
   * Its place in the order of all events: the number by which it is known for ever. Of two changes of one bug, the later has the larger
   * one, on several servers too. There may be gaps.
   */
  position: number
  kind: EventKind
  bugId: number
  userId: number
  at: string
  /** Ids and changes. They may name what not everybody may see: hold every one of them against the rights of whoever is told. */
  facts: Readonly<Record<string, unknown>>
  /** Who had a part in the bug right after it happened, by id; undefined for what an older release wrote. */
  people: EventPeople | undefined
}

export interface EventPeople {
  assignedTo: number
  qaContact: number | null
  creator: number
  cc: readonly number[]
}
