import { useEffect, useRef, useState } from 'preact/hooks'
import { hrefOf, place } from '../../core/router.ts'
import { me, usesMarkdown } from '../../core/session.ts'
import { Button, IconButton } from '../../parts/button.tsx'
import { Icon } from '../../parts/icon.tsx'
import { Markdown } from '../../parts/markdown.tsx'
import { Also } from './also.tsx'
import { type BugStore, useBug, useBugStore } from './bug-store.ts'
import { CommentText } from './comment-text.tsx'
import { composed, focusWanted, NOTHING_COMPOSED } from './composed.ts'
import { addition } from './reply.ts'
import { type Draft, deedOf, sendComposed, unavailableReason } from './send.ts'
import { useDraft } from './use-draft.ts'

/** Writing a comment, with what goes with it. The text is kept until it is sent. */
export function Composer() {
  const store = useBugStore()
  const { id } = useBug()
  if (me.value === undefined)
    return (
      <p class="composer-off">
        <a class="link" href={hrefOf(`/login?to=${encodeURIComponent(place.value.path)}`)}>
          Log in
        </a>{' '}
        to write a comment.
      </p>
    )
  if (store.access.value?.edit.allowed === false)
    return <p class="composer-off faint">You may read this bug, but not comment on it.</p>
  return <ComposerForm key={id} id={id} />
}

function ComposerForm({ id }: { id: number }) {
  const store = useBugStore()
  const area = useRef<HTMLTextAreaElement>(null)
  const [draft, setDraft, isKept] = useDraft(id)
  const [files, setFiles] = useState<readonly File[]>([])
  const [isPreview, setPreview] = useState(false)
  const [isBusy, setBusy] = useState(false)
  useAdditions(area, draft, setDraft)
  useEffect(
    () => () => {
      composed.value = NOTHING_COMPOSED
      document.body.classList.remove('is-writing')
    },
    [],
  )
  const whole = { ...draft, files, ...composed.value }
  const reason = unavailableReason(whole)
  const send = async () => {
    if (reason !== undefined || isBusy) return
    setBusy(true)
    if (await sendComposed(store, whole)) {
      setDraft({ text: '', isPrivate: false })
      setFiles([])
      setPreview(false)
      composed.value = NOTHING_COMPOSED
      document.body.classList.remove('is-writing')
    }
    setBusy(false)
  }
  const addFiles = (added: Iterable<File>) => setFiles((last) => [...last, ...added])
  return (
    <section
      class="composer"
      aria-label="Write a comment"
      onDragOver={(event) => event.preventDefault()}
      onDrop={(event) => {
        event.preventDefault()
        addFiles(event.dataTransfer?.files ?? [])
      }}
    >
      <ComposerHead isPreview={isPreview} setPreview={setPreview} onFiles={addFiles} />
      {isPreview ? (
        <div class="prose cp-p" dir="auto">
          {draft.text === '' ? (
            <p class="faint">Nothing is written yet.</p>
          ) : usesMarkdown.value ? (
            <Markdown text={draft.text} />
          ) : (
            <CommentText text={draft.text} />
          )}
        </div>
      ) : (
        <textarea
          ref={area}
          class="cp-a"
          aria-label="Comment"
          dir="auto"
          rows={4}
          value={draft.text}
          onInput={(event) => setDraft({ ...draft, text: event.currentTarget.value })}
          onPaste={(event) => {
            const pasted = event.clipboardData?.files ?? []
            if (pasted.length === 0) return
            event.preventDefault()
            addFiles(pasted)
          }}
          onKeyDown={(event) => {
            if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
            event.preventDefault()
            void send()
          }}
        />
      )}
      <Files files={files} onRemove={(file) => setFiles(files.filter((it) => it !== file))} />
      <Also />
      <div class="cp-f">
        <PrivateBox draft={draft} setDraft={setDraft} store={store} />
        <span class="push faint small only-wide" role="status">
          {isKept && draft.text !== '' ? 'Draft saved' : ''}
        </span>
        <Button kind="primary" isBusy={isBusy} unavailable={reason} onClick={send}>
          {isBusy ? 'Sending…' : deedOf(whole)}
        </Button>
      </div>
    </section>
  )
}

/** Replies and steps that need a comment put their text here, and the cursor. */
function useAdditions(area: { current: HTMLTextAreaElement | null }, draft: Draft, setDraft: (draft: Draft) => void) {
  const added = addition.value
  const wanted = focusWanted.value
  useEffect(() => {
    if (added === undefined) return
    addition.value = undefined
    const gap = draft.text === '' || draft.text.endsWith('\n\n') ? '' : draft.text.endsWith('\n') ? '\n' : '\n\n'
    setDraft({ ...draft, text: draft.text + gap + added.text })
    focusWanted.value++
  }, [added])
  useEffect(() => {
    if (wanted === 0) return
    focusWanted.value = 0
    document.body.classList.add('is-writing')
    const element = area.current
    element?.focus()
    element?.setSelectionRange(element.value.length, element.value.length)
    element?.scrollIntoView({ block: 'nearest' })
  }, [wanted])
}

interface HeadProps {
  isPreview: boolean
  setPreview(isPreview: boolean): void
  onFiles(files: Iterable<File>): void
}

function ComposerHead({ isPreview, setPreview, onFiles }: HeadProps) {
  const input = useRef<HTMLInputElement>(null)
  return (
    <div class="row cp-h">
      <div class="tabs" role="group" aria-label="Write or look">
        <button type="button" aria-pressed={!isPreview} onClick={() => setPreview(false)}>
          Write
        </button>
        <button type="button" aria-pressed={isPreview} onClick={() => setPreview(true)}>
          Preview
        </button>
      </div>
      <span class="push row cp-t">
        <input
          ref={input}
          type="file"
          multiple
          hidden
          aria-label="Files to attach"
          onChange={(event) => {
            onFiles([...(event.currentTarget.files ?? [])])
            event.currentTarget.value = ''
          }}
        />
        <IconButton name="Attach a file" icon="clip" size="s" onClick={() => input.current?.click()} />
        <span class="only-phone">
          <IconButton name="Close" icon="x" size="s" onClick={() => document.body.classList.remove('is-writing')} />
        </span>
      </span>
    </div>
  )
}

function Files({ files, onRemove }: { files: readonly File[]; onRemove(file: File): void }) {
  if (files.length === 0) return null
  return (
    <div class="also">
      {files.map((file, index) => (
        <span key={index} class="chip is-on">
          <Icon name={file.type.startsWith('image/') ? 'image' : 'file'} size="s" />
          <span dir="auto">{file.name}</span>
          <button type="button" class="chip-x" aria-label={`Do not attach ${file.name}`} onClick={() => onRemove(file)}>
            <Icon name="x" size="xs" />
          </button>
        </span>
      ))}
    </div>
  )
}

function PrivateBox({ draft, setDraft, store }: { draft: Draft; setDraft(draft: Draft): void; store: BugStore }) {
  if (!store.may('comment_is_private')) return null
  return (
    <label class="cb-l">
      <input
        type="checkbox"
        class="cb"
        checked={draft.isPrivate}
        onChange={(event) => setDraft({ ...draft, isPrivate: event.currentTarget.checked })}
      />
      Private <span class="faint only-wide">only insiders see it</span>
    </label>
  )
}
