import { neutralNick } from '../../../shared/nicks.ts'
import type { Settings } from '../../platform/config/settings.ts'
import type { ApiError } from '../../platform/errors.ts'
import { errors } from '../../platform/errors.ts'
import { compilePattern } from '../../platform/text/regexps.ts'

export interface User {
  id: number
  login: string
  real_name: string
  /** Null stands for the neutral nick. */
  nick: string | null
  disabled_text: string
  email_enabled: 0 | 1
}

const LONGEST_LOGIN = 127
const LONGEST_REAL_NAME = 255

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
  if (!isAllowedLogin(login, settings)) throw wrong(settings.emailregexpdesc.replace(/\.$/, ''))
  return login
}

/** Whether the pattern of this installation for addresses matches. */
export function isAllowedLogin(login: string, { emailregexp }: Settings) {
  return compilePattern(emailregexp).occursIn(login)
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

export function nickOf({ id, nick }: Pick<User, 'id' | 'nick'>): string {
  return nick ?? neutralNick(id)
}

export function emailOf(user: { login: string }, settings: Settings) {
  return user.login + settings.emailsuffix
}
