import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { isCommonPassword } from '../../../shared/passwords/common-passwords.ts'
import { type Settings, settingsFrom } from '../../platform/config/settings.ts'
import { passwordRules, requireChosenPassword, requireGivenPassword } from './password-rules.ts'

const settings = settingsFrom(new Map([['password_length', '10']]))
const NAMES = ['jo.smith@example.com', 'Joanna Smith', '']

function refusalOf(password: string, more: Partial<Settings> = {}, names = NAMES): string | undefined {
  try {
    assert.equal(requireChosenPassword(password, { ...settings, ...more }, names), password.trim())
    return undefined
  } catch (error) {
    return (error as { reason: string }).reason
  }
}

describe('a common password', () => {
  const COMMON = {
    'is a well-known word': ['password', 'PASSWORD', 'pass word', 'LetMeIn'],
    'has digits and signs around it': ['dragon99', '99dragon', '__dragon!!', '2024!football?'],
    'has digits and signs for letters': [
      'P4ssw0rd',
      'm0nk3y',
      '5unsh1ne',
      'foot8all',
      '7iger',
      'pa$$word',
      '@dmin1strator',
    ],
    'has both': ['!!dr4g0n!!', '123l3tmein', 'ange|99', 'sunsh!ne2020'],
    'is repeated': ['dragondragon', 'monkeymonkeymonkey', 'tigertiger99'],
    'has one or two different characters': ['aaaaaaaaaa', 'abababbbab', '1111111112', '!?!?!!??!?'],
    'is a sequence': ['1234567890', '0987654321', 'abcdefghij', 'zyxwvutsrq'],
    'is made of neighbouring keys': [
      'qwertyuiop',
      'poiuytrewq',
      'asdfghjkl',
      'yxcvbnm',
      '1q2w3e4r5t',
      'qazwsxedc',
      'qwertzuiop',
    ],
    'is made of several of these': [
      'qwerty123',
      'abc123xyz',
      'aaabbbccc',
      '111222333',
      'qwertyuiopasdfghjkl',
      'asdjkl12345',
    ],
  }
  for (const [what, passwords] of Object.entries(COMMON))
    it(what, () => {
      for (const password of passwords) assert.equal(isCommonPassword(password), true, password)
    })

  it('is no other one', () => {
    for (const password of [
      'correct horse battery',
      'a quiet afternoon',
      'dragonboat race',
      '83920174652',
      'abcacbcab',
      'abc12xyz',
      'aabbccdd',
      'qwertyz8k',
      '123dragon456boat',
      'dragontigers',
      'passwordfish lake',
    ])
      assert.equal(isCommonPassword(password), false, password)
  })
})

describe('a password that users choose', () => {
  it('has at least password_length characters, and at most a thousand', () => {
    const long = (length: number) =>
      'quiet afternoon '
        .repeat(70)
        .slice(0, length - 1)
        .concat('x')
    assert.equal(refusalOf('quietafte'), 'password_too_short')
    assert.equal(refusalOf('  quietafte  '), 'password_too_short')
    assert.equal(refusalOf(' quietafter '), undefined)
    assert.equal(refusalOf(long(1000)), undefined)
    assert.equal(refusalOf(long(1001)), 'bad_value')
    assert.equal(refusalOf(' ', { password_length: 0 }), 'password_too_short')
  })

  it('is not a common one', () => {
    assert.equal(refusalOf('P4ssw0rd!!!'), 'password_too_simple')
  })

  it('is neither the login name nor the real name, also with more digits or in other letters', () => {
    for (const password of [
      'jo.smith@example.com',
      'JO.SMITH@EXAMPLE.COM',
      'jo.smith2024!',
      'Jo.Smith__1',
      'joanna smith',
      'JoannaSmith',
      'joanna  smith 99',
    ])
      assert.equal(refusalOf(password), 'password_too_simple', password)
    for (const password of ['jo.smithers', 'joanna smithers', 'my joanna smith', '8392017465', 'jo.smith@other.test'])
      assert.equal(refusalOf(password), undefined, password)
    assert.equal(refusalOf('joanna99smith', {}, ['Joanna 99', 'x@example.com']), undefined)
    assert.equal(refusalOf('joanna 9999', {}, ['Joanna 7']), 'password_too_simple')
  })

  const COMPLEXITIES: [complexity: string, taken: string[], refused: string[]][] = [
    ['no_constraints', ['quietafternoon', 'QUIETAFTERNOON', '8392017465'], []],
    ['mixed_letters', ['quietAfternoon'], ['quietafternoon', 'QUIETAFTERNOON', '8392017465']],
    ['letters_numbers', ['quietAfternoon4'], ['quietAfternoon', 'quietafternoon4', 'QUIETAFTERNOON4', '8392017465']],
    [
      'letters_numbers_specialchars',
      ['quiet-afternoon-4', 'QUIET!AFTERNOON4'],
      ['quietAfternoon4', 'quiet afternoon 4', 'quiet-afternoon', '8392-017465'],
    ],
  ]
  for (const [complexity, taken, refused] of COMPLEXITIES)
    it(`has what password_complexity asks for: ${complexity}`, () => {
      const more = { password_complexity: complexity } as Partial<Settings>
      for (const password of taken) assert.equal(refusalOf(password, more), undefined, password)
      for (const password of refused) assert.equal(refusalOf(password, more), 'password_too_simple', password)
    })

  it('has rules that can be read before it is typed', () => {
    const rulesFor = (complexity: string) =>
      passwordRules({ ...settings, password_complexity: complexity } as Settings).rules
    assert.equal(rulesFor('no_constraints').length, 3)
    assert.match(rulesFor('mixed_letters')[1] ?? '', /a lowercase and an uppercase letter/)
    assert.equal(passwordRules(settings).shortest, 10)
  })
})

describe('a password for another user', () => {
  it('has six characters, and may be common', () => {
    assert.equal(requireGivenPassword(' 123456 ', settings), '123456')
    assert.throws(() => requireGivenPassword(' 12345 ', settings), { reason: 'password_too_short' })
    assert.throws(() => requireGivenPassword('x'.repeat(1001), settings), { reason: 'bad_value' })
  })

  it('is none if it is blank', () => {
    for (const blank of ['', '   ']) assert.equal(requireGivenPassword(blank, settings), undefined)
  })

  it('has what password_complexity asks for', () => {
    const strict = { ...settings, password_complexity: 'mixed_letters' } as Settings
    assert.throws(() => requireGivenPassword('abcdef', strict), { reason: 'password_too_simple' })
    assert.equal(requireGivenPassword('abCdef', strict), 'abCdef')
  })
})
