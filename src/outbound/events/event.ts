import type { EventKind } from '../../changes/outbox.ts'

/** A committed event of a bug, as its receivers get it. */
export interface OutboundEvent {
  /**
   * Its position in the order of all events, which never changes. Of two changes of one bug, the later has the larger
   * position, also across servers. There may be gaps.
   */
  position: number
  kind: EventKind
  bugId: number
  userId: number
  at: string
  /** Ids and changes. Not every recipient may see them: check each against the recipient's rights. */
  facts: Readonly<Record<string, unknown>>
  /** The users with a role in the bug right after the event, by id; undefined for events of an older release. */
  people: EventPeople | undefined
}

export interface EventPeople {
  assignedTo: number
  qaContact: number | null
  creator: number
  cc: readonly number[]
}
