import { put } from '../../../core/server/rest.ts'
import type { Comment } from '../../../core/server/types.ts'
import { showFault, showToast } from '../../../core/toasts.ts'
import type { BugStore } from '../bug-store.ts'

/** Only insiders see a private comment. */
export async function setCommentPrivate(store: BugStore, comment: Comment, isPrivate: boolean) {
  try {
    await put('/bug/:ref', { ref: store.id, comment_is_private: { [comment.id]: isPrivate } })
    await store.reload()
    showToast({
      kind: 'done',
      text: `Comment ${comment.count} is now ${isPrivate ? 'private' : 'public'}.`,
      action: { name: 'Undo', run: () => setCommentPrivate(store, comment, !isPrivate) },
    })
  } catch (fault) {
    showFault(fault)
  }
}

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
