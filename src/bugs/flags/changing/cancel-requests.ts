import { deleteFlags } from '../../../catalogue/flag-types/flag-store.ts'
import type { BugTransaction } from '../../../platform/database/db.ts'
import { statement } from '../../../platform/database/statements/statement.ts'
import { changesOfRemoved, type FlagChanges } from '../flag-changes.ts'

const ofAttachment = statement<{ attachmentId: number }>()((q, p) =>
  q
    .selectFrom('flags')
    .innerJoin('flag_types', 'flag_types.id', 'flags.type_id')
    .leftJoin('users', 'users.id', 'flags.requestee_id')
    .select(['flags.id', 'flags.type_id', 'flags.attachment_id', 'flags.status', 'flags.setter_id', 'flag_types.name'])
    .select('users.login as requestee')
    .where('flags.attachment_id', '=', p.attachmentId)
    .orderBy('flags.id'),
)

/** Removes the pending requests of an attachment that becomes obsolete. The caller writes the history and the event. */
export async function cancelRequests(tx: BugTransaction, attachmentId: number): Promise<FlagChanges> {
  return removed(
    tx,
    (await tx.all(ofAttachment, { attachmentId })).filter(({ status }) => status === '?'),
  )
}

/** Removes all flags of an attachment whose content is deleted. The caller writes the history and the event. */
export async function removeFlagsOf(tx: BugTransaction, attachmentId: number): Promise<FlagChanges> {
  return removed(tx, await tx.all(ofAttachment, { attachmentId }))
}

async function removed(tx: BugTransaction, flags: readonly (typeof ofAttachment)['row'][]): Promise<FlagChanges> {
  const ids = flags.map(({ id }) => id)
  if (ids.length > 0) await deleteFlags(tx, ids)
  return changesOfRemoved(flags)
}
