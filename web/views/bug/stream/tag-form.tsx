import { addressOf } from '../../../../shared/rest-address.ts'
import { get } from '../../../core/server/rest.ts'
import type { Comment } from '../../../core/server/types.ts'
import { Combobox } from '../../../parts/combobox.tsx'
import { bestFirst } from '../../../parts/matching.ts'
import { useBugStore } from '../use-bug.ts'
import { changeCommentTags } from './comment-actions.ts'

const SHORTEST_TAG = 3

/** Adds a tag to a comment. */
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
