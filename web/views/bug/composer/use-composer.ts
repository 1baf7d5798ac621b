import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { useDraftFiles } from '../../../core/drafts/use-draft-files.ts'
import { type ComposerExtras, composerExtras, focusRequests, NO_EXTRAS } from './composed.ts'
import { composerDraftName, keepComposer, readComposer } from './composer-draft.ts'
import { textToInsert } from './reply.ts'
import type { CommentDraft, WholeComment } from './send.ts'

/** What is written and chosen, which is kept in this browser with every keystroke. */
export function useComposer(id: number) {
  const [kept] = useState(() => {
    const draft = readComposer(id)
    composerExtras.value = draft.composed
    return draft
  })
  const [draft, setDraft] = useState<CommentDraft>(kept)
  const [files, setFiles] = useState<readonly File[]>([])
  const [lost, setLost] = useState(kept.fileNames)
  const { isRead, areKept } = useDraftFiles(composerDraftName(id), files, (read) => {
    setFiles((now) => [...read, ...now])
    setLost((names) => names.filter((name) => !read.some((file) => file.name === name)))
  })
  const chosen = composerExtras.value
  // A layout effect, because the reader may leave the page before it is drawn.
  useLayoutEffect(() => {
    const { text, isPrivate } = draft
    keepComposer(id, { text, isPrivate, composed: chosen, fileNames: [...lost, ...files.map(({ name }) => name)] })
  }, [id, draft, chosen, files, lost])
  useEffect(
    () => () => {
      composerExtras.value = NO_EXTRAS
      document.body.classList.remove('is-writing')
    },
    [],
  )
  const whole: WholeComment = { text: draft.text, isPrivate: draft.isPrivate, files, ...chosen }
  const chooseFiles = (next: readonly File[]) => {
    setFiles(next)
    setLost(lost.filter((name) => !next.some((file) => file.name === name)))
  }
  const latest = useRef(whole)
  latest.current = whole
  /** Removes what was sent, and keeps what was written meanwhile. Returns whether nothing is left. */
  const clear = (sent: WholeComment, sentWith: ComposerExtras) => {
    const { text, isPrivate, files: now } = latest.current
    const isUnchanged = text === sent.text
    const rest = text.startsWith(sent.text) ? text.slice(sent.text.length).trimStart() : text
    setDraft(isUnchanged ? { text: '', isPrivate: false } : { text: rest, isPrivate })
    setFiles(now.filter((file) => !sent.files.includes(file)))
    setLost([])
    if (composerExtras.value === sentWith) composerExtras.value = NO_EXTRAS
    return isUnchanged
  }
  return { whole, chosen, setDraft, setFiles: chooseFiles, lost: isRead ? lost : [], areKept, clear }
}

/** Replies and steps that need a comment put their text here, and the cursor. */
export function useAdditions(
  area: { current: HTMLTextAreaElement | null },
  draft: CommentDraft,
  setDraft: (draft: CommentDraft) => void,
) {
  const added = textToInsert.value
  const wanted = focusRequests.value
  // A layout effect, so that the next key that is typed goes into the text.
  useLayoutEffect(() => {
    if (added === undefined) return
    textToInsert.value = undefined
    const gap = draft.text === '' || draft.text.endsWith('\n\n') ? '' : draft.text.endsWith('\n') ? '\n' : '\n\n'
    setDraft({ text: draft.text + gap + added.text, isPrivate: draft.isPrivate })
    focusRequests.value++
  }, [added])
  useLayoutEffect(() => {
    if (wanted === 0) return
    focusRequests.value = 0
    document.body.classList.add('is-writing')
    const element = area.current
    element?.focus()
    element?.setSelectionRange(element.value.length, element.value.length)
    element?.scrollIntoView({ block: 'nearest' })
  }, [wanted])
}
