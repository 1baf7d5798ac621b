import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { hasReplayed, reasonAgainst } from './wal-position.ts'

describe('a standby', () => {
  const state = { is_standby: true, at: 5000, timeline: '00000002', is_receiving: true }
  const position = { at: 5000, timeline: '00000002' }

  it('shows a position when it has replayed the log up to it', () => {
    assert.equal(hasReplayed(state, position), true)
    assert.equal(hasReplayed({ ...state, at: 5001 }, position), true)
    assert.equal(hasReplayed({ ...state, at: 4999 }, position), false)
    assert.equal(hasReplayed({ ...state, at: null }, position), false)
  })

  it('shows no position of another timeline, however far it is', () => {
    assert.equal(hasReplayed({ ...state, at: 9000, timeline: '00000001' }, position), false)
  })

  it('is left out if it was promoted, follows no primary, or may not say which', () => {
    assert.equal(reasonAgainst(state), undefined)
    assert.equal(reasonAgainst({ ...state, is_standby: false }), 'it is not a standby')
    assert.equal(reasonAgainst({ ...state, is_receiving: false, timeline: null }), 'it follows no primary')
    assert.match(reasonAgainst({ ...state, timeline: null }) ?? '', /grant pg_read_all_stats/)
  })
})
