import { useLayoutEffect, useRef } from 'preact/hooks'
import type { Parameter } from './parameter.ts'
import type { useParameter } from './use-parameter.ts'

interface Props {
  parameter: Parameter
  state: ReturnType<typeof useParameter>
  describedBy: string
  /** The field was left; what was typed is saved or dropped. */
  onLeave(): void
}

/** A switch and a choice are saved at once, all else on leaving the field or with Enter. Escape drops what was typed. */
export function ParameterInput({ parameter, state, describedBy, onLeave }: Props) {
  const { title, kind, choices, value } = parameter
  const { text, type, save, giveUp, error, isLate } = state
  const named = { 'aria-label': title, 'aria-describedby': describedBy, 'aria-invalid': error !== undefined }
  if (kind === 'switch')
    return (
      <label class="checkbox-label">
        <input
          {...named}
          class="checkbox"
          type="checkbox"
          checked={value === '1'}
          onChange={() => void save(value === '1' ? '0' : '1')}
        />
        <span>{value === '1' ? 'On' : 'Off'}</span>
      </label>
    )
  if (choices !== null)
    return (
      <select {...named} class="input select" value={text} onChange={(event) => void save(event.currentTarget.value)}>
        {[...new Set([...choices, value])].map((choice) => (
          <option key={choice} value={choice}>
            {choice === '' ? '(empty)' : choice}
          </option>
        ))}
      </select>
    )
  const isLong = kind === 'text' || kind === 'json'
  const typed = {
    ...named,
    onInput: (event: { currentTarget: { value: string } }) => type(event.currentTarget.value),
    onBlur: (event: { currentTarget: { value: string } }) => {
      const { value: next } = event.currentTarget
      if (!isLate && (kind !== 'secret' || next !== '')) void save(next)
      onLeave()
    },
    onKeyDown: (event: KeyboardEvent) => {
      if (event.key === 'Escape') giveUp()
      // Leaving the field saves the secret and hides it again.
      if (kind === 'secret' && (event.key === 'Escape' || event.key === 'Enter'))
        return (event.currentTarget as HTMLElement).blur()
      if (event.key === 'Enter' && (!isLong || event.ctrlKey || event.metaKey)) void save(text)
    },
  }
  if (isLong) return <textarea {...typed} class="input monospace" rows={3} value={text} />
  return <OneLine typed={typed} kind={kind} text={kind === 'secret' && text === value ? '' : text} />
}

function OneLine({ typed, kind, text }: { typed: object; kind: Parameter['kind']; text: string }) {
  const input = useRef<HTMLInputElement>(null)
  useLayoutEffect(() => {
    if (kind === 'secret') input.current?.focus()
  }, [])
  return (
    <input
      {...typed}
      ref={input}
      type={(kind === 'secret' ? 'password' : 'text') as 'text'}
      autocomplete={kind === 'secret' ? 'new-password' : 'off'}
      inputMode={kind === 'number' ? 'numeric' : undefined}
      class={`input${kind === 'pattern' ? ' monospace' : ''}${kind === 'number' ? ' is-short' : ''}`}
      value={text}
    />
  )
}
