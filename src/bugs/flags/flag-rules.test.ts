import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { NEW_FLAG_TYPE } from '../../catalogue/flag-types/editing/flag-type-edit.ts'
import type { FlagType } from '../../catalogue/flag-types/flag-type.ts'
import { ApiError } from '../../platform/errors.ts'
import { enforce } from '../../platform/rule.ts'
import type { FlagEdit, FlagStatus, FlagWithType, PossibleRequestee } from './flag.ts'
import { flagRules } from './flag-rules.ts'

const GRANTERS = 7
const ASKERS = 8
const CALLER = 9

const review: FlagType = { ...NEW_FLAG_TYPE, id: 1, name: 'review', target: 'bug' }

const guarded: FlagType = { ...review, grant_group_id: GRANTERS, request_group_id: ASKERS }

const bob: PossibleRequestee = {
  id: 2,
  login: 'bob@x',
  isEnabled: true,
  seesBug: true,
  seesPrivate: false,
  blocksQuestions: false,
  groups: new Set(),
}

function flagWith(status: FlagStatus, type = review): FlagWithType {
  return { id: 10, type, status, setterId: 1, requestee: null }
}

function edit(more: Partial<FlagEdit>): FlagEdit {
  return {
    type: review,
    before: undefined,
    status: '?',
    requestee: undefined,
    ofThisType: 0,
    isOnPrivateAttachment: false,
    caller: callerIn(new Set()),
    ...more,
  }
}

function callerIn(groups: ReadonlySet<number>, mayConfirm = false) {
  return { id: CALLER, groups, mayConfirm }
}

/** The number of the error, or 0 if the edit breaks no rule. */
function refusalOf(more: Partial<FlagEdit>): number {
  try {
    enforce(flagRules, edit(more))
    return 0
  } catch (error) {
    assert.ok(error instanceof ApiError, String(error))
    return error.code
  }
}

describe('the status of a flag', () => {
  it('is ?, +, - or X', () => {
    for (const status of ['?', '+', '-', 'X']) assert.equal(refusalOf({ status }), 0, status)
    for (const status of ['', '!', 'x', '++', 'review', '*']) assert.equal(refusalOf({ status }), 129, status)
  })

  it('can become ? only if the type is requestable', () => {
    const type = { ...review, is_requestable: 0 } as const
    assert.equal(refusalOf({ type }), 129)
    assert.equal(refusalOf({ type, before: flagWith('+') }), 129)
    assert.equal(refusalOf({ type, before: flagWith('?') }), 0)
    assert.equal(refusalOf({ type, status: '+' }), 0)
  })
})

describe('new flags', () => {
  it('need an active type; existing flags of an inactive type can still be changed', () => {
    const type = { ...review, is_active: 0 } as const
    assert.equal(refusalOf({ type }), 134)
    assert.equal(refusalOf({ type, status: 'nonsense' }), 134)
    assert.equal(refusalOf({ type, before: flagWith('?'), status: '+' }), 0)
    assert.equal(refusalOf({ type, status: 'X' }), 0)
  })

  it('of a type that is not multiplicable can be set once', () => {
    const type = { ...review, is_multiplicable: 0 } as const
    assert.equal(refusalOf({ type }), 0)
    assert.equal(refusalOf({ type, ofThisType: 1 }), 32000)
    assert.equal(refusalOf({ type, ofThisType: 1, status: 'X' }), 0)
    assert.equal(refusalOf({ type, ofThisType: 1, before: flagWith('?') }), 0)
    assert.equal(refusalOf({ ofThisType: 1 }), 0)
    assert.equal(refusalOf({ ofThisType: 199 }), 0)
    assert.equal(refusalOf({ ofThisType: 200 }), 32000)
    assert.equal(refusalOf({ ofThisType: 300, status: 'X' }), 0)
    assert.equal(refusalOf({ ofThisType: 300, before: flagWith('?') }), 0)
  })
})

describe('who may set a flag', () => {
  const who = { otherUser: new Set<number>(), asker: new Set([ASKERS]), granter: new Set([GRANTERS]) }
  const cases = [
    { type: guarded, status: '?', otherUser: 130, asker: 0, granter: 0 },
    { type: guarded, status: '+', otherUser: 130, asker: 130, granter: 0 },
    { type: guarded, status: '-', otherUser: 130, asker: 130, granter: 0 },
    { type: guarded, status: 'X', otherUser: 0, asker: 0, granter: 0 },
    { type: { ...guarded, request_group_id: null }, status: '?', otherUser: 0, asker: 0, granter: 0 },
    { type: { ...guarded, request_group_id: null }, status: '+', otherUser: 130, asker: 130, granter: 0 },
    { type: { ...guarded, grant_group_id: null }, status: '?', otherUser: 0, asker: 0, granter: 0 },
    { type: { ...guarded, grant_group_id: null }, status: '+', otherUser: 0, asker: 0, granter: 0 },
  ]
  for (const { type, status, ...expected } of cases) {
    const groups = `grant group ${type.grant_group_id}, request group ${type.request_group_id}`
    it(`depends on the groups of the type: ${status} with ${groups}`, () => {
      for (const [name, code] of Object.entries(expected)) {
        const groups = who[name as keyof typeof who]
        assert.equal(refusalOf({ type, status, caller: callerIn(groups) }), code, `new, ${name}`)
        const before = flagWith(status === '+' ? '-' : '+', type)
        assert.equal(refusalOf({ type, status, caller: callerIn(groups), before }), code, `changed, ${name}`)
      }
    })
  }

  it('is not checked if the status does not change', () => {
    assert.equal(refusalOf({ type: guarded, status: '+', before: flagWith('+', guarded) }), 0)
  })
})

describe('a requestee', () => {
  it('can be named only for a type that is specifically requestable', () => {
    const type = { ...review, is_requesteeble: 0 } as const
    assert.equal(refusalOf({ type, requestee: bob }), 131)
    assert.equal(refusalOf({ type, requestee: null }), 0)
    assert.equal(refusalOf({ type, requestee: bob, status: '+' }), 0)
  })

  it('must have an enabled account', () => {
    assert.equal(refusalOf({ requestee: { ...bob, isEnabled: false } }), 32000)
  })

  it('must see the bug', () => {
    assert.equal(refusalOf({ requestee: { ...bob, seesBug: false } }), 32000)
  })

  it('must be an insider if the attachment is private', () => {
    assert.equal(refusalOf({ requestee: bob, isOnPrivateAttachment: true }), 32000)
    assert.equal(refusalOf({ requestee: { ...bob, seesPrivate: true }, isOnPrivateAttachment: true }), 0)
  })

  it('must have the right to grant the flag', () => {
    const groups = new Set([ASKERS])
    const caller = callerIn(groups)
    assert.equal(refusalOf({ type: guarded, caller, requestee: { ...bob, groups } }), 32000)
    assert.equal(refusalOf({ type: guarded, caller, requestee: { ...bob, groups: new Set([GRANTERS]) } }), 0)
  })

  it('is not checked if the flag is not a request', () => {
    const unsuitable = { ...bob, isEnabled: false, seesBug: false }
    for (const status of ['+', '-', 'X']) assert.equal(refusalOf({ status, requestee: unsuitable }), 0)
  })
})

describe('a question', () => {
  const question: FlagType = { ...review, is_question: 1 }
  const ofBob = { ...flagWith('?', question), requestee: { id: bob.id, login: bob.login } }
  const others = { caller: callerIn(new Set()), before: ofBob, type: question }

  it('is asked or cleared, never granted or denied', () => {
    for (const [status, code] of Object.entries({ '?': 0, '+': 129, '-': 129, X: 0 }))
      assert.equal(refusalOf({ type: question, status }), code, status)
    assert.equal(refusalOf({ type: question, status: '+', before: flagWith('+', question) }), 0)
  })

  it('to a user is cleared and passed on by its setter, its requestee, and users who may confirm', () => {
    const passedOn = { status: '?', requestee: { ...bob, id: 3 } }
    for (const change of [{ status: 'X' }, passedOn, { status: '?', requestee: null }]) {
      assert.equal(refusalOf({ ...others, ...change }), 130)
      assert.equal(refusalOf({ ...others, ...change, caller: callerIn(new Set(), true) }), 0)
      assert.equal(refusalOf({ ...others, ...change, caller: { ...others.caller, id: bob.id } }), 0)
      assert.equal(refusalOf({ ...others, ...change, before: { ...ofBob, setterId: CALLER } }), 0)
      assert.equal(refusalOf({ ...others, ...change, before: { ...ofBob, requestee: null } }), 0)
      assert.equal(refusalOf({ ...others, ...change, type: review, before: { ...ofBob, type: review } }), 0)
    }
    assert.equal(refusalOf({ ...others, status: '?' }), 0)
  })

  it('is not asked of a user who blocks questions, but may be asked of one who may not grant', () => {
    assert.equal(refusalOf({ type: question, requestee: { ...bob, blocksQuestions: true } }), 32000)
    assert.equal(refusalOf({ type: review, requestee: { ...bob, blocksQuestions: true } }), 0)
    assert.equal(
      refusalOf({ type: { ...question, grant_group_id: GRANTERS, request_group_id: null }, requestee: bob }),
      0,
    )
  })
})
