import type { ComponentChildren } from 'preact'
import { useId, useLayoutEffect, useRef } from 'preact/hooks'
import { sentenceInOrder } from '../core/name-in-sentence.ts'
import { Icon } from './icon.tsx'

interface FieldProps {
  label: string
  isNeeded?: boolean
  hint?: string
  /** What is wrong, and what would be right. */
  error?: string | undefined
  children(ids: { id: string; describedBy: string | undefined; isInvalid: boolean }): ComponentChildren
}

/** A label, a control, and the hint or the error below it. */
export function Field({ label, isNeeded, hint, error, children }: FieldProps) {
  const id = useId()
  const describedBy = error !== undefined || hint !== undefined ? `${id}-about` : undefined
  return (
    <div class="field">
      <label for={id} class={isNeeded ? 'is-needed' : undefined}>
        {label}
      </label>
      {children({ id, describedBy, isInvalid: error !== undefined })}
      {error !== undefined ? (
        <FieldError id={describedBy} error={error} />
      ) : (
        hint !== undefined && (
          <div class="hint" id={describedBy}>
            {hint}
          </div>
        )
      )}
    </div>
  )
}

export function FieldError({ error, id }: { error: string; id?: string | undefined }) {
  return (
    <div class="error" id={id}>
      <Icon name="warn" size="small" />
      {sentenceInOrder(error)}
    </div>
  )
}

interface TextProps extends Omit<FieldProps, 'children'> {
  value: string
  onText(text: string): void
  type?: 'text' | 'password' | 'email' | 'url' | 'date' | 'datetime-local' | 'number'
  autocomplete?: string
  placeholder?: string
  isLarge?: boolean
  /** The focus goes here when the field appears. */
  isFocused?: boolean
}

export function TextField(props: TextProps) {
  const { label, isNeeded, hint, error, value, onText, isLarge, type = 'text', autocomplete, placeholder } = props
  const input = useRef<HTMLInputElement>(null)
  // A layout effect, so that the next key that is typed goes into the field.
  useLayoutEffect(() => {
    if (props.isFocused) input.current?.focus()
  }, [])
  return (
    <Field label={label} {...(isNeeded && { isNeeded })} {...(hint !== undefined && { hint })} error={error}>
      {({ id, describedBy, isInvalid }) => (
        <input
          ref={input}
          type={type as 'text'}
          autocomplete={autocomplete}
          placeholder={placeholder}
          id={id}
          class={isLarge ? 'input input-large' : 'input'}
          value={value}
          required={isNeeded}
          aria-describedby={describedBy}
          aria-invalid={isInvalid}
          onInput={(event) => onText(event.currentTarget.value)}
        />
      )}
    </Field>
  )
}

interface SelectProps extends Omit<FieldProps, 'children'> {
  value: string
  options: readonly { value: string; name: string }[]
  onChoice(value: string): void
}

export function SelectField({ label, isNeeded, hint, error, value, options, onChoice }: SelectProps) {
  return (
    <Field label={label} {...(isNeeded && { isNeeded })} {...(hint !== undefined && { hint })} error={error}>
      {({ id, describedBy, isInvalid }) => (
        <select
          id={id}
          class="input select"
          value={value}
          aria-describedby={describedBy}
          aria-invalid={isInvalid}
          onChange={(event) => onChoice(event.currentTarget.value)}
        >
          {options.map((option) => (
            <option key={option.value} value={option.value}>
              {option.name}
            </option>
          ))}
        </select>
      )}
    </Field>
  )
}
