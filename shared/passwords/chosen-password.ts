import { isCommonPassword } from './common-passwords.ts'

// The rules for passwords that people choose: the server enforces them, and pages check them before they send one.

export const LONGEST_PASSWORD = 1000

export interface PasswordLimits {
  /** The parameter password_length. */
  shortest: number
  /** The parameter password_complexity. */
  complexity: string
}

export interface PasswordRule {
  kind: 'length' | 'characters' | 'common' | 'name'
  /** To be shown before a password is typed. */
  words: string
  /** What would be right, as the end of a refusal. */
  right: string
  isMet(password: string): boolean
}

/** `names` are those of the account: its login and the real name. `whose` is "your" for the reader's own account. */
export function chosenPasswordRules(
  { shortest, complexity }: PasswordLimits,
  names: readonly string[],
  whose: 'your' | 'the' = 'your',
): PasswordRule[] {
  const needed = COMPLEXITIES.get(complexity)
  return [
    {
      kind: 'length',
      words: `At least ${shortest} characters`,
      right: `it must have at least ${Math.max(1, shortest)} characters`,
      isMet: (password) => password.length >= Math.max(1, shortest),
    },
    ...(needed === undefined ? [] : [needed]),
    {
      kind: 'common',
      words: 'Not one of the most common passwords',
      right: 'it must not be one of the most common passwords',
      isMet: (password) => !isCommonPassword(password),
    },
    {
      kind: 'name',
      words: `Not ${whose} login name or ${whose} name`,
      right: 'it must not be the login name or the real name',
      isMet: (password) => !isLikeName(password, names),
    },
  ]
}

/** The first rule that a password breaks. Spaces around it do not count. */
export function brokenPasswordRule(input: string, rules: readonly PasswordRule[]): PasswordRule | undefined {
  const password = input.trim()
  return rules.find((rule) => !rule.isMet(password))
}

/** Undefined if the installation asks for no kinds of characters. */
export function complexityRule(complexity: string): PasswordRule | undefined {
  return COMPLEXITIES.get(complexity)
}

/** The login name and the real name are what others try first. */
function isLikeName(password: string, names: readonly string[]) {
  const key = plain(password)
  const forms = names.flatMap((name) => [name, name.replace(/@.*$/s, '')]).map(plain)
  return forms.some((form) => form !== '' && withoutEnd(key) === withoutEnd(form))
}

function plain(text: string) {
  return text.normalize('NFC').toLowerCase().replace(/\s+/g, '')
}

function withoutEnd(key: string) {
  return key.replace(/[\d\W_]+$/, '')
}

function withCharacters(words: string, ...needs: RegExp[]): PasswordRule {
  return {
    kind: 'characters',
    words: `With ${words}`,
    right: `it must have ${words}`,
    isMet: (password) => needs.every((need) => need.test(password)),
  }
}

const COMPLEXITIES: ReadonlyMap<string, PasswordRule> = new Map([
  ['mixed_letters', withCharacters('a lowercase and an uppercase letter', /[a-z]/, /[A-Z]/)],
  ['letters_numbers', withCharacters('a lowercase letter, an uppercase letter and a digit', /[a-z]/, /[A-Z]/, /\d/)],
  [
    'letters_numbers_specialchars',
    withCharacters('a letter, a digit and a special character', /[A-Za-z]/, /\d/, /[^A-Za-z0-9\s]/),
  ],
])
