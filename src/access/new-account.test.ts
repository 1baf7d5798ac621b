import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, it, mock } from 'node:test'
import { settingsFrom } from '../platform/config/settings.ts'
import { anonymous, type Caller } from './caller.ts'
import { isNewAccount, requireAllowedWords, textsIn } from './new-account.ts'

const settings = settingsFrom(
  new Map([
    ['new_account_days', '3'],
    ['new_account_denied', 'casino'],
  ]),
)
const joined = (joinedAt: string | null, ...names: string[]): Caller => ({
  ...anonymous,
  id: 7,
  joinedAt,
  groups: { ids: new Set(), names: new Set(names), list: [] },
})

describe('an account that its user has created', () => {
  beforeEach(() => mock.timers.enable({ apis: ['Date'], now: Date.parse('2026-03-20T12:00:00Z') }))
  afterEach(() => mock.timers.reset())

  it('is new for the days of the parameter', () => {
    assert.equal(isNewAccount(joined('2026-03-17T12:00:00Z'), settings), true)
    assert.equal(isNewAccount(joined('2026-03-17T11:59:59Z'), settings), false)
  })

  it('is not new for administrators, nor if somebody else has created it', () => {
    assert.equal(isNewAccount(joined('2026-03-20T11:00:00Z', 'admin'), settings), false)
    assert.equal(isNewAccount(joined('2026-03-20T11:00:00Z', 'editbugs'), settings), true)
    assert.equal(isNewAccount(joined(null), settings), false)
  })

  it('cannot write denied words as long as it is new', () => {
    const texts = [undefined, 'Best casino']
    assert.throws(() => requireAllowedWords(joined('2026-03-20T11:00:00Z'), settings, texts))
    requireAllowedWords(joined('2026-03-20T11:00:00Z'), settings, ['Best bug'])
    requireAllowedWords(joined('2026-03-01T11:00:00Z'), settings, texts)
    requireAllowedWords(joined(null), settings, texts)
  })

  it('is judged by all of its texts, at any depth', () => {
    const params = { summary: 'a', cf_list: ['b', { deep: 'c' }], count: 3, is_private: true, nothing: null }
    assert.deepEqual(textsIn(params), ['a', 'b', 'c'])
    assert.deepEqual(textsIn(undefined), [])
  })
})
