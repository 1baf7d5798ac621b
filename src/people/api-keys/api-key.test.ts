import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Scope } from '../../platform/wire/call.ts'
import { isWidened, limitsAdded, requireDescription, requireFuture, requireScopes, requireWithin } from './api-key.ts'

const own = (scopes: Scope[], expiresAt: string | null = null) => ({ scopes: new Set(scopes), expiresAt })
const key = (scopes: string, expires_at: string | null = null) => ({ scopes, expires_at })
const SOON = '2098-01-01T00:00:00Z'
const LATE = '2099-01-01T00:00:00Z'

describe('the scopes of a key', () => {
  it('are those of the credentials in use, unless others are asked for', () => {
    assert.equal(requireScopes(undefined, own(['admin', 'read'])), 'read,admin')
    assert.equal(requireScopes(['write', 'read', 'write'], own(['read'])), 'read,write')
  })

  it('exist, and are not none', () => {
    assert.throws(() => requireScopes(['read', 'everything'], own(['read'])), /everything/)
    for (const none of [undefined, []]) assert.throws(() => requireScopes(none, own([])), { reason: 'bad_value' })
  })
})

describe('a key that is made or widened with another', () => {
  it('has no scope that the other lacks', () => {
    requireWithin(key('read,write'), own(['read', 'write', 'admin']))
    assert.throws(() => requireWithin(key('read,admin'), own(['read', 'write'])), /lacks the scope admin/)
  })

  it('ends no later', () => {
    for (const [end, other, isTaken] of [
      [null, null, true],
      [LATE, null, true],
      [SOON, LATE, true],
      [LATE, LATE, true],
      [LATE, SOON, false],
      [null, LATE, false],
    ] as const) {
      const check = () => requireWithin(key('read', end), own(['read'], other))
      if (isTaken) check()
      else assert.throws(check, /must expire by then/, `${end} with ${other}`)
    }
  })
})

describe('a change of a key', () => {
  it('widens it with a new scope or a later end', () => {
    assert.equal(isWidened(key('read', SOON), key('read,write', SOON)), true)
    assert.equal(isWidened(key('read', SOON), key('read', LATE)), true)
    assert.equal(isWidened(key('read', SOON), key('read')), true)
    assert.equal(isWidened(key('read,write'), key('write', SOON)), false)
    assert.equal(isWidened(key('read', SOON), key('read', SOON)), false)
    assert.equal(isWidened(key('read,write', SOON), key('write,admin', SOON)), true)
  })

  it('limits it by a scope or an earlier end', () => {
    const none = { hasLostScope: false, earlierEnd: null }
    assert.deepEqual(limitsAdded(key('read', SOON), key('read,write', LATE)), none)
    assert.deepEqual(limitsAdded(key('read', SOON), key('read', SOON)), none)
    assert.deepEqual(limitsAdded(key('read,write'), key('write,admin')), { ...none, hasLostScope: true })
    assert.deepEqual(limitsAdded(key('read'), key('read', LATE)), { ...none, earlierEnd: LATE })
    assert.deepEqual(limitsAdded(key('read', LATE), key('read', SOON)), { ...none, earlierEnd: SOON })
  })
})

describe('the end and the description of a key', () => {
  it('lies in the future', () => {
    assert.equal(requireFuture(LATE), LATE)
    assert.throws(() => requireFuture('2001-01-01T00:00:00Z'), { reason: 'bad_value' })
  })

  it('is one line of at most 255 characters', () => {
    assert.equal(requireDescription(` for\r\n\tthe  script${'x'.repeat(238)} `), `for the  script${'x'.repeat(238)}`)
    assert.equal(requireDescription('x'.repeat(255)).length, 255)
    assert.throws(() => requireDescription('x'.repeat(256)), { reason: 'bad_value' })
  })
})
