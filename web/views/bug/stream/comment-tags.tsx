import { addressOf } from '../../../../shared/rest-address.ts'
import { get } from '../../../core/server/rest.ts'
import type { Comment } from '../../../core/server/types.ts'
import { Combobox } from '../../../parts/combobox.tsx'
import { Icon } from '../../../parts/icon.tsx'
import { bestFirst } from '../../../parts/matching.ts'
import type { BugStore } from '../bug-store.ts'
import { useBugStore } from '../use-bug.ts'
import { changeCommentTags } from './comment-actions.ts'

const SHORTEST_TAG = 3

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

export function TagForm({ comment, onDone }: { comment: Comment; onDone(): void }) {
  const store = useBugStore()
  const options = async (text: string) => {
    if (text.length < SHORTEST_TAG) return []
    const tags = await get(addressOf('/bug/comment/tags/:query', { query: text }))
    return bestFirst([...new Set([text, ...tags])], text, (tag) => [tag]).map((tag) => ({ value: tag, name: tag }))
  }
  return (
    <div class="tag-form">
      <Combobox
        label={`Tag of comment ${comment.count}`}
        value=""
        placeholder="A tag of 3 to 24 letters"
        options={options}
        onChoice={({ value }) => {
          void changeCommentTags(store, comment, { add: [value] })
          onDone()
        }}
        onCancel={onDone}
        isFree
        hasFocus
      />
    </div>
  )
}
