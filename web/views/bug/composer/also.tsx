import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { personBy } from '../../../core/bugs/people.ts'
import { useFocusBack } from '../../../parts/focus-back.ts'
import { displayValue } from '../../../parts/glyphs.tsx'
import { Icon } from '../../../parts/icon.tsx'
import { Menu } from '../../../parts/menu.tsx'
import { nameOf } from '../../../parts/person.tsx'
import { FlagForm } from '../status/flag-actions.tsx'
import { DuplicateDialog } from '../status/status-menu.tsx'
import { type Step, stepsFrom } from '../status/steps.ts'
import { useBug, useBugStore } from '../use-bug.ts'
import { composerExtras, decideAnswer, focusRequests, withStep } from './composed.ts'
import { AnswerBoxes } from './late-answer-boxes.ts'
import type { OpenQuestion } from './open-questions.ts'
import { COMPOSER_STATUS } from './send.ts'

/** What is sent together with the comment. */
export function ExtrasRow({ questions }: { questions: readonly OpenQuestion[] }) {
  const store = useBugStore()
  const focus = useFocusInComposer()
  // The place is there before the rights are known, so that nothing moves then.
  if (store.access.value === undefined) return <div class="composer-changes" />
  return (
    <div class="composer-changes" {...focus}>
      <span class="faint small composer-changes-label">and also</span>
      <StepChip />
      <FlagChips />
      {store.may('work_time') && <HoursChip />}
      {questions.length > 0 && <AnswerBoxes questions={questions} onDecide={decideAnswer} />}
    </div>
  )
}

/** A choice replaces the button that had the focus. Then it goes to the text. */
function useFocusInComposer() {
  const wasInside = useRef(false)
  composerExtras.value
  useLayoutEffect(() => {
    if (!wasInside.current || document.activeElement !== document.body) return
    wasInside.current = false
    focusRequests.value++
  })
  return {
    onFocusIn: () => {
      wasInside.current = true
    },
    onFocusOut: ({ relatedTarget }: FocusEvent) => {
      if (relatedTarget !== null) wasInside.current = false
    },
  }
}

function Removable({ name, onRemove, children }: { name: string; onRemove(): void; children: string }) {
  return (
    <span class="chip is-on">
      <span dir="auto">{children}</span>
      <button type="button" class="chip-remove" aria-label={`Without ${name}`} onClick={onRemove}>
        <Icon name="x" size="tiny" />
      </button>
    </span>
  )
}

function StepChip() {
  const store = useBugStore()
  const bug = useBug()
  const [asking, setAsking] = useState<Step>()
  const { step } = composerExtras.value
  const set = (next: typeof step) => {
    composerExtras.value = withStep(composerExtras.value, next)
    store.setConflict(COMPOSER_STATUS, undefined)
  }
  if (step !== undefined)
    return (
      <Removable name="the status" onRemove={() => set(undefined)}>
        {`Status ${displayValue(bug.status)} → ${step.dupeOf === undefined ? step.name : `Duplicate of ${step.dupeOf}`}`}
      </Removable>
    )
  const steps = stepsFrom(store, bug)
  if (steps.every(({ refused }) => refused !== undefined)) return null
  return (
    <>
      <Menu
        label="Status to set"
        buttonClass="chip chip-add"
        button="Status"
        items={steps.map((it) => ({
          name: it.name,
          refused: it.refused,
          run: () => (it.isDuplicate ? setAsking(it) : set(it)),
        }))}
      />
      {asking !== undefined && (
        <DuplicateDialog
          onClose={() => setAsking(undefined)}
          onChoice={(other) => {
            set({ ...asking, dupeOf: other })
            setAsking(undefined)
          }}
        />
      )}
    </>
  )
}

function FlagChips() {
  const store = useBugStore()
  const [isOpen, setOpen] = useState(false)
  const button = useFocusBack(isOpen)
  const { flags } = composerExtras.value
  if (!store.may('flags')) return null
  return (
    <>
      {flags.map((flag, place) => (
        <Removable
          key={place}
          name={flag.name}
          onRemove={() => {
            composerExtras.value = { ...composerExtras.value, flags: flags.filter((it) => it !== flag) }
          }}
        >
          {flag.id === undefined
            ? flag.name + flag.status + (flag.requestee === undefined ? '' : ` ${nameOf(personBy(flag.requestee))}`)
            : `Answers ${flag.name}`}
        </Removable>
      ))}
      {isOpen ? (
        <FlagForm
          target="bug"
          onDone={(flag) => {
            setOpen(false)
            if (flag !== undefined) composerExtras.value = { ...composerExtras.value, flags: [...flags, flag] }
          }}
        />
      ) : (
        <button ref={button} type="button" class="chip chip-add" onClick={() => setOpen(true)}>
          <Icon name="flag" size="small" />
          Request
        </button>
      )}
    </>
  )
}

function HoursChip() {
  const [isOpen, setOpen] = useState(false)
  const input = useRef<HTMLInputElement>(null)
  const { hours } = composerExtras.value
  const button = useFocusBack(isOpen)
  useLayoutEffect(() => {
    if (isOpen) input.current?.focus()
  }, [isOpen])
  if (!isOpen && hours === '')
    return (
      <button ref={button} type="button" class="chip chip-add" onClick={() => setOpen(true)}>
        <Icon name="clock" size="small" />
        Hours
      </button>
    )
  return (
    <label class="chip is-on hours-chip">
      Hours
      <input
        ref={input}
        class="input"
        type="number"
        step="0.25"
        value={hours}
        onKeyDown={(event) => {
          if (event.key !== 'Escape') return
          event.preventDefault()
          event.stopPropagation()
          composerExtras.value = { ...composerExtras.value, hours: '' }
          setOpen(false)
        }}
        onInput={(event) => {
          composerExtras.value = { ...composerExtras.value, hours: event.currentTarget.value }
        }}
      />
    </label>
  )
}
