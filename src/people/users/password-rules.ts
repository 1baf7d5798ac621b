import {
  brokenPasswordRule,
  chosenPasswordRules,
  complexityRule,
  LONGEST_PASSWORD,
} from '../../../shared/passwords/chosen-password.ts'
import type { Settings } from '../../platform/config/settings.ts'
import { errors } from '../../platform/errors.ts'

/** Clients of Bugzilla may set passwords of this length for others. */
const SHORTEST_GIVEN_PASSWORD = 6

/**
 * Returns a password that one user sets for the account of another, as it is hashed; undefined if it is empty. Programs set first passwords that
 * Bugzilla takes, so this is laxer than `requireChosenPassword`.
 */
export function requireGivenPassword(input: string, settings: Settings): string | undefined {
  const password = input.trim()
  if (password === '') return undefined
  if (password.length < SHORTEST_GIVEN_PASSWORD) throw errors.password_too_short({ least: SHORTEST_GIVEN_PASSWORD })
  requireAtMostLongest(password)
  const needed = complexityRule(settings.password_complexity)
  if (needed?.isMet(password) === false) throw errors.password_too_simple({ right: needed.right })
  return password
}

/**
 * Returns a password that users choose for themselves, as it is hashed: they cannot be without one. `names` are those of the account: its
 * login and the real name.
 */
export function requireChosenPassword(input: string, settings: Settings, names: readonly string[]): string {
  const password = input.trim()
  requireAtMostLongest(password)
  const broken = brokenPasswordRule(password, chosenPasswordRules(limitsIn(settings), names))
  if (broken?.kind === 'length') throw errors.password_too_short({ least: Math.max(1, settings.password_length) })
  if (broken !== undefined) throw errors.password_too_simple({ right: broken.right })
  return password
}

function limitsIn({ password_length, password_complexity }: Settings) {
  return { shortest: password_length, complexity: password_complexity }
}

function requireAtMostLongest(password: string) {
  if (password.length > LONGEST_PASSWORD)
    throw errors.bad_value({
      name: 'password',
      value: '…',
      right: `it must have at most ${LONGEST_PASSWORD} characters`,
    })
}

/** The rules in words, to be shown before a password is typed. */
export function passwordRules(settings: Settings) {
  const limits = limitsIn(settings)
  return {
    shortest: limits.shortest,
    longest: LONGEST_PASSWORD,
    complexity: limits.complexity,
    rules: chosenPasswordRules(limits, []).map(({ words }) => words),
  }
}
