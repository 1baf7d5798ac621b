import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { Bug } from '../../../core/server/types.ts'
import { showFault } from '../../../core/toasts.ts'
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
  if (field.kind === 'text')
    return <LineEditor label={field.label} value={bug.summary} onValue={save} onCancel={close} />
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
  onCancel(): void
}

function LineEditor({ label, value, onValue, onCancel }: LineProps) {
  const input = useRef<HTMLInputElement>(null)
  useLayoutEffect(() => input.current?.focus(), [])
  return (
    <input
      ref={input}
      class="input"
      aria-label={label}
      maxLength={255}
      defaultValue={value}
      onBlur={onCancel}
      onKeyDown={(event) => {
        const text = event.currentTarget.value.trim()
        if (event.key === 'Escape' || (event.key === 'Enter' && (text === '' || text === value))) onCancel()
        else if (event.key === 'Enter') onValue(text)
        else return
        event.preventDefault()
        event.stopPropagation()
      }}
    />
  )
}

/** Leads back to the value that was clicked, or to the list, unless the focus went elsewhere. */
function useFocusAfter(name: string) {
  const [isByKey] = useState(() => document.activeElement?.closest('.pv-f') === null)
  useLayoutEffect(
    () => () =>
      requestAnimationFrame(() => {
        if (document.activeElement !== document.body) return
        const value = document.querySelector<HTMLElement>(`[data-value="${name}"]`)
        ;(isByKey ? document.querySelector<HTMLElement>('.lt') : value)?.focus({ preventScroll: true })
      }),
    [],
  )
}
