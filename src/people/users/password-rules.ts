import type { Settings } from '../../platform/config/settings.ts'
import { errors } from '../../platform/errors.ts'
import { dictionary } from '../../platform/text/dictionary.ts'
import { fold } from '../../platform/text/fold.ts'
import { isCommonPassword } from './common-passwords.ts'

const LONGEST_PASSWORD = 1000

/** Clients of Bugzilla may set passwords of this length for others. */
const SHORTEST_GIVEN_PASSWORD = 6

/**
 * Returns a password that one user sets for the account of another, as it is hashed; undefined if it is empty. Programs set first passwords that
 * Bugzilla takes, so this is laxer than `requireChosenPassword`.
 */
export function requireGivenPassword(input: string, settings: Settings): string | undefined {
  const password = input.trim()
  if (password === '') return undefined
  requireLength(password, SHORTEST_GIVEN_PASSWORD)
  requireComplexity(password, settings)
  return password
}

/**
 * Returns a password that users choose for themselves, as it is hashed: they cannot be without one. `names` are those of the account: its
 * login and the real name.
 */
export function requireChosenPassword(input: string, settings: Settings, names: readonly string[]): string {
  const password = input.trim()
  requireLength(password, settings.password_length)
  requireComplexity(password, settings)
  if (isCommonPassword(password))
    throw errors.password_too_simple({ right: 'it must not be one of the most common passwords' })
  requireUnlike(password, names)
  return password
}

function requireLength(password: string, shortest: number) {
  if (password.length < Math.max(1, shortest)) throw errors.password_too_short({ least: Math.max(1, shortest) })
  if (password.length > LONGEST_PASSWORD)
    throw errors.bad_value({
      name: 'password',
      value: '…',
      right: `it must have at most ${LONGEST_PASSWORD} characters`,
    })
}

function requireComplexity(password: string, settings: Settings) {
  const missing = missingFrom(password, settings.password_complexity)
  if (missing !== undefined) throw errors.password_too_simple({ right: `it must have ${missing}` })
}

/** The login name and the real name are what others try first. */
function requireUnlike(password: string, names: readonly string[]) {
  const key = fold(password).replace(/\s+/g, '')
  const forms = names.flatMap((name) => [name, name.replace(/@.*$/s, '')]).map((name) => fold(name).replace(/\s+/g, ''))
  if (forms.some((form) => form !== '' && key.replace(/[\d\W_]+$/, '') === form.replace(/[\d\W_]+$/, '')))
    throw errors.password_too_simple({ right: 'it must not be the login name or the real name' })
}

const COMPLEXITIES: Readonly<Record<string, { needs: RegExp[]; words: string }>> = dictionary({
  mixed_letters: { needs: [/[a-z]/, /[A-Z]/], words: 'a lowercase and an uppercase letter' },
  letters_numbers: { needs: [/[a-z]/, /[A-Z]/, /\d/], words: 'a lowercase letter, an uppercase letter and a digit' },
  letters_numbers_specialchars: {
    needs: [/[A-Za-z]/, /\d/, /[^A-Za-z0-9\s]/],
    words: 'a letter, a digit and a special character',
  },
})

function missingFrom(password: string, complexity: string): string | undefined {
  const required = COMPLEXITIES[complexity]
  return required?.needs.every((need) => need.test(password)) === false ? required.words : undefined
}

/** The rules in words, to be shown before a password is typed. */
export function passwordRules(settings: Settings) {
  const needed = COMPLEXITIES[settings.password_complexity]?.words
  return {
    shortest: settings.password_length,
    longest: LONGEST_PASSWORD,
    complexity: settings.password_complexity,
    rules: [
      `At least ${settings.password_length} characters`,
      ...(needed === undefined ? [] : [`With ${needed}`]),
      'Not one of the most common passwords',
      'Not your login name or your name',
    ],
  }
}
