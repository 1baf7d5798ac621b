import { useEffect } from 'preact/hooks'
import { draftNames, dropDraft, readDraft } from '../../core/drafts/drafts.ts'
import { commentToEdit } from './composer/reply.ts'
import { Writers } from './presence.tsx'
import { mayEdit } from './stream/comment-rights.ts'
import { editDraftName, isEditDraftOf } from './stream/edit-draft.ts'
import { QuoteButton } from './stream/quote-button.tsx'
import { useBugStore } from './use-bug.ts'

/** Who writes now, and a button for what is selected above. */
export function AboveComposer() {
  useUnfinishedEdit()
  useGoneEdits()
  return (
    <>
      <QuoteButton />
      <Writers />
    </>
  )
}

/** Opens the comment again that the reader was editing when the page was left, unless they do something else already. */
function useUnfinishedEdit() {
  const store = useBugStore()
  const areRightsKnown = store.isAccessKnown.value
  useEffect(() => {
    if (!areRightsKnown || document.activeElement !== document.body) return
    const left = store.comments.value.find(
      (comment) => mayEdit(store, comment) && readDraft(editDraftName(comment)) !== undefined,
    )
    if (left !== undefined) commentToEdit.value = left.count
  }, [areRightsKnown])
}

/** An edit of a comment that the reader can no longer read is not kept. */
function useGoneEdits() {
  const store = useBugStore()
  const areAllRead = store.gaps.value.length === 0
  useEffect(() => {
    if (!areAllRead) return
    const own = new Set(store.comments.value.map(editDraftName))
    for (const name of draftNames()) if (isEditDraftOf(name, store.id) && !own.has(name)) dropDraft(name)
  }, [areAllRead, store.comments.value])
}
