import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { secondsToWait } from './retry-after.ts'

const NOW = Date.parse('2026-11-15T10:00:00Z')

describe('secondsToWait', () => {
  for (const [header, seconds] of [
    ['120', 120],
    [' 7 ', 7],
    ['Sun, 15 Nov 2026 10:02:00 GMT', 120],
    ['86401', 86_400],
    ['9'.repeat(400), 86_400],
    ['Fri, 31 Dec 9999 23:59:59 GMT', 86_400],
    ['0', undefined],
    ['Sun, 15 Nov 2026 09:00:00 GMT', undefined],
    ['Sun, 99 Nov 2026 10:02:00 GMT', undefined],
    ['-5', undefined],
    ['1.5', undefined],
    ['1e9', undefined],
    ['soon', undefined],
    ['2027', 2027],
    ['2027-01-01', undefined],
    ['', undefined],
    [undefined, undefined],
  ] as const)
    it(`reads ${header?.slice(0, 40)} as ${seconds}`, () => {
      for (const status of [429, 503]) assert.equal(secondsToWait(status, header, NOW), seconds)
    })

  it('ignores the header unless the status is 429 or 503', () => {
    for (const status of [200, 204, 301, 404, 500, 502]) assert.equal(secondsToWait(status, '120', NOW), undefined)
  })
})
