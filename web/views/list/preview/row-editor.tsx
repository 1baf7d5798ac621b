import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { Bug } from '../../../core/server/types.ts'
import { showFault, showToast } from '../../../core/toasts.ts'
import { Combobox } from '../../../parts/combobox.tsx'
import type { RowEditing } from './row-editing.ts'
import { editedValue, type RowField } from './row-fields.ts'

interface Props {
  bug: Bug
  field: RowField
  onSaved(): void
}

/** Takes the focus at once. What it needs to know is read while one types. */
export function RowEditor({ bug, field, onSaved }: Props) {
  const [editing] = useState(() => import('./row-editing.ts').then((it) => new it.RowEditing(bug, field)))
  useFocusAfter(field.name)
  const close = () => {
    editedValue.value = undefined
  }
  const save = async (value: string) => {
    close()
    await editing.then((it: RowEditing) => it.save(value)).catch(showFault)
    onSaved()
  }
  /** Nothing is sent. What was typed can be edited again as long as the message is shown. */
  const leave = (typed: string) => {
    close()
    if (typed === '' || typed === bug.summary) return
    const run = () => {
      editedValue.value = { bug: bug.id, field: field.name, typed }
    }
    showToast({ kind: 'done', text: `${field.label} stays as it was.`, action: { name: 'Edit again', run } })
  }
  if (field.kind === 'text')
    return <LineEditor label={field.label} value={bug.summary} onValue={save} onLeave={leave} />
  return (
    <Combobox
      label={`${field.label} of bug ${bug.id}`}
      value={field.kind === 'choice' ? String(bug[field.name as keyof Bug] ?? '') : ''}
      placeholder={field.label}
      options={async (text) => (await editing).optionsFor(text)}
      onChoice={({ value }) => void save(value)}
      onCancel={close}
      hasFocus
    />
  )
}

interface LineProps {
  label: string
  value: string
  onValue(value: string): void
  onLeave(typed: string): void
}

/** As on the page of a bug: Enter saves, and so does leaving the field; Escape leaves the value as it was. */
function LineEditor({ label, value, onValue, onLeave }: LineProps) {
  const input = useRef<HTMLInputElement>(null)
  const isDone = useRef(false)
  const [typed] = useState(() => editedValue.value?.typed ?? value)
  const end = (text: string, isSaved: boolean) => {
    if (isDone.current) return
    isDone.current = true
    if (isSaved && text !== '' && text !== value) onValue(text)
    else onLeave(isSaved ? '' : text)
  }
  useLayoutEffect(() => {
    input.current?.focus()
    input.current?.setSelectionRange(typed.length, typed.length)
  }, [])
  return (
    <input
      ref={input}
      class="input"
      aria-label={label}
      maxLength={255}
      defaultValue={typed}
      onBlur={(event) => end(event.currentTarget.value.trim(), true)}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' && event.key !== 'Enter') return
        end(event.currentTarget.value.trim(), event.key === 'Enter')
        event.preventDefault()
        event.stopPropagation()
      }}
    />
  )
}

/** Leads back to the value that was clicked, or to the list, unless the focus went elsewhere. */
function useFocusAfter(name: string) {
  const [before] = useState(() => document.activeElement)
  const [isByKey] = useState(() => before?.closest('.preview-fields') === null)
  useLayoutEffect(
    () => () => {
      // At once: when the field is gone, the frame of the page would look for another place.
      if (document.activeElement instanceof HTMLInputElement && before instanceof HTMLElement && before.isConnected)
        before.focus({ preventScroll: true })
      requestAnimationFrame(() => {
        if (document.activeElement !== document.body) return
        const value = document.querySelector<HTMLElement>(`[data-value="${name}"]`)
        ;(isByKey ? document.querySelector<HTMLElement>('.bug-table') : value)?.focus({ preventScroll: true })
      })
    },
    [],
  )
}
