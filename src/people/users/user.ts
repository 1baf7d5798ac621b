import type { Settings } from '../../platform/config/settings.ts'
import type { ApiError } from '../../platform/errors.ts'
import { errors } from '../../platform/errors.ts'
import { dictionary } from '../../platform/text/dictionary.ts'
import { compilePattern } from '../../platform/text/regexps.ts'

export interface User {
  id: number
  login: string
  real_name: string
  disabled_text: string
  email_enabled: 0 | 1
}

const LONGEST_LOGIN = 127
const LONGEST_REAL_NAME = 255
export const SHORTEST_PASSWORD = 6
const LONGEST_PASSWORD = 1000

/** Returns the login name as it is stored, or throws. Only ASCII is allowed, so that no two accounts look alike. */
export function requireLoginName(input: string, settings: Settings): string {
  const login = input.trim()
  const wrong = (right: string): ApiError => errors.bad_login_name({ login, right })
  if (login === '') throw errors.parameter_required({ name: 'email' })
  if (login.length + settings.emailsuffix.length > LONGEST_LOGIN)
    throw wrong(`it must have at most ${LONGEST_LOGIN} characters`)
  if (!/^[!-~]+$/.test(login) || /[\\(),<>"&;[\]]/.test(login))
    throw wrong('it may contain only ASCII letters, digits and the punctuation of an email address')
  if (/^\d+$/.test(login)) throw wrong('it must not be a number: numbers are ids of users')
  if (!compilePattern(settings.emailregexp).occursIn(login)) throw wrong(settings.emailregexpdesc)
  return login
}

/** Control characters would break lists and mail headers; they become spaces. */
export function requireRealName(input: string): string {
  const name = input.replace(/\p{Cc}+/gu, ' ').trim()
  if (name.length > LONGEST_REAL_NAME) {
    throw errors.bad_value({
      name: 'full_name',
      value: name,
      right: `it must have at most ${LONGEST_REAL_NAME} characters`,
    })
  }
  return name
}

/** Returns the password as it is hashed; undefined if it is empty. */
export function requirePassword(input: string, settings: Settings): string | undefined {
  const password = input.trim()
  if (password === '') return undefined
  if (password.length < SHORTEST_PASSWORD) throw errors.password_too_short({ least: SHORTEST_PASSWORD })
  if (password.length > LONGEST_PASSWORD)
    throw errors.bad_value({
      name: 'password',
      value: '…',
      right: `it must have at most ${LONGEST_PASSWORD} characters`,
    })
  const missing = missingFrom(password, settings.password_complexity)
  if (missing !== undefined) throw errors.password_too_simple({ right: missing })
  return password
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

export function emailOf(user: { login: string }, settings: Settings) {
  return user.login + settings.emailsuffix
}
