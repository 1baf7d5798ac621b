import { timeNow } from '../platform/clock.ts'
import type { Db } from '../platform/database/db.ts'
import { statement } from '../platform/database/statement.ts'

/** One line of a bug's history, under the name that the interface has for the field. */
export interface BugChange {
  bugId: number
  field: string
  removed: string
  added: string
  attachmentId?: number | null
}

const ROWS_AT_ONCE = 500

const touch = statement<{ ids: string; at: string }>()((q, p, d) =>
  q.updateTable('bugs').set({ changed_at: p.at }).where('id', 'in', d.integersIn(p.ids)),
)

/**
 * Writes the history of bugs that a change of the configuration changed along, however many they are, and moves the time of their last
 * change. In the transaction that makes the change, or not at all.
 */
export async function recordBugChanges(tx: Db, who: number, changes: readonly BugChange[], at = timeNow()) {
  if (changes.length === 0) return
  for (let start = 0; start < changes.length; start += ROWS_AT_ONCE) {
    const rows = changes.slice(start, start + ROWS_AT_ONCE).map((change) => ({
      bug_id: change.bugId,
      user_id: who,
      at,
      field: change.field,
      removed: change.removed,
      added: change.added,
      attachment_id: change.attachmentId ?? null,
      comment_id: null,
    }))
    await tx.query((q) => q.insertInto('bug_changes').values(rows))
  }
  await tx.all(touch, { ids: JSON.stringify([...new Set(changes.map(({ bugId }) => bugId))]), at })
}
