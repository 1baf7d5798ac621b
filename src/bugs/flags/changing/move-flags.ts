import { repointFlags } from '../../../catalogue/flag-types/editing/retarget-flags.ts'
import { deleteFlags, type FlagOnBug, listInapplicableFlagsOn } from '../../../catalogue/flag-types/flag-store.ts'
import type { BugTransaction } from '../../../platform/database/db.ts'
import { changesOfRemoved, type FlagChanges } from '../flag-changes.ts'

/** The flags that a bug, or one of its attachments, lost. */
export interface LostFlags extends FlagChanges {
  bugId: number
  attachmentId: number | null
}

/**
 * Runs after a move of bugs to another product or component is written. Flags whose type does not apply there get another type with
 * the same name, or are removed. The caller writes the history of the removed flags, which this returns.
 */
export async function moveFlags(tx: BugTransaction, bugIds: readonly number[]): Promise<LostFlags[]> {
  if (bugIds.length === 0) return []
  const lost = await repointFlags(tx, await listInapplicableFlagsOn(tx, bugIds))
  if (lost.length === 0) return []
  await deleteFlags(
    tx,
    lost.map(({ id }) => id),
  )
  const byHolder = Map.groupBy(lost, ({ bug_id, attachment_id }) => `${bug_id} ${attachment_id}`)
  return [...byHolder.values()].map((flags) => {
    const { bug_id, attachment_id } = flags[0] as FlagOnBug
    return { bugId: bug_id, attachmentId: attachment_id, ...changesOfRemoved(flags) }
  })
}
