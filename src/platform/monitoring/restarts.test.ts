import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Restarts } from './restarts.ts'

describe('the pause before a restart', () => {
  it('grows while it fails at once, and is short again after a long run', () => {
    const restarts = new Restarts(500, 30_000)
    const pauses = [10, 10, 10, 10, 10, 10, 10, 10, 100_000, 10].map((lived) => restarts.pauseAfter(lived))
    assert.deepEqual(pauses, [500, 1000, 2000, 4000, 8000, 16_000, 30_000, 30_000, 500, 1000])
  })
})
