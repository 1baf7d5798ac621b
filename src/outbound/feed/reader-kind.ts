import { isInsider, isTimeTracker, seesAddresses } from '../../access/visibility/reader-rights.ts'
import type { EventReader } from '../events/visible-events.ts'

/** Everything that decides what a reader may see of an unrestricted bug whose changes mention no other bug. */
export function readerKind({ caller, settings }: Pick<EventReader, 'caller' | 'settings'>): string {
  const viewer = { caller, settings }
  return [isInsider(caller, settings), isTimeTracker(caller, settings), seesAddresses(viewer)].map(Number).join('')
}
