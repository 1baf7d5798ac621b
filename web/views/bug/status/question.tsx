import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { type FlagHolder, putOnHolder } from '../../../core/bugs/flag-holder.ts'
import type { Flag } from '../../../core/server/types.ts'
import { showResult } from '../../../core/toasts.ts'
import { Button } from '../../../parts/button.tsx'
import { Combobox } from '../../../parts/combobox.tsx'
import { useFocusBack } from '../../../parts/focus-back.ts'
import { peopleLike } from '../../../parts/options.ts'
import { keepComposer, readComposer } from '../composer/composer-draft.ts'
import { markdown, showNotSent } from '../composer/send.ts'

interface Props {
  bug: number
  holder: FlagHolder
  flag: Flag
  isOnAttachment: boolean
  onDone(): void
  /** Where there is a composer, the answer is written there. */
  onAnswer?(): void
}

/** A question is answered with a text, or asked of another user. */
export function QuestionActions({ bug, holder, flag, isOnAttachment, onDone, onAnswer }: Props) {
  const [open, setOpen] = useState<'answer' | 'pass on'>()
  const button = useFocusBack(open !== undefined)
  const close = () => setOpen(undefined)
  if (open === 'answer')
    return (
      <AnswerForm
        bug={bug}
        holder={holder}
        flag={flag}
        isOnAttachment={isOnAttachment}
        onDone={onDone}
        onClose={close}
      />
    )
  if (open === 'pass on')
    return (
      <div class="answer-form">
        <Combobox
          label={`Of whom to ask ${flag.name} instead`}
          value=""
          placeholder="Who knows it"
          hasFocus
          options={peopleLike}
          onCancel={close}
          onChoice={({ value, name }) => {
            close()
            const passed = { id: flag.id, status: '?', requestee: value }
            void showResult(() => putOnHolder(holder, { flags: [passed] }), `${flag.name} is asked of ${name}.`, onDone)
          }}
        />
      </div>
    )
  return (
    <>
      <button
        ref={button}
        type="button"
        class="button button-small"
        onClick={() => (onAnswer === undefined ? setOpen('answer') : onAnswer())}
      >
        Answer
      </button>
      <Button size="small" onClick={() => setOpen('pass on')}>
        Pass on
      </Button>
    </>
  )
}

interface AnswerProps extends Omit<Props, 'onAnswer'> {
  onClose(): void
}

/** The text is the draft of the bug's composer: what is begun here can be finished there. */
function AnswerForm({ bug, holder, flag, isOnAttachment, onDone, onClose }: AnswerProps) {
  const [draft, setDraft] = useState(() => readComposer(bug))
  const [isBusy, setBusy] = useState(false)
  const area = useRef<HTMLTextAreaElement>(null)
  useLayoutEffect(() => area.current?.focus(), [])
  const change = (text: string) => {
    const next = { ...draft, text }
    setDraft(next)
    keepComposer(bug, next)
  }
  const send = async () => {
    if (draft.text.trim() === '' || isBusy) return
    setBusy(true)
    const flags = [{ id: flag.id, status: 'X' }]
    const comment = isOnAttachment
      ? { comment: draft.text, ...markdown() }
      : { comment: { body: draft.text, is_private: draft.isPrivate, ...markdown() } }
    try {
      await putOnHolder(holder, { ...comment, flags })
      keepComposer(bug, { ...draft, text: '' })
      onClose()
      onDone()
    } catch (fault) {
      showNotSent(fault, () => void send())
      setBusy(false)
    }
  }
  return (
    <form
      class="answer-form"
      onSubmit={(event) => {
        event.preventDefault()
        void send()
      }}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return
        event.stopPropagation()
        onClose()
      }}
    >
      <textarea
        ref={area}
        class="input input-area"
        rows={3}
        dir="auto"
        aria-label={`Answer to ${flag.name} on bug ${bug}`}
        value={draft.text}
        onInput={(event) => change(event.currentTarget.value)}
      />
      <span class="row">
        <Button
          kind="primary"
          size="small"
          type="submit"
          shortcut="Ctrl Enter"
          isBusy={isBusy}
          unavailable={draft.text.trim() === '' ? 'Write the answer first.' : undefined}
        >
          Answer
        </Button>
        <Button size="small" onClick={onClose}>
          Not now
        </Button>
      </span>
    </form>
  )
}
