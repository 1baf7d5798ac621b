import { useEffect, useState } from 'preact/hooks'
import { goWith, query } from '../../../core/router.ts'
import { Button } from '../../../parts/button.tsx'
import { Icon } from '../../../parts/icon.tsx'
import { CLASSES } from './audit-entry.ts'

const TYPED = ['who', 'text', 'since', 'until'] as const

/** Texts apply with Enter or when the field is left, choices at once. */
export function AuditFilters() {
  const chosen = query.value.getAll('class')
  const id = query.value.get('id')
  return (
    <search class="audit-filters">
      <TextFilter name="text" label="Text" placeholder="field, old or new value" />
      <TextFilter name="who" label="Who" placeholder="login name" />
      <label class="audit-filter">
        <span class="label">What</span>
        <select
          class="input select"
          value={chosen.length > 1 ? 'several' : (chosen[0] ?? '')}
          onChange={({ currentTarget: { value } }) => goWith({ class: value || undefined, id: undefined })}
        >
          <option value="">everything</option>
          {chosen.length > 1 && <option value="several">{chosen.map((it) => CLASSES.get(it) ?? it).join(', ')}</option>}
          {[...CLASSES].map(([name, words]) => (
            <option key={name} value={name}>
              {words}
            </option>
          ))}
        </select>
      </label>
      <TextFilter name="since" label="From" type="date" />
      <TextFilter name="until" label="To" type="date" />
      {id !== null && (
        <span class="chip is-on">
          number {id}
          <button type="button" class="chip-remove" aria-label="All objects" onClick={() => goWith({ id: undefined })}>
            <Icon name="x" size="tiny" />
          </button>
        </span>
      )}
      {[...query.value.keys()].length > 0 && (
        <Button
          kind="quiet"
          onClick={() => goWith(Object.fromEntries([...TYPED, 'class', 'id'].map((name) => [name, undefined])))}
        >
          Show everything
        </Button>
      )}
    </search>
  )
}

interface TextFilterProps {
  name: (typeof TYPED)[number]
  label: string
  placeholder?: string
  type?: 'search' | 'date'
}

function TextFilter({ name, label, placeholder, type = 'search' }: TextFilterProps) {
  const applied = query.value.get(name) ?? ''
  const [text, setText] = useState(applied)
  useEffect(() => setText(applied), [applied])
  const apply = (next: string) => next.trim() !== applied && goWith({ [name]: next.trim() || undefined })
  return (
    <label class="audit-filter">
      <span class="label">{label}</span>
      <input
        class="input"
        type={type as 'search'}
        value={text}
        placeholder={placeholder}
        onInput={({ currentTarget: { value } }) => setText(value)}
        onChange={({ currentTarget: { value } }) => apply(value)}
      />
    </label>
  )
}
