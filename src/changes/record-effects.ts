import type { BugTransaction } from '../platform/database/db.ts'
import { type BugEvent, recordEvents } from './outbox.ts'
import { type BugChange, recordBugChanges } from './record-bug-changes.ts'

/**
 * Records side effects on bugs when something else changes: each bug gets history lines and an event, as if it had been
 * edited itself. It takes a few statements for any number of bugs. Those in `touched` have the time of the change already.
 */
export async function recordEffects(
  tx: BugTransaction,
  who: number,
  lines: readonly BugChange[],
  at: string,
  touched?: ReadonlySet<number>,
) {
  const ids = await recordBugChanges(tx, who, lines, at, touched)
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

/** Changes of the bug itself. Changes of its attachments are only in the history. */
function changesIn(lines: readonly BugChange[]) {
  const own = lines.filter(({ attachmentId = null }) => attachmentId === null)
  return Object.fromEntries(own.map(({ field, removed, added }) => [field, { removed, added }]))
}
