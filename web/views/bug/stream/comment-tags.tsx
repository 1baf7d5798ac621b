import type { Comment } from '../../../core/server/types.ts'
import { Icon } from '../../../parts/icon.tsx'
import type { BugStore } from '../bug-store.ts'
import { useBugStore } from '../use-bug.ts'
import { changeCommentTags } from './comment-actions.ts'

/** Where comments cannot be tagged, they come without tags. */
export function mayTag(store: BugStore, comment: Comment) {
  return comment.tags !== undefined && store.may('comment_tags')
}

export function CommentTags({ comment }: { comment: Comment }) {
  const store = useBugStore()
  if (comment.tags === undefined || comment.tags.length === 0) return null
  return (
    <div class="comment-tags">
      {comment.tags.map((tag) => (
        <span key={tag} class="badge">
          {tag}
          {mayTag(store, comment) && (
            <button
              type="button"
              class="button-plain tag-remove"
              aria-label={`Remove the tag ${tag}`}
              onClick={() => changeCommentTags(store, comment, { remove: [tag] })}
            >
              <Icon name="x" />
            </button>
          )}
        </span>
      ))}
    </div>
  )
}
