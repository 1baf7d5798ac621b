import { me, parameters } from '../../../core/account/session.ts'
import type { Comment } from '../../../core/server/types.ts'
import type { BugStore } from '../bug-store.ts'

const MINUTE = 60_000

/** Whether the reader may edit the comment now. The server decides again when it is saved. */
export function mayEdit(store: BugStore, comment: Comment): boolean {
  const rights = store.access.value?.edit_comments
  if (rights === undefined || store.asOf.value !== undefined || !store.may('comment')) return false
  if (rights.any || (comment.count === 0 && rights.description)) return true
  const isInTime = rights.minutes === 0 || Date.now() - Date.parse(comment.time) < rights.minutes * MINUTE
  return rights.own && comment.creator === me.value?.name && isInTime
}

/** Whether the reader may hide versions. */
export function mayHideVersions(store: BugStore): boolean {
  return store.access.value?.edit_comments.any ?? false
}

/** Whether the reader may react to comments. */
export function mayReact(store: BugStore): boolean {
  return me.value !== undefined && parameters.value.use_comment_reactions === '1' && store.may('comment')
}
