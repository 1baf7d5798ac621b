import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { ACCOUNT_RULES_CALL } from '../../../shared/first-calls.ts'
import { brokenPasswordRule, chosenPasswordRules } from '../../../shared/passwords/chosen-password.ts'
import { useData } from '../../core/server/use-data.ts'
import { TextField } from '../field.tsx'
import { Icon } from '../icon.tsx'

interface Props {
  label: string
  value: string
  onText(text: string): void
  /** The login name and the real name, which a password must not be. */
  names: readonly string[]
  /** Whether it is the password of another user, who is not addressed. */
  isForOther?: boolean
  /** An empty field sets no password. */
  isOptional?: boolean
  /** A password that the reader copies is not hidden. */
  isShown?: boolean
  hint?: string
  error?: string | undefined
  isLarge?: boolean
}

/** A field for a new password. The rules are shown before one types, get a tick while one types, and are checked before the form is sent. */
export function NewPassword(props: Props) {
  const { label, value, onText, names, isForOther, isOptional = false, isShown, hint, error, isLarge } = props
  const { body } = useData(ACCOUNT_RULES_CALL)
  const field = useRef<HTMLDivElement>(null)
  const [isRefused, setRefused] = useState(false)
  const rules = body === undefined ? [] : chosenPasswordRules(body.password, names, isForOther ? 'the' : 'your')
  const isEmpty = value.trim() === ''
  const broken = isEmpty && isOptional ? undefined : brokenPasswordRule(value, rules)
  const fault = broken === undefined || isEmpty ? undefined : refusalOf(broken)
  // Before the next key, which may send the form.
  useLayoutEffect(() => {
    field.current?.querySelector('input')?.setCustomValidity(fault ?? '')
    if (fault === undefined) setRefused(false)
  }, [fault])
  /** The page says why below the field. The bubble of the browser would cover it. */
  const refuse = (event: Event) => {
    const input = event.target as HTMLInputElement
    if (!input.validity.customError) return
    event.preventDefault()
    setRefused(true)
    if (input.form?.querySelector(':invalid') === input) input.focus()
  }
  return (
    <>
      <div ref={field} onInvalidCapture={refuse}>
        <TextField
          label={label}
          type={isShown ? 'text' : 'password'}
          value={value}
          onText={onText}
          autocomplete={isShown ? 'off' : 'new-password'}
          {...(isLarge && { isLarge })}
          {...(hint !== undefined && { hint })}
          isNeeded={!isOptional}
          error={isRefused && fault !== undefined ? fault : error}
        />
      </div>
      {rules.length > 0 && (!isShown || broken !== undefined) && (
        <ul class="password-rules" aria-label="A password must be">
          {rules.map((rule) => {
            const isMet = !isEmpty && rule.isMet(value.trim())
            return (
              <li key={rule.kind} class={isMet ? 'is-met' : undefined}>
                <Icon name={isMet ? 'check' : 'severity-trivial'} size="small" />
                {rule.words}
                {isMet && <span class="visually-hidden"> (yes)</span>}
              </li>
            )
          })}
        </ul>
      )}
    </>
  )
}

/** The sentence with which the server refuses it. */
function refusalOf({ kind, right }: { kind: string; right: string }) {
  return `The password is too ${kind === 'length' ? 'short' : 'simple'}: ${right}.`
}
