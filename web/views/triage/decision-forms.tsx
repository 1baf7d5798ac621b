import { useState } from 'preact/hooks'
import { FIELDS_CALL } from '../../../shared/first-calls.ts'
import { addressOf } from '../../../shared/rest-address.ts'
import { readFlagTypes } from '../../core/bugs/flag-types.ts'
import type { Bug } from '../../core/server/types.ts'
import { useData } from '../../core/server/use-data.ts'
import { beginningOf, dayOf } from '../../core/times.ts'
import { Button } from '../../parts/button.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { Field, FieldError, SelectField, TextField } from '../../parts/field.tsx'
import { type DecisionKind, duplicatesCall, type TriageStore } from './triage-store.ts'

interface Props {
  store: TriageStore
  bug: Bug
  onClose(): void
}

interface FormProps extends Props {
  title: string
  action: string
  children: preact.ComponentChildren
  onSend(): Promise<unknown>
}

/** Asks for what a decision needs. It stays open, with what was typed, until the decision is made. */
function DecisionDialog({ store, title, action, children, onSend, onClose }: FormProps) {
  const send = async () => {
    if ((await onSend()) === true) onClose()
  }
  return (
    <Dialog
      title={title}
      onClose={onClose}
      isQuick
      buttons={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" onClick={() => void send()}>
            {action}
          </Button>
        </>
      }
    >
      <form
        class="stack"
        onSubmit={(event) => {
          event.preventDefault()
          void send()
        }}
      >
        {children}
        {store.refused.value !== undefined && <FieldError error={store.refused.value} />}
      </form>
    </Dialog>
  )
}

const NEEDINFO = 'needinfo'

export function AskForm({ store, bug, onClose }: Props) {
  const [text, setText] = useState('')
  const [error, setError] = useState<string>()
  const ask = async () => {
    if (text.trim() === '') return setError('Write what you want to know.')
    const { bug: types } = await readFlagTypes(bug.product, bug.component).catch(() => ({ bug: [] }))
    const type = types.find((it) => it.name === NEEDINFO && it.is_active && it.values.includes('?'))
    const flag = type && {
      type_id: type.id,
      status: '?',
      new: true,
      ...(type.is_requesteeble && { requestee: bug.creator }),
    }
    return store.decide(bug, 'asked', { comment: { body: text }, ...(flag && { flags: [flag] }) })
  }
  return (
    <DecisionDialog store={store} bug={bug} title="Ask the reporter" action="Ask" onSend={ask} onClose={onClose}>
      <CannedReplies product={bug.product} onChoice={setText} />
      <LongText label="Question" value={text} onText={setText} error={error} />
    </DecisionDialog>
  )
}

export function DuplicateForm({ store, bug, onClose }: Props) {
  const [number, setNumber] = useState('')
  const found = useData(duplicatesCall(bug)).body?.bugs ?? []
  return (
    <DecisionDialog
      store={store}
      bug={bug}
      title="Duplicate of…"
      action="Mark as a duplicate"
      onSend={() => store.decide(bug, 'duplicate', { dupe_of: number.trim() })}
      onClose={onClose}
    >
      <TextField label="Number of the other bug" value={number} onText={setNumber} isNeeded isFocused />
      {found.length > 0 && (
        <ul class="stack">
          {found.map(({ id, summary }) => (
            <li key={id}>
              <Button size="small" onClick={() => setNumber(String(id))}>
                {id} <span dir="auto">{summary}</span>
              </Button>
            </li>
          ))}
        </ul>
      )}
    </DecisionDialog>
  )
}

export function DeclineForm({ store, bug, onClose }: Props) {
  const fields = useData(FIELDS_CALL).body?.fields ?? []
  const valuesOf = (field: string) => fields.find(({ name }) => name === field)?.values ?? []
  const resolutions = valuesOf('resolution').flatMap(({ name }) =>
    name === null || NOT_CHOSEN.includes(name) ? [] : name,
  )
  const [resolution, setResolution] = useState('')
  const [text, setText] = useState('')
  const [error, setError] = useState<string>()
  const chosen = resolution || (resolutions.find((name) => name !== 'FIXED') ?? '')
  const decline = async () => {
    if (text.trim() === '') return setError('Write a sentence to the reporter.')
    const closed = new Set(valuesOf('bug_status').flatMap(({ name, is_open }) => (is_open === false ? name : [])))
    const now = valuesOf('bug_status').find(({ name }) => name === bug.status)
    const status = now?.can_change_to?.find(({ name }) => closed.has(name))?.name
    return store.decide(bug, 'declined', { status, resolution: chosen, comment: { body: text } })
  }
  return (
    <DecisionDialog store={store} bug={bug} title="Decline" action="Decline" onSend={decline} onClose={onClose}>
      <SelectField
        label="Resolution"
        value={chosen}
        options={resolutions.map((name) => ({ value: name, name }))}
        onChoice={setResolution}
      />
      <CannedReplies product={bug.product} onChoice={setText} />
      <LongText label="A sentence to the reporter" value={text} onText={setText} error={error} />
    </DecisionDialog>
  )
}

const NOT_CHOSEN: readonly string[] = ['', '---', 'DUPLICATE', 'MOVED']

export function SnoozeForm({ store, bug, onClose }: Props) {
  const [day, setDay] = useState('')
  const snooze = (until: string) => store.decide(bug, 'snoozed' satisfies DecisionKind, undefined, until)
  const send = (until: string) => void snooze(until).then((isDone) => isDone && onClose())
  const today = dayOf(new Date().toISOString())
  return (
    <DecisionDialog
      store={store}
      bug={bug}
      title="Snooze"
      action="Snooze until that day"
      onSend={() => (day === '' ? Promise.resolve() : snooze(atEight(day)))}
      onClose={onClose}
    >
      <div class="row triage-others">
        <Button onClick={() => send(new Date(Date.now() + 3 * 3_600_000).toISOString())}>3 hours</Button>
        <Button onClick={() => send(atEight(today, 1))}>Tomorrow 08:00</Button>
        <Button onClick={() => send(atEight(today, daysToMonday(today)))}>Monday 08:00</Button>
      </div>
      <TextField
        label="Or until a day"
        type="date"
        value={day}
        onText={setDay}
        isFocused
        hint="At most 90 days away."
      />
    </DecisionDialog>
  )
}

function atEight(day: string, after = 0) {
  return new Date(Date.parse(beginningOf(day, after)) + 8 * 3_600_000).toISOString()
}

function daysToMonday(day: string) {
  return 7 - ((new Date(`${day}T00:00:00Z`).getUTCDay() + 6) % 7)
}

/** Those of the product that the reader may use. */
function CannedReplies({ product, onChoice }: { product: string; onChoice(text: string): void }) {
  const replies = useData(addressOf('/canned_reply', { product })).body?.canned_replies ?? []
  if (replies.length === 0) return null
  return (
    <SelectField
      label="Canned reply"
      value=""
      options={[{ value: '', name: 'None' }, ...replies.map(({ id, name }) => ({ value: String(id), name }))]}
      onChoice={(id) => onChoice(replies.find((it) => String(it.id) === id)?.text ?? '')}
    />
  )
}

interface LongTextProps {
  label: string
  value: string
  onText(text: string): void
  error: string | undefined
}

function LongText({ label, value, onText, error }: LongTextProps) {
  return (
    <Field label={label} isNeeded error={error}>
      {({ id, describedBy, isInvalid }) => (
        <textarea
          id={id}
          class="input"
          rows={4}
          value={value}
          aria-describedby={describedBy}
          aria-invalid={isInvalid}
          // biome-ignore lint/a11y/noAutofocus: the dialog was opened to write it
          autoFocus
          onInput={(event) => onText(event.currentTarget.value)}
        />
      )}
    </Field>
  )
}
