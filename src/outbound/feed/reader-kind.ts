import { isInsider, isTimeTracker, seesAddresses } from '../../access/visibility/reader.ts'
import type { EventReader } from '../events/visible-events.ts'

/** All that decides what somebody may know of a bug that everybody sees, and that mentions no other. */
export function readerKind({ caller, settings }: Pick<EventReader, 'caller' | 'settings'>): string {
  const viewer = { caller, settings }
  return [isInsider(caller, settings), isTimeTracker(caller, settings), seesAddresses(viewer)].map(Number).join('')
}
