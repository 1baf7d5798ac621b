import type { BugTransaction } from '../platform/database/db.ts'
import { type BugEvent, recordEvents } from './outbox.ts'
import { type BugChange, recordBugChanges } from './record-bug-changes.ts'

/**
 * What a change of something else did to bugs: each gets its lines of history and is told of, as if it had been changed itself. A few
 * statements, however many bugs there are.
 */
export async function recordEffects(tx: BugTransaction, who: number, lines: readonly BugChange[], at: string) {
  const ids = await recordBugChanges(tx, who, lines, at)
  const byBug = Map.groupBy(lines, ({ bugId }) => bugId)
  const events = [...byBug].map(
    ([bugId, own]): BugEvent => ({
      kind: 'bug.update',
      bugId,
      who,
      at,
      facts: { changes: changesIn(own), history: ids.get(bugId) ?? [] },
    }),
  )
  await recordEvents(tx, events)
}

/** Those of the bug itself; what changed on its attachments is found in the history. */
function changesIn(lines: readonly BugChange[]) {
  const own = lines.filter(({ attachmentId = null }) => attachmentId === null)
  return Object.fromEntries(own.map(({ field, removed, added }) => [field, { removed, added }]))
}
