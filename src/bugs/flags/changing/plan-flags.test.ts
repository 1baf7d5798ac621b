import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { NEW_FLAG_TYPE } from '../../../catalogue/flag-types/editing/flag-type-edit.ts'
import type { FlagType } from '../../../catalogue/flag-types/flag-type.ts'
import { ApiError } from '../../../platform/errors.ts'
import type { FlagWithType, PossibleRequestee, WantedFlag } from '../flag.ts'
import { changesOfSteps } from '../flag-changes.ts'
import { type FlagStep, planFlags } from './plan-flags.ts'

const review: FlagType = { ...NEW_FLAG_TYPE, id: 1, name: 'review', target: 'bug' }
const once: FlagType = { ...review, id: 2, name: 'once', is_multiplicable: 0 }
const question: FlagType = { ...review, id: 3, name: 'question', is_question: 1 }
const ASKER = 5
const CALLER = 6

function person(login: string): PossibleRequestee {
  return {
    id: login.length,
    login,
    isEnabled: true,
    seesBug: true,
    seesPrivate: true,
    blocksQuestions: false,
    groups: new Set(),
  }
}

function flagWith(id: number, type: FlagType, more: Partial<FlagWithType> = {}): FlagWithType {
  return { id, type, status: '?', setterId: ASKER, requestee: null, ...more }
}

type Wanted = Partial<WantedFlag>

function plan(flags: readonly FlagWithType[], ...wanted: Wanted[]): FlagStep[] {
  const context = {
    existing: flags,
    types: [review, once, question],
    isOnPrivateAttachment: false,
    caller: { id: CALLER, groups: new Set<number>(), mayConfirm: true },
  }
  const nothing = { id: undefined, type_id: undefined, name: undefined, requestee: undefined, new: undefined }
  return planFlags(
    context,
    wanted.map((want) => ({ ...nothing, status: undefined, ...want })),
    person,
  )
}

function changesOf(steps: readonly FlagStep[]) {
  const { removed, added, cc } = changesOfSteps(null, steps, (step) => step.before?.id ?? 0)
  return { removed, added, cc }
}

describe('a plan for flags', () => {
  it('lists removed and added flags in the order of the request, and new requestees', () => {
    const steps = plan(
      [flagWith(1, once)],
      { name: 'review', status: '?', requestee: 'bob@x' },
      { name: 'once', status: '+' },
      { name: 'review', status: '-' },
    )
    assert.deepEqual(changesOf(steps), {
      removed: ['once?'],
      added: ['review?(bob@x)', 'once+', 'review-'],
      cc: [person('bob@x').id],
    })
  })

  it('names the setter of a cleared request, for their notification', () => {
    const [fact] = changesOfSteps(7, plan([flagWith(1, review)], { name: 'review', status: 'X' }), () => 1).facts
    assert.deepEqual(fact, {
      id: 1,
      type_id: 1,
      name: 'review',
      attachment_id: 7,
      before: 'review?',
      after: null,
      requestee_id: null,
      setter_id: ASKER,
    })
  })

  it('makes one change of a flag that is named twice', () => {
    const twice = plan([flagWith(1, review)], { name: 'review', status: '+' }, { id: 1, status: '-' })
    assert.deepEqual(changesOf(twice), { removed: ['review?'], added: ['review-'], cc: [] })
    const cleared = plan([flagWith(1, review)], { id: 1, status: '+' }, { id: 1, status: 'X' })
    assert.deepEqual(changesOf(cleared), { removed: ['review?'], added: [], cc: [] })
    assert.deepEqual(plan([flagWith(1, review)], { id: 1, status: '+' }, { id: 1, status: '?' }), [])
  })

  it('is empty if nothing would change', () => {
    const request = flagWith(1, review, { requestee: person('bob@x') })
    assert.deepEqual(plan([request], { id: 1, status: '?', requestee: ' BOB@x ' }), [])
    assert.deepEqual(plan([], { name: 'review', status: 'X' }), [])
  })

  it('counts flags that earlier items of the request set and clear', () => {
    const refused = (act: () => unknown) =>
      assert.throws(act, (error) => error instanceof ApiError && error.code === 32000)
    refused(() => plan([], { name: 'once', status: '?' }, { name: 'once', status: '+' }))
    refused(() => plan([flagWith(1, once)], { name: 'once', status: '?', new: true }))
    const replaced = plan([flagWith(1, once)], { id: 1, status: 'X' }, { name: 'once', status: '+' })
    assert.deepEqual(changesOf(replaced), { removed: ['once?'], added: ['once+'], cc: [] })
  })

  it('does not find a flag that an earlier item has cleared', () => {
    assert.throws(
      () => plan([flagWith(1, review)], { id: 1, status: 'X' }, { id: 1, status: '+' }),
      (error) => error instanceof ApiError && error.code === 51,
    )
  })
})

describe('a plan for questions', () => {
  const bob = { id: 'bob@x'.length, login: 'bob@x' }
  const asked = (requestee: string) => ({ name: 'question', status: '?', requestee, new: true })

  it('asks each user once, and once anyone', () => {
    const before = [flagWith(1, question, { requestee: bob })]
    const steps = plan(before, asked('bob@x'), asked('carol@x'), asked('carol@x'), asked(''), asked(''))
    assert.deepEqual(changesOf(steps).added, ['question?(carol@x)', 'question?'])
  })

  it('clears a question that is passed on to a user who is asked already', () => {
    const before = [flagWith(1, question, { requestee: bob }), flagWith(2, question)]
    const steps = plan(before, { id: 2, status: '?', requestee: 'bob@x' })
    assert.deepEqual(changesOf(steps), { removed: ['question?'], added: [], cc: [] })
  })

  it('leaves other requests as they were asked', () => {
    const before = [flagWith(1, review, { requestee: bob })]
    const again = { name: 'review', status: '?', requestee: 'bob@x', new: true }
    assert.deepEqual(changesOf(plan(before, again)).added, ['review?(bob@x)'])
  })
})
