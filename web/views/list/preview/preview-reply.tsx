import { useRef, useState } from 'preact/hooks'
import { Button } from '../../../parts/button.tsx'
import { keepComposer, readComposer } from '../../bug/composer/composer-draft.ts'
import { sendComment, showNotSent } from '../../bug/composer/send.ts'

/** The draft is that of the page of the bug: what is begun here can be finished there. */
export function Reply({ bug, onSent }: { bug: number; onSent(): void }) {
  const [draft, setDraft] = useState(() => readComposer(bug))
  const change = (text: string) => {
    const next = { ...draft, text }
    setDraft(next)
    keepComposer(bug, next)
  }
  const [isBusy, setBusy] = useState(false)
  const area = useRef<HTMLTextAreaElement>(null)
  const send = async () => {
    if (draft.text.trim() === '' || isBusy) return
    setBusy(true)
    try {
      await sendComment(bug, draft)
      change('')
      onSent()
      area.current?.focus()
    } catch (fault) {
      showNotSent(fault, () => void send())
    }
    setBusy(false)
  }
  return (
    <form
      class="preview-reply"
      onSubmit={(event) => {
        event.preventDefault()
        void send()
      }}
    >
      <textarea
        ref={area}
        class="input"
        rows={1}
        aria-label={`Write a comment on bug ${bug}; Ctrl Enter sends it`}
        placeholder={draft.isPrivate ? 'Write a private comment' : 'Write a comment'}
        value={draft.text}
        onInput={(event) => change(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === 'Escape') document.querySelector<HTMLElement>('.bug-table')?.focus({ preventScroll: true })
        }}
      />
      {draft.text.trim() !== '' && (
        <Button size="small" kind="primary" type="submit" shortcut="Ctrl Enter" isBusy={isBusy}>
          Comment
        </Button>
      )}
    </form>
  )
}
