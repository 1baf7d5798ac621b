import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, it, mock } from 'node:test'
import { settingsFrom } from '../../platform/config/settings.ts'
import { isSessionOver } from './session-lifetime.ts'

const settings = settingsFrom(
  new Map([
    ['session_idle_days', '2'],
    ['session_days', '10'],
  ]),
)
const endless = settingsFrom(
  new Map([
    ['session_idle_days', '0'],
    ['session_days', '0'],
  ]),
)

describe('a session', () => {
  beforeEach(() => mock.timers.enable({ apis: ['Date'], now: Date.parse('2026-03-20T12:00:00Z') }))
  afterEach(() => mock.timers.reset())

  it('is over when it was not used for some days', () => {
    const created_at = '2026-03-15T00:00:00Z'
    assert.equal(isSessionOver({ created_at, last_used_at: '2026-03-18T12:00:00Z' }, settings), false)
    assert.equal(isSessionOver({ created_at, last_used_at: '2026-03-18T11:59:59Z' }, settings), true)
  })

  it('is over when it began too long ago, however much it is used', () => {
    const last_used_at = '2026-03-20T12:00:00Z'
    assert.equal(isSessionOver({ created_at: '2026-03-10T12:00:00Z', last_used_at }, settings), false)
    assert.equal(isSessionOver({ created_at: '2026-03-10T11:59:59Z', last_used_at }, settings), true)
  })

  it('lasts for ever where the parameters are 0', () => {
    const old = '2001-01-01T00:00:00Z'
    assert.equal(isSessionOver({ created_at: old, last_used_at: old }, endless), false)
  })
})
