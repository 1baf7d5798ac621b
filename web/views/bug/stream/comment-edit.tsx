import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { addressOf } from '../../../../shared/rest-address.ts'
import { dropDraft, keepDraft, readDraft } from '../../../core/drafts/drafts.ts'
import { get, isRefusedFor, put } from '../../../core/server/rest.ts'
import type { Comment } from '../../../core/server/types.ts'
import { showFault, showToast } from '../../../core/toasts.ts'
import { Button } from '../../../parts/button.tsx'
import { WritingBox } from '../../../parts/text/writing-box.tsx'
import { showNotSent } from '../composer/send.ts'
import { useBugStore } from '../use-bug.ts'
import { type EditDraft, editDraftName } from './edit-draft.ts'

/** Edits a comment in its place. The text before stays readable as a version. */
export function CommentEdit({ comment, onDone }: { comment: Comment; onDone(): void }) {
  const store = useBugStore()
  const area = useRef<HTMLTextAreaElement>(null)
  const draftName = editDraftName(comment)
  const [kept, setKept] = useState(() => readDraft<EditDraft>(draftName))
  const [text, setText] = useState(kept?.text)
  const [seenEdits, setSeenEdits] = useState(kept?.seenEdits ?? comment.edit_count ?? 0)
  const [isLate, setLate] = useState(seenEdits !== (comment.edit_count ?? 0))
  const [isBusy, setBusy] = useState(false)
  useEffect(() => {
    if (kept === undefined || kept.seenEdits === (comment.edit_count ?? 0)) return
    // What was begun from a text that is hidden now would keep it.
    get(addressOf('/bug/comment/:comment_id/versions', { comment_id: comment.id })).then(({ versions }) => {
      if (versions[kept.seenEdits]?.text !== null) return
      dropDraft(draftName)
      setText(undefined)
      setSeenEdits(comment.edit_count ?? 0)
      setLate(false)
      setKept(undefined)
    }, showFault)
  }, [])
  useEffect(() => {
    if (kept !== undefined) return
    get(addressOf('/editcomments/comment/:comment_id', { comment_id: comment.id })).then(
      ({ comments }) => setText(comments[comment.id] ?? ''),
      (fault: unknown) => {
        showFault(fault)
        onDone()
      },
    )
  }, [kept])
  const isRead = text !== undefined
  useLayoutEffect(() => {
    if (isRead) area.current?.focus()
  }, [isRead])
  const write = (next: string) => {
    setText(next)
    keepDraft(draftName, { text: next, seenEdits })
  }
  const end = () => {
    dropDraft(draftName)
    onDone()
  }
  const replaceWithMine = () => {
    const now = store.comments.value.find(({ id }) => id === comment.id)?.edit_count ?? 0
    setSeenEdits(now)
    setLate(false)
    keepDraft(draftName, { text, seenEdits: now })
  }
  if (text === undefined) return <p class="faint">Loading…</p>
  const save = async () => {
    if (isBusy || isLate || text.trim() === '') return
    setBusy(true)
    try {
      await put('/editcomments/comment/:comment_id', {
        comment_id: comment.id,
        new_comment: text,
        edit_count: seenEdits,
      })
      await store.refreshComment(comment.id)
      showToast({ kind: 'done', text: `Comment ${comment.count} is changed. Its earlier version can still be read.` })
      end()
    } catch (fault) {
      if (isRefusedFor(fault, 'comment_unchanged')) return end()
      if (!isRefusedFor(fault, 'comment_edited_meanwhile')) showNotSent(fault, () => void save())
      else {
        await store.refreshComment(comment.id)
        setLate(true)
      }
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
      onText={write}
      onFiles={() => undefined}
      onEscape={onDone}
    >
      {isLate && (
        <div class="note note-warn">
          <div>The comment was edited meanwhile. Compare its versions: what you save replaces the newest one.</div>
          <Button size="small" onClick={replaceWithMine}>
            Replace it with mine
          </Button>
        </div>
      )}
      <div class="composer-foot">
        <span class="faint small">Everybody who may read it sees earlier versions.</span>
        <span class="align-end row">
          <Button onClick={end}>Cancel</Button>
          <Button
            kind="primary"
            isBusy={isBusy}
            unavailable={
              text.trim() === '' ? 'A comment keeps a text.' : isLate ? 'The comment was edited meanwhile.' : undefined
            }
            onClick={save}
          >
            {isBusy ? 'Saving…' : 'Save'}
          </Button>
        </span>
      </div>
    </WritingBox>
  )
}
