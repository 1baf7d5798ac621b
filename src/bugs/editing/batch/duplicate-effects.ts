import type { GroupGraph } from '../../../access/visibility/group-graph.ts'
import type { BugChange } from '../../../changes/record-bug-changes.ts'
import { listUsersByIds, type UserRow } from '../../../people/users/user-store.ts'
import type { BugTransaction, Db } from '../../../platform/database/db.ts'
import { addComment } from '../../comments/add-comment.ts'
import { COMMENT_KIND } from '../../comments/comment.ts'
import { visibleAmong } from '../../values/bug-refs.ts'
import { type BugState, lockBugStates } from '../bug-state.ts'
import { addCc } from '../cc-store.ts'
import type { Batch } from './batch.ts'

/** How marking a duplicate changed the bug that is duplicated. */
export interface DuplicateEffect {
  bugId: number
  commentId: number
  lines: BugChange[]
}

/**
 * Adds a comment to the bug that is duplicated, and adds the reporter of the duplicate to its CC list. A reporter who cannot see the
 * bug is not added, so that filing a duplicate reveals no hidden bug.
 */
export async function commentOnDuplicated(
  tx: BugTransaction,
  { editor, settings, groups, at }: Batch,
  duplicate: BugState,
  targetId: number,
): Promise<DuplicateEffect> {
  const [target] = (await lockBugStates(tx, [targetId])) as [BugState]
  const kind = COMMENT_KIND.hasDuplicate
  const comment = { bugId: targetId, userId: editor.id, at, text: '', isPrivate: false, kind, aboutId: duplicate.id }
  const commentId = await addComment(tx, comment)
  const reporter = { id: duplicate.creator_id, login: duplicate.creator }
  const isKnownThere = target.creator_id === reporter.id || target.cc.some(({ id }) => id === reporter.id)
  if (isKnownThere || !(await sees(tx, settings, groups, reporter.id, targetId)))
    return { bugId: targetId, commentId, lines: [] }
  await addCc(tx, targetId, [reporter.id])
  return { bugId: targetId, commentId, lines: [{ bugId: targetId, field: 'cc', removed: '', added: reporter.login }] }
}

async function sees(tx: Db, settings: Batch['settings'], groups: GroupGraph, userId: number, bugId: number) {
  const [user] = (await listUsersByIds(tx, [userId])) as [UserRow]
  const { ids } = groups.membership(JSON.parse(user.group_ids) as number[])
  const viewer = { viewerId: userId, viewerGroups: JSON.stringify([...ids]) }
  return (await visibleAmong(tx, settings, viewer, [bugId])).has(bugId)
}
