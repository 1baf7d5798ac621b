import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { isApiError } from '../../../platform/wire/http/answer.ts'
import type { Batch } from './batch.ts'
import { MOST_CHARACTERS_WRITTEN, requireBatchWithinLimit } from './batch-size.ts'

describe('the text of a change', () => {
  const reasonFor = (bugs: number, rawParams: Record<string, unknown>) => {
    try {
      requireBatchWithinLimit(bugs, { params: {} as Batch['params'], rawParams })
    } catch (fault) {
      return isApiError(fault) ? fault.reason : String(fault)
    }
  }

  it('is limited for all bugs together, and not for one', () => {
    const half = 'x'.repeat(MOST_CHARACTERS_WRITTEN / 2)
    assert.equal(reasonFor(2, { comment: { body: half } }), undefined)
    assert.equal(reasonFor(2, { comment: { body: `${half}x` } }), 'batch_text_too_large')
    assert.equal(reasonFor(3, { whiteboard: half }), 'batch_text_too_large')
    assert.equal(reasonFor(1, { whiteboard: half.repeat(3) }), undefined)
  })

  it('does not contain the numbers of the bugs', () => {
    assert.equal(reasonFor(2, { ids: ['x'.repeat(MOST_CHARACTERS_WRITTEN)] }), undefined)
  })
})
