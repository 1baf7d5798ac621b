import { useEffect, useRef, useState } from 'preact/hooks'
import { addressOf } from '../../../../shared/rest-address.ts'
import { get, isRefusedFor, put } from '../../../core/server/rest.ts'
import type { Comment } from '../../../core/server/types.ts'
import { showFault, showToast } from '../../../core/toasts.ts'
import { Button } from '../../../parts/button.tsx'
import { WritingBox } from '../../../parts/text/writing-box.tsx'
import { useBugStore } from '../use-bug.ts'

/** Edits a comment in its place. The text before stays readable as a version. */
export function CommentEdit({ comment, onDone }: { comment: Comment; onDone(): void }) {
  const store = useBugStore()
  const area = useRef<HTMLTextAreaElement>(null)
  const [text, setText] = useState<string>()
  const [seenEdits] = useState(comment.edit_count ?? 0)
  const [isBusy, setBusy] = useState(false)
  useEffect(() => {
    get(addressOf('/editcomments/comment/:comment_id', { comment_id: comment.id })).then(
      ({ comments }) => setText(comments[comment.id] ?? ''),
      (fault: unknown) => {
        showFault(fault)
        onDone()
      },
    )
  }, [])
  const isRead = text !== undefined
  useEffect(() => {
    if (isRead) area.current?.focus()
  }, [isRead])
  if (text === undefined) return <p class="faint">Loading…</p>
  const save = async () => {
    if (isBusy || text.trim() === '') return
    setBusy(true)
    try {
      await put('/editcomments/comment/:comment_id', {
        comment_id: comment.id,
        new_comment: text,
        edit_count: seenEdits,
      })
      await store.refreshComment(comment.id)
      showToast({ kind: 'done', text: `Comment ${comment.count} is changed. Its earlier version can still be read.` })
      onDone()
    } catch (fault) {
      if (isRefusedFor(fault, 'comment_unchanged')) onDone()
      else showFault(fault)
      if (isRefusedFor(fault, 'comment_edited_meanwhile')) await store.refreshComment(comment.id)
    }
    setBusy(false)
  }
  return (
    <WritingBox
      label={`Edit comment ${comment.count}`}
      areaLabel={`Text of comment ${comment.count}`}
      area={area}
      rows={Math.min(16, Math.max(4, text.split('\n').length + 1))}
      text={text}
      onText={setText}
      onFiles={() => undefined}
      onEscape={onDone}
    >
      <div class="composer-foot">
        <span class="faint small">Everybody who may read it sees earlier versions.</span>
        <span class="align-end row">
          <Button onClick={onDone}>Cancel</Button>
          <Button
            kind="primary"
            isBusy={isBusy}
            unavailable={text.trim() === '' ? 'A comment keeps a text.' : undefined}
            onClick={save}
          >
            {isBusy ? 'Saving…' : 'Save'}
          </Button>
        </span>
      </div>
    </WritingBox>
  )
}
