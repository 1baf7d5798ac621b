import { put } from '../../../core/server/rest.ts'
import type { Comment } from '../../../core/server/types.ts'
import { showFault } from '../../../core/toasts.ts'
import type { BugStore } from '../bug-store.ts'

export async function changeCommentTags(
  store: BugStore,
  comment: Comment,
  change: { add?: string[]; remove?: string[] },
) {
  try {
    const tags = await put('/bug/comment/:comment_id/tags', { comment_id: comment.id, ...change })
    store.comments.value = store.comments.value.map((it) => (it.id === comment.id ? { ...it, tags } : it))
  } catch (fault) {
    showFault(fault)
  }
}

export async function react(store: BugStore, comment: Comment, name: string, isAdded: boolean) {
  try {
    await put('/bug/comment/:comment_id/reactions', { comment_id: comment.id, [isAdded ? 'add' : 'remove']: [name] })
    await store.refreshComment(comment.id)
  } catch (fault) {
    showFault(fault)
  }
}
