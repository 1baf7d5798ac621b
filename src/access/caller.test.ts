import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, it, mock } from 'node:test'
import { settingsFrom } from '../platform/config/settings.ts'
import { ApiError } from '../platform/errors.ts'
import type { Scope } from '../platform/wire/call.ts'
import {
  anonymous,
  type Caller,
  EVERY_SCOPE,
  isSignedIn,
  requireGroup,
  requireLogin,
  requireUnlimited,
} from './caller.ts'
import { requireRecentProof } from './recent-proof.ts'

const member = (...names: string[]): Caller => ({
  ...anonymous,
  id: 7,
  groups: { ids: new Set(), names: new Set(names), list: [] },
})
const refusedWith =
  (code: number, text = /./) =>
  (fault: unknown) =>
    fault instanceof ApiError && fault.code === code && text.test(fault.message)

describe('a caller', () => {
  it('who is anonymous is in no group, and is asked for no second factor', () => {
    assert.deepEqual([anonymous.groups.list, [...anonymous.groups.ids], [...anonymous.groups.names]], [[], [], []])
    assert.equal(anonymous.mustAddFactor, false)
  })

  it('must log in for what anonymous callers may not do', () => {
    assert.equal(isSignedIn(anonymous), false)
    assert.throws(() => requireLogin(anonymous), refusedWith(410))
    assert.throws(() => requireGroup(anonymous, 'admin'), refusedWith(410))
    assert.equal(requireLogin(member()).id, 7)
  })

  it('needs one of the groups that a change needs, and the refusal names them', () => {
    assert.equal(requireGroup(member('editbugs', 'editusers'), 'admin', 'editusers').id, 7)
    assert.throws(() => requireGroup(member('editbugs'), 'admin', 'editusers'), refusedWith(304, /admin or editusers/))
  })

  it('cannot make an unlimited credential with a key that lacks a scope or expires', () => {
    requireUnlimited(member(), 'create an account')
    for (const missing of ['read', 'write', 'admin']) {
      const scopes = new Set<Scope>([...EVERY_SCOPE].filter((scope) => scope !== missing))
      const limited = () => requireUnlimited({ ...member(), scopes }, 'create an account')
      assert.throws(limited, refusedWith(304, new RegExp(`scope ${missing}.*create an account`)))
    }
    const expiring = () => requireUnlimited({ ...member(), expiresAt: '2099-01-01T00:00:00Z' }, 'create an account')
    assert.throws(expiring, refusedWith(304, /expires at 2099-01-01T00:00:00Z.*create an account/))
  })
})

describe('a password that was checked a while ago', () => {
  beforeEach(() => mock.timers.enable({ apis: ['Date'], now: Date.parse('2026-03-20T12:00:00Z') }))
  afterEach(() => mock.timers.reset())
  const sensitive = (provenAt: string | null, minutes: string) => () =>
    requireRecentProof({
      caller: { ...member(), provenAt },
      settings: settingsFrom(new Map([['confirm_password_minutes', minutes]])),
    })

  it('is asked for again before a sensitive change', () => {
    sensitive('2026-03-20T11:50:00Z', '10')()
    assert.throws(sensitive('2026-03-20T11:49:59Z', '10'), refusedWith(308, /10 minutes/))
    assert.throws(sensitive('', '10'), refusedWith(308))
  })

  it('is not asked for again without a session, or where the parameter is 0', () => {
    sensitive(null, '10')()
    sensitive('2001-01-01T00:00:00Z', '0')()
  })
})
