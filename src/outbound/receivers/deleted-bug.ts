import type { CallContext } from '../../access/call.ts'
import { couldSeeDeletedBug } from '../../access/visibility/visible-bugs.ts'
import type { DeletedBugFacts } from '../../changes/delete-bugs.ts'
import type { OutboundEvent } from '../events/event.ts'

/** The data of a deletion event. */
export function deletedFactsOf({ facts }: Pick<OutboundEvent, 'facts'>): Partial<DeletedBugFacts> {
  return facts as Partial<DeletedBugFacts>
}

/** Whether the reader could see the bug when it was deleted, by the groups they are in now. In doubt: no. */
export function couldSeeDeleted(
  { caller, settings }: Pick<CallContext, 'caller' | 'settings'>,
  event: OutboundEvent,
): boolean {
  const { group_ids, is_creator_accessible, is_cc_accessible } = deletedFactsOf(event)
  if (event.people === undefined || !Array.isArray(group_ids)) return false
  return couldSeeDeletedBug(settings, caller, {
    ...event.people,
    groupIds: group_ids,
    isCreatorAccessible: is_creator_accessible === 1,
    isCcAccessible: is_cc_accessible === 1,
  })
}
