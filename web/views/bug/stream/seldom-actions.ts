// What is seldom done with comments: loaded when it is chosen.
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

export async function markAnswer(store: BugStore, comment: Comment, isAnswer: boolean) {
  try {
    await put('/bug/comment/:comment_id/answer', { comment_id: comment.id, is_answer: isAnswer })
    await store.refreshComment(comment.id)
    showToast({
      kind: 'done',
      text: isAnswer ? `Comment ${comment.count} is an answer.` : `Comment ${comment.count} is no answer any more.`,
      action: { name: 'Undo', run: () => markAnswer(store, comment, !isAnswer) },
    })
  } catch (fault) {
    showFault(fault)
  }
}

/** Users without editbugs cannot comment then. */
export async function restrictComments(store: BugStore, isRestricted: boolean) {
  try {
    await put('/bug/:ref', { ref: store.id, restrict_comments: isRestricted })
    await store.reload()
    showToast({
      kind: 'done',
      text: isRestricted ? 'Only editors can comment on this bug now.' : 'Everybody can comment on this bug again.',
      action: { name: 'Undo', run: () => restrictComments(store, !isRestricted) },
    })
  } catch (fault) {
    showFault(fault)
  }
}
