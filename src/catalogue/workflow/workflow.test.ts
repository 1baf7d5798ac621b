import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { FieldValue } from '../fields/field.ts'
import { missingStepsInto, type Transition, workflowOf } from './workflow.ts'

const status = (id: number, name: string, is_open: 0 | 1, is_active: 0 | 1 = 1): FieldValue => ({
  id,
  name,
  is_open,
  is_active,
  field_id: 9,
  sort_key: id * 100,
  visibility_value_id: null,
})
const step = (from: number | null, to: number, comment_required: 0 | 1 = 0): Transition => ({
  from_status_id: from,
  to_status_id: to,
  comment_required,
})

const statuses = [status(3, 'NEW', 1), status(1, 'DONE', 0), status(2, 'OLD', 0, 0)]

describe('a workflow', () => {
  const workflow = workflowOf(statuses, [step(1, 3, 1), step(3, 2), step(3, 1), step(null, 3)])

  it('sorts its transitions by the order of the statuses, those of new bugs first', () => {
    assert.deepEqual(
      workflow.transitions.map((it) => [it.from_status_id, it.to_status_id]),
      [
        [null, 3],
        [3, 1],
        [3, 2],
        [1, 3],
      ],
    )
  })

  it('finds a status by name in any letter case, and knows whether it is open', () => {
    assert.equal(workflow.statusNamed(' done ')?.id, 1)
    assert.equal(workflow.statusNamed('gone'), undefined)
    assert.deepEqual([3, 1, 99].map(workflow.isOpen), [true, false, false])
  })

  it('offers only active statuses as the next ones, but has transitions to inactive ones', () => {
    assert.deepEqual(
      workflow.stepsFrom(3).map((it) => it.status.name),
      ['DONE'],
    )
    assert.deepEqual(workflow.stepsFrom(1), [{ status: statuses[0], comment_required: true }])
    assert.deepEqual(workflow.stepsFrom(2), [])
    assert.equal(workflow.transition(3, 2)?.comment_required, 0)
    assert.equal(workflow.transition(2, 3), undefined)
  })
})

describe('the missing transitions to the status of duplicates', () => {
  it('start at every other status without one, active or not', () => {
    assert.deepEqual(missingStepsInto(1, workflowOf(statuses, [step(3, 1, 1)])), [step(2, 1)])
  })

  it('are empty if none is missing', () => {
    assert.deepEqual(missingStepsInto(1, workflowOf(statuses, [step(3, 1), step(2, 1)])), [])
  })
})
