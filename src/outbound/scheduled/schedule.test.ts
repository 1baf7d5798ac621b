import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { isDay, isTime, nextTime } from './schedule.ts'

describe('nextTime', () => {
  for (const [day, time, after, next] of [
    ['All', '8', '2026-11-15T07:59:59Z', '2026-11-15T08:00:00Z'],
    ['All', '8', '2026-11-15T08:00:00Z', '2026-11-16T08:00:00Z'],
    ['All', '0', '2026-12-31T23:59:59Z', '2027-01-01T00:00:00Z'],
    ['All', '15min', '2026-11-15T07:59:59Z', '2026-11-15T08:00:00Z'],
    ['All', '15min', '2026-11-15T08:00:00Z', '2026-11-15T08:15:00Z'],
    ['All', '60min', '2026-11-15T23:30:00Z', '2026-11-16T00:00:00Z'],
    ['MF', '9', '2026-11-13T10:00:00Z', '2026-11-16T09:00:00Z'],
    ['Sun', '9', '2026-11-15T09:00:00Z', '2026-11-22T09:00:00Z'],
    ['Wed', '30min', '2026-11-18T23:45:00Z', '2026-11-25T00:00:00Z'],
    ['31', '9', '2026-02-01T00:00:00Z', '2026-03-31T09:00:00Z'],
    ['30', '9', '2027-01-30T09:00:00Z', '2027-03-30T09:00:00Z'],
    ['last', '9', '2028-02-01T00:00:00Z', '2028-02-29T09:00:00Z'],
    ['last', '9', '2026-04-30T09:00:00Z', '2026-05-31T09:00:00Z'],
  ] as const)
    it(`finds ${day} at ${time} after ${after}`, () => assert.equal(nextTime({ day, time }, Date.parse(after)), next))
})

describe('isDay and isTime', () => {
  it('accept exactly the values that a schedule can have', () => {
    assert.ok(['All', 'MF', 'Sun', 'Sat', '1', '31', 'last'].every(isDay))
    assert.ok(!['', 'all', 'Monday', '0', '32', '1.5', '-1', ' 1'].some(isDay))
    assert.ok(['0', '23', '15min', '30min', '60min'].every(isTime))
    assert.ok(!['', '24', '5min', '8:00', '-1'].some(isTime))
  })
})
