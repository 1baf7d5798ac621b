import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { NEW_FLAG_TYPE } from '../../catalogue/flag-types/editing/flag-type-edit.ts'
import type { FlagType } from '../../catalogue/flag-types/flag-type.ts'
import { ApiError } from '../../platform/errors.ts'
import { findFlag } from './find-flag.ts'
import { afterEdit, type FlagEdit, type FlagWithType, isSame, type WantedFlag } from './flag.ts'
import { readFlags } from './flag-params.ts'

function type(id: number, name: string, more: Partial<FlagType> = {}): FlagType {
  return { ...NEW_FLAG_TYPE, id, name, target: 'bug', ...more }
}

const review = type(1, 'review')
const needinfo = type(2, 'needinfo')
const ASKER = 5
const CALLER = 6
const bob = { id: 7, login: 'bob@x' }

function flagWith(id: number, of: FlagType, more: Partial<FlagWithType> = {}): FlagWithType {
  return { id, type: of, status: '?', setterId: ASKER, requestee: null, ...more }
}

function wanted(more: Partial<WantedFlag>): WantedFlag {
  return {
    id: undefined,
    type_id: undefined,
    name: undefined,
    status: '?',
    requestee: undefined,
    new: undefined,
    ...more,
  }
}

function codeOf(act: () => unknown): number {
  try {
    act()
    return 0
  } catch (error) {
    assert.ok(error instanceof ApiError, String(error))
    return error.code
  }
}

describe('the flag that a request refers to', () => {
  const types = [review, needinfo]

  it('is the one with the id', () => {
    const flags = [flagWith(1, review), flagWith(2, review)]
    assert.equal(findFlag(types, flags, wanted({ id: 2 })).before?.id, 2)
    assert.equal(
      codeOf(() => findFlag(types, flags, wanted({ id: 3 }))),
      51,
    )
  })

  it('is the only one of the type or name, in any letter case', () => {
    const flags = [flagWith(1, review), flagWith(2, needinfo)]
    assert.equal(findFlag(types, flags, wanted({ type_id: 2 })).before?.id, 2)
    assert.equal(findFlag(types, flags, wanted({ name: 'Review ' })).before?.id, 1)
  })

  it('is a new one if there is none, or with `new`', () => {
    assert.deepEqual(findFlag(types, [], wanted({ name: 'review' })), { type: review, before: undefined })
    assert.deepEqual(findFlag(types, [flagWith(1, review)], wanted({ name: 'review', new: true })), {
      type: review,
      before: undefined,
    })
  })

  it('must be named by id if there are several', () => {
    const flags = [flagWith(1, review), flagWith(2, review)]
    for (const want of [{ name: 'review' }, { type_id: 1 }])
      assert.equal(
        codeOf(() => findFlag(types, flags, wanted(want))),
        132,
      )
  })

  it('must be named by type_id if several types have the name', () => {
    const both = [review, type(3, 'review')]
    assert.equal(
      codeOf(() => findFlag(both, [], wanted({ name: 'review' }))),
      133,
    )
    assert.equal(findFlag(both, [], wanted({ type_id: 3 })).type.id, 3)
  })

  it('has an active type, unless an inactive type of the same name has a flag', () => {
    const both = [type(3, 'review', { is_active: 0 }), review]
    assert.equal(findFlag(both, [], wanted({ name: 'review' })).type.id, 1)
    assert.equal(
      codeOf(() => findFlag(both, [flagWith(1, both[0] as FlagType)], wanted({ name: 'review' }))),
      133,
    )
    assert.equal(findFlag([both[0] as FlagType], [], wanted({ name: 'review' })).type.id, 3)
  })

  it('is refused if its type does not apply or is not named', () => {
    for (const [want, code] of [
      [{ name: 'unknown' }, 51],
      [{ type_id: 99 }, 51],
      [{}, 50],
      [{ name: ' ' }, 50],
    ] as const)
      assert.equal(
        codeOf(() => findFlag(types, [], wanted(want))),
        code,
      )
  })
})

describe('a flag that is changed', () => {
  const edit = (more: Partial<FlagEdit>): FlagEdit => ({
    type: review,
    before: undefined,
    status: '?',
    requestee: undefined,
    ofThisType: 0,
    isOnPrivateAttachment: false,
    caller: { id: CALLER, groups: new Set(), mayConfirm: false },
    ...more,
  })
  const candidate = {
    ...bob,
    isEnabled: true,
    seesBug: true,
    seesPrivate: true,
    blocksQuestions: false,
    groups: new Set<number>(),
  }

  it('has the caller as its setter', () => {
    const before = flagWith(1, review)
    assert.equal(afterEdit(edit({}))?.setterId, CALLER)
    assert.equal(afterEdit(edit({ before, status: '+' }))?.setterId, CALLER)
  })

  it('keeps its setter if only the requestee changes', () => {
    const after = afterEdit(edit({ before: flagWith(1, review), requestee: candidate }))
    assert.deepEqual(after, { status: '?', setterId: ASKER, requestee: bob })
  })

  it('keeps its requestee unless the request names another or none', () => {
    const before = flagWith(1, review, { requestee: bob })
    assert.deepEqual(afterEdit(edit({ before }))?.requestee, bob)
    assert.equal(afterEdit(edit({ before, requestee: null }))?.requestee, null)
  })

  it('loses its requestee when it is granted or denied', () => {
    const before = flagWith(1, review, { requestee: bob })
    for (const status of ['+', '-']) assert.equal(afterEdit(edit({ before, status }))?.requestee, null)
  })

  it('is removed with X', () => {
    assert.equal(afterEdit(edit({ before: flagWith(1, review), status: 'X' })), undefined)
  })

  it('is unchanged if status and requestee are the same', () => {
    const before = flagWith(1, review, { requestee: bob })
    assert.equal(isSame(before, { status: '?', setterId: CALLER, requestee: bob }), true)
    assert.equal(isSame(before, { status: '?', setterId: CALLER, requestee: null }), false)
    assert.equal(isSame(before, { status: '+', setterId: CALLER, requestee: bob }), false)
  })
})

describe('the parameter flags', () => {
  it('is a list of objects', () => {
    assert.deepEqual(readFlags('flags', [{ name: 'review', status: '?', new: 'true', id: '3', setter: 'me' }]), [
      { id: 3, type_id: undefined, name: 'review', status: '?', requestee: undefined, new: true },
    ])
    assert.deepEqual(readFlags('flags', []), [])
  })

  for (const input of ['review', 1, true, {}, { name: 'review' }, [null], ['review'], [[]], [1]]) {
    it(`is refused as ${JSON.stringify(input)}`, () => {
      assert.equal(
        codeOf(() => readFlags('flags', input)),
        53,
      )
    })
  }

  it('has at most 100 flags', () => {
    const flags = (count: number) => Array.from({ length: count }, () => ({ name: 'review', status: '?' }))
    assert.equal(readFlags('flags', flags(100)).length, 100)
    assert.equal(
      codeOf(() => readFlags('flags', flags(101))),
      53,
    )
  })

  it('is refused with parts of the wrong kind', () => {
    const cases: [string, unknown, number][] = [
      ['name', ['review'], 53],
      ['name', {}, 53],
      ['status', ['?'], 53],
      ['requestee', { login: 'bob@x' }, 53],
      ['new', 'perhaps', 53],
      ['id', 'one', 52],
      ['type_id', 1.5, 52],
      ['type_id', [1], 52],
    ]
    for (const [part, value, code] of cases)
      assert.equal(
        codeOf(() => readFlags('flags', [{ [part]: value }])),
        code,
        `${part}: ${JSON.stringify(value)}`,
      )
  })

  it('treats null as missing', () => {
    assert.deepEqual(readFlags('flags', [{ name: 'review', status: null, requestee: null, id: null }]), [
      { id: undefined, type_id: undefined, name: 'review', status: undefined, requestee: undefined, new: undefined },
    ])
  })
})
