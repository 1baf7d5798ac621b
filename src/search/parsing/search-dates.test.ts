import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { ApiError } from '../../platform/errors.ts'
import { dateIn, endOf, timeIn } from './search-dates.ts'

/** A Sunday is three days before. */
const NOW = Date.parse('2026-03-31T14:25:36.789Z')

describe('a time in a search', () => {
  const cases: [input: string, time: string][] = [
    ['2026-01-31', '2026-01-31T00:00:00Z'],
    ['2026-01-31 12:30', '2026-01-31T12:30:00Z'],
    ['2026-01-31T12:30:15+02:00', '2026-01-31T10:30:15Z'],
    ['now', '2026-03-31T14:25:36Z'],
    [' Now ', '2026-03-31T14:25:36Z'],
    ['2h', '2026-03-31T12:25:36Z'],
    ['-2h', '2026-03-31T12:25:36Z'],
    ['+2h', '2026-03-31T16:25:36Z'],
    ['1hs', '2026-03-31T13:00:00Z'],
    ['0h', '2026-03-31T14:00:00Z'],
    ['1d', '2026-03-30T14:25:36Z'],
    ['1ds', '2026-03-30T00:00:00Z'],
    ['0d', '2026-03-31T00:00:00Z'],
    ['-2W', '2026-03-17T14:25:36Z'],
    ['0w', '2026-03-29T00:00:00Z'],
    ['1ws', '2026-03-22T00:00:00Z'],
    ['1m', '2026-02-28T14:25:36Z'],
    ['+1m', '2026-04-30T14:25:36Z'],
    ['13m', '2025-02-28T14:25:36Z'],
    ['0m', '2026-03-01T00:00:00Z'],
    ['1ms', '2026-02-01T00:00:00Z'],
    ['1y', '2025-03-31T14:25:36Z'],
    ['0y', '2026-01-01T00:00:00Z'],
    ['+1ys', '2027-01-01T00:00:00Z'],
  ]
  for (const [input, time] of cases) it(`${input} is ${time}`, () => assert.equal(timeIn('f', input, NOW), time))

  for (const input of ['', 'yesterday', '1', 'd', '1dd', '--1d', '2026-02-30', '9999y', '+999999999d', '1.5d', '0x1d'])
    it(`cannot be “${input}”`, () =>
      assert.throws(
        () => timeIn('f', input, NOW),
        (fault) => fault instanceof ApiError && fault.code === 56,
      ))

  it('is only a day where there are no hours', () => assert.equal(dateIn('deadline', '1m', NOW), '2026-02-28'))
  it('ends with the day when it has no time of day', () => {
    for (const day of [' 2026-1-31 ', '20260131', '31 Jan 2026']) assert.equal(endOf(day), '2026-01-31 23:59:59')
    for (const other of ['2026-01-31 00:00', '0d', 'soon', '']) assert.equal(endOf(other), other)
  })
})
