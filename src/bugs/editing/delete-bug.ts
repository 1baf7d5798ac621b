import type { CallContext } from '../../access/call.ts'
import { requireGroup } from '../../access/caller.ts'
import { insiderParams } from '../../access/visibility/reader-rights.ts'
import { viewerOf } from '../../access/visibility/visible-bugs.ts'
import { recordRemoval } from '../../changes/audit.ts'
import { deleteBugs } from '../../changes/delete-bugs.ts'
import { errors } from '../../platform/errors.ts'
import { listBugTitles } from '../comments/reading/comment-title-store.ts'
import { requireVisibleBugs } from '../values/bug-refs.ts'
import { requireReason } from './deletion-reason.ts'

type DeleteContext = Pick<CallContext, 'db' | 'caller' | 'settings'>

/**
 * Deletes a bug for good, with all that belongs to it. The transaction excludes all other writes to bugs, so that nothing is added
 * to it or linked with it in the meantime.
 */
export async function deleteBug(
  context: DeleteContext,
  ref: string,
  givenReason: string | undefined,
): Promise<{ id: number; name: string }> {
  const { db, caller, settings } = context
  if (!settings.allowbugdeletion) throw errors.bug_deletion_off()
  const admin = requireGroup(caller, 'admin')
  const reason = requireReason(givenReason)
  return db.transaction(async (tx) => {
    const [id] = (await requireVisibleBugs(tx, settings, viewerOf(caller), [ref])) as [number]
    const [title] = await listBugTitles(tx, settings, insiderParams(context), [id])
    await deleteBugs(tx, admin.id, [id])
    await recordRemoval(tx, { who: admin.id, class: 'Bug', objectId: id }, reason)
    return { id, name: title?.summary ?? '' }
  }, 'configuration')
}
