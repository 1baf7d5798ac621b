import { deleteFlags, listFlagsOutOfPlaceOn, type PlacedFlag } from '../../catalogue/flag-types/flag-store.ts'
import { repointFlags } from '../../catalogue/flag-types/retarget-flags.ts'
import type { Db } from '../../platform/database/db.ts'
import { changesOfRemoved, type FlagChanges } from './flag-changes.ts'

/** The flags that the bug, or one of its attachments, lost. */
export interface LostFlags extends FlagChanges {
  attachmentId: number | null
}

/**
 * After a bug came into another product or component, and that is written: flags whose type does not apply there become flags of another
 * type of the same name, or are removed. Whoever calls writes the history of what is answered.
 */
export async function moveFlags(tx: Db, bugId: number): Promise<LostFlags[]> {
  const lost = await repointFlags(tx, await listFlagsOutOfPlaceOn(tx, bugId))
  if (lost.length === 0) return []
  await deleteFlags(
    tx,
    lost.map(({ id }) => id),
  )
  const byHolder: Map<number | null, PlacedFlag[]> = Map.groupBy(lost, (flag) => flag.attachment_id)
  return [...byHolder].map(([attachmentId, flags]) => ({ attachmentId, ...changesOfRemoved(flags) }))
}
