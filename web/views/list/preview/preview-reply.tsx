import { useRef, useState } from 'preact/hooks'
import type { Bug } from '../../../core/server/types.ts'
import { Button } from '../../../parts/button.tsx'
import { keepComposer, readComposer } from '../../bug/composer/composer-draft.ts'
import { AnswerBoxes } from '../../bug/composer/late-answer-boxes.ts'
import { answersIn } from '../../bug/composer/open-questions.ts'
import { showNotSent } from '../../bug/composer/send.ts'
import { sendAnswer, usePreviewQuestions } from './use-preview-questions.ts'

/** The draft is that of the page of the bug: what is begun here can be finished there. */
export function Reply({ bug: { id: bug }, onSent }: { bug: Pick<Bug, 'id'>; onSent(): void }) {
  const [draft, setDraft] = useState(() => readComposer(bug))
  const change = (text: string) => {
    const next = { ...draft, text }
    setDraft(next)
    keepComposer(bug, next)
  }
  const [isBusy, setBusy] = useState(false)
  const area = useRef<HTMLTextAreaElement>(null)
  const [decided, setDecided] = useState<Readonly<Record<number, boolean>>>({})
  const questions = usePreviewQuestions(bug, draft.text !== '', decided)
  const send = async () => {
    if (draft.text.trim() === '' || isBusy) return
    setBusy(true)
    try {
      await sendAnswer(bug, draft, answersIn(questions, draft.text))
      setDecided({})
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
      {questions.length > 0 && (
        <AnswerBoxes
          questions={questions}
          onDecide={(id, isAnswered) => setDecided({ ...decided, [id]: isAnswered })}
        />
      )}
      {draft.text.trim() !== '' && (
        <Button size="small" kind="primary" type="submit" shortcut="Ctrl Enter" isBusy={isBusy}>
          {questions.some(({ isTicked }) => isTicked) ? 'Answer' : 'Comment'}
        </Button>
      )}
    </form>
  )
}
