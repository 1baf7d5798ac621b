import type { AccountRules } from '../../core/server/types.ts'
import { TextField } from '../field.tsx'
import { Icon } from '../icon.tsx'

interface Props {
  label: string
  value: string
  onText(text: string): void
  rules: AccountRules | undefined
  /** The login name and the real name, which a password must not be. */
  names: readonly string[]
  error?: string | undefined
  isLarge?: boolean
}

/** A field for a new password. The rules are shown before one types, and those that the page can check get a tick while one types. */
export function NewPassword({ label, value, onText, rules, names, error, isLarge }: Props) {
  const isMet = checksFor(value, rules, names)
  return (
    <>
      <TextField
        label={label}
        type="password"
        value={value}
        onText={onText}
        autocomplete="new-password"
        {...(isLarge && { isLarge })}
        isNeeded
        error={error}
      />
      <ul class="password-rules" aria-label="A password must be">
        {(rules?.password.rules ?? []).map((rule) => (
          <li key={rule} class={isMet(rule) ? 'is-met' : undefined}>
            <Icon name={isMet(rule) ? 'check' : 'severity-trivial'} size="small" />
            {rule}
            {isMet(rule) && <span class="visually-hidden"> (yes)</span>}
          </li>
        ))}
      </ul>
    </>
  )
}

/** Whether a rule is met. The server knows the common passwords, so that this rule never gets a tick here. */
function checksFor(value: string, rules: AccountRules | undefined, names: readonly string[]) {
  const password = value.trim()
  const key = password.toLowerCase()
  const isName = names.some(
    (name) => name !== '' && [name, name.replace(/@.*$/s, '')].some((it) => it.toLowerCase() === key),
  )
  return (rule: string) => {
    if (password === '' || rules === undefined) return false
    if (rule.startsWith('At least')) return password.length >= rules.password.shortest
    if (rule.startsWith('With')) return hasCharacters(password, rules.password.complexity)
    return rule.startsWith('Not your') && !isName
  }
}

const NEEDED: Readonly<Record<string, readonly RegExp[]>> = {
  mixed_letters: [/[a-z]/, /[A-Z]/],
  letters_numbers: [/[a-z]/, /[A-Z]/, /\d/],
  letters_numbers_specialchars: [/[A-Za-z]/, /\d/, /[^A-Za-z0-9\s]/],
}

function hasCharacters(password: string, complexity: string) {
  return (NEEDED[complexity] ?? []).every((needed) => needed.test(password))
}
