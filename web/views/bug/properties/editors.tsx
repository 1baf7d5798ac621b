// The editor of a field, in the place of its value. Enter saves, Escape leaves the value as it was.
import { useLayoutEffect, useRef } from 'preact/hooks'
import { isNothing } from '../../../core/bugs/fields.ts'
import { Combobox, matchingOptions, type Option } from '../../../parts/combobox.tsx'
import { late } from '../../../parts/late.tsx'
import { useBug, useBugStore } from '../use-bug.ts'
import { closeEditor, leaveEditor, useBase, useTyped } from './editing.ts'
import { valuesFor } from './field-names.ts'
import { ListEditor } from './list-editor.tsx'
import { peopleLike } from './people-options.ts'
import type { Property } from './properties.ts'
import { saveValue } from './save.ts'

const MoveForm = late(async () => (await import('./move-form.tsx')).MoveForm)

export function Editor({ property }: { property: Property }) {
  switch (property.kind) {
    case 'choice':
      return <ChoiceEditor property={property} />
    case 'person':
      return <PersonEditor property={property} />
    case 'product':
      return <ProductEditor />
    case 'long':
      return <LongEditor property={property} />
    case 'choices':
    case 'keywords':
    case 'people':
    case 'bugs':
    case 'addresses':
    case 'names':
      return <ListEditor property={property} />
    default:
      return <LineEditor property={property} />
  }
}

function ProductEditor() {
  const store = useBugStore()
  return <MoveForm onClose={() => closeEditor(store, 'product')} />
}

export function ChoiceEditor({ property, editing }: { property: Property; editing?: string }) {
  const store = useBugStore()
  const bug = useBug()
  const base = useBase(property.name)
  const options: Option[] = valuesFor(bug, store.field(property.field ?? '')).map(({ name, description }) => ({
    value: name ?? '',
    name: isNothing(property.name, name) ? 'None' : (name ?? ''),
    ...(name !== null && { also: name }),
    ...(description !== undefined && { note: description }),
  }))
  const close = (isUnchanged: boolean) => closeEditor(store, editing ?? property.name, isUnchanged)
  return (
    <Combobox
      label={property.label}
      value={String(base ?? '')}
      options={(text) => matchingOptions(options, text)}
      onChoice={({ value }) => {
        close(value === base)
        if (value !== base) void saveValue(store, property, value, base)
      }}
      onCancel={() => close(true)}
      hasFocus
    />
  )
}

export function PersonEditor({ property, editing }: { property: Property; editing?: string }) {
  const store = useBugStore()
  const base = useBase(property.name)
  const close = (isUnchanged: boolean) => closeEditor(store, editing ?? property.name, isUnchanged)
  const none: Option[] = property.name === 'qa_contact' && base !== '' ? [{ value: '', name: 'None' }] : []
  return (
    <Combobox
      label={property.label}
      value={String(base ?? '')}
      placeholder="A name"
      options={async (text) => [...(text === '' ? none : []), ...(await peopleLike(store, text))]}
      onChoice={({ value }) => {
        close(value === base)
        if (value !== base) void saveValue(store, property, value, base)
      }}
      onCancel={() => close(true)}
      hasFocus
    />
  )
}

const INPUT_TYPES: Readonly<Record<string, string>> = {
  date: 'date',
  time: 'datetime-local',
  number: 'number',
  hours: 'number',
}

/** A custom time is UTC in the API, and in the reader's zone here. */
function forInput(kind: string, value: unknown): string {
  if (value === null || value === undefined) return ''
  if (kind !== 'time') return String(value)
  const at = new Date(String(value))
  return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16)
}

function fromInput(kind: string, text: string): unknown {
  if (kind === 'hours') return text === '' ? 0 : Number(text)
  if (kind === 'number') return text === '' ? null : Number(text)
  return kind === 'time' && text !== '' ? new Date(text).toISOString() : text
}

function LineEditor({ property }: { property: Property }) {
  const { name, label, kind } = property
  const store = useBugStore()
  const base = useBase(name)
  const before = forInput(kind, base)
  const typed = useTyped(name, before)
  const input = useRef<HTMLInputElement>(null)
  // A layout effect, so that the next key that is typed goes into the editor.
  useLayoutEffect(() => {
    input.current?.focus()
    if (kind === 'text') input.current?.select()
  }, [])
  const save = (text: string) => {
    closeEditor(store, name, text === before)
    if (text !== before) void saveValue(store, property, fromInput(kind, text), base)
  }
  return (
    <input
      ref={input}
      class="input"
      type={(INPUT_TYPES[kind] ?? 'text') as 'text'}
      step={kind === 'hours' ? '0.25' : undefined}
      min={kind === 'hours' ? '0' : undefined}
      aria-label={label}
      defaultValue={typed}
      onBlur={(event) => store.editing.value === name && save(event.currentTarget.value)}
      onKeyDown={(event) => {
        if (event.key === 'Enter') save(event.currentTarget.value)
        else if (event.key === 'Escape') leaveEditor(store, property, event.currentTarget, before)
        else return
        event.preventDefault()
        event.stopPropagation()
      }}
    />
  )
}

function LongEditor({ property }: { property: Property }) {
  const { name, label } = property
  const store = useBugStore()
  const base = useBase(name)
  const before = String(base ?? '')
  const typed = useTyped(name, before)
  const area = useRef<HTMLTextAreaElement>(null)
  useLayoutEffect(() => area.current?.focus(), [])
  const save = (text: string) => {
    closeEditor(store, name, text === before)
    if (text !== before) void saveValue(store, property, text, base)
  }
  return (
    <textarea
      ref={area}
      class="input input-area"
      rows={6}
      aria-label={label}
      defaultValue={typed}
      onBlur={(event) => store.editing.value === name && save(event.currentTarget.value)}
      onKeyDown={(event) => {
        if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) save(event.currentTarget.value)
        else if (event.key === 'Escape') leaveEditor(store, property, event.currentTarget, before)
        else return
        event.preventDefault()
        event.stopPropagation()
      }}
    />
  )
}
