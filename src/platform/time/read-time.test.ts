import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { toTime } from './clock.ts'
import { readDate, readTime } from './read-time.ts'

const NOON = '2026-01-31T12:00:00Z'
const MIDNIGHT = '2026-01-31T00:00:00Z'

const CASES: [input: string, time: string][] = [
  ['19700101', '1970-01-01T00:00:00Z'],
  ['19700101T00:00:00', '1970-01-01T00:00:00Z'],
  ['19700101T000000Z', '1970-01-01T00:00:00Z'],
  ['20260131T120000', NOON],
  ['20260131T1200', NOON],
  ['20260131T12Z', NOON],
  ['20260131 12:00', NOON],
  ['20260131T130000+0100', NOON],
  ['2026-01-31', MIDNIGHT],
  ['2026-1-31', MIDNIGHT],
  ['2026/01/31', MIDNIGHT],
  ['2026.01.31', MIDNIGHT],
  ['2026-01-31 12:00', NOON],
  ['2026-01-31  12:00:00', NOON],
  ['2026-01-31T12:00:00.123456Z', NOON],
  ['2026-01-31T12:00:00,5Z', NOON],
  ['2026-01-31t12:00:00z', NOON],
  ['2026-01-31T12', NOON],
  ['2026-01-31T1200Z', NOON],
  ['2026-01-31T07:00:00-05:00', NOON],
  ['2026-01-31 13:00 +0100', NOON],
  ['2026-01-31 13:00+01', NOON],
  ['2026-01-31 07:00 EST', NOON],
  ['2026-01-31 04:00 PST', NOON],
  ['2026-01-31 13:00 CET', NOON],
  ['2026-01-31 14:00 CEST', NOON],
  ['2026-01-31 21:30 ACST', NOON],
  ['2026-01-31 12:00 GMT', NOON],
  ['2026-01-31 12:00 utc', NOON],
  ['2026-01-31 12:00 PM', NOON],
  ['2026-01-31 12:00am', MIDNIGHT],
  ['2026-01-31 1:00 pm CET', NOON],
  ['Sat, 31 Jan 2026 12:00:00 +0000', NOON],
  ['Sat, 31 Jan 2026 12:00:00 GMT', NOON],
  ['31 Jan 2026 13:00 +0100 (CET)', NOON],
  ['31 January 2026', MIDNIGHT],
  ['31-Jan-2026', MIDNIGHT],
  ['Jan 31, 2026', MIDNIGHT],
  ['January 31 2026 12:00', NOON],
  ['Sat Jan 31 12:00:00 2026', NOON],
  ['Sat Jan 31 13:00:00 CET 2026', NOON],
  ['Sat Jan 31 2026 13:00:00 GMT+0100 (Central European Standard Time)', NOON],
  ['Saturday, 31-Jan-26 12:00:00 GMT', NOON],
  ['Friday, 31-Jan-75 12:00:00 GMT', '1975-01-31T12:00:00Z'],
  ['1/31/2026', MIDNIGHT],
  ['01/31/2026 12:00', NOON],
  ['2026-01-31 13:00 GMT+1', NOON],
  ['2026-01-31 07:00 UTC-5', NOON],
  ['Sept. 1, 2026', '2026-09-01T00:00:00Z'],
  ['0001-01-01', '0001-01-01T00:00:00Z'],
  ['2016-12-31T23:59:60Z', '2017-01-01T00:00:00Z'],
]

const NO_DATES = [
  '',
  '1',
  '2026',
  '202601',
  '2026-01',
  '202601311',
  '20260230',
  '20261301',
  '2026-02-29',
  '2026-13-01',
  '2026-00-10',
  '2026-01-00',
  '2026-01/31',
  '0000-01-01',
  '12345-01-01',
  '31.1.2026',
  '31/1/2026',
  '1/2/2026',
  '1/32/2026',
  '31-Jan-26',
  '2026-01-31T24:00',
  '2026-01-31T12:60',
  '2026-01-31T12:00:61',
  '20260131T2400',
  '2026-01-31 13:00 pm',
  '2026-01-31 0:00 am',
  '2026-01-31T12:00+16:00',
  '2026-01-31T12:00+01:60',
  '2026-01-31 12:00 XYZ',
  '2026-01-31 12:00 EST5EDT',
  '2026-01-31 12:00 IST',
  '31 Jam 2026',
  '31 Janu 26',
  'Foo, 31 Jan 2026',
  '30 Feb 2026',
  'yesterday',
  '9999-12-31T23:59:59-01:00',
  `2026-01-31${' '.repeat(200)}`,
  '٢٠٢٦-٠١-٣١',
]

describe('a date', () => {
  for (const [input, time] of CASES) it(`can be “${input}”`, () => assert.equal(readTime(input), time))
  for (const input of NO_DATES) it(`cannot be “${input.slice(0, 40)}”`, () => assert.equal(readTime(input), undefined))

  it('is a whole day if it has no time of day', () => {
    for (const day of ['2026-01-31', ' 20260131 ', '31 Jan 2026', 'Sat Jan 31 2026'])
      assert.equal(readDate(day)?.isWholeDay, true, day)
    for (const [input] of CASES.filter(([input]) => /T|:/.test(input)))
      assert.equal(readDate(input)?.isWholeDay, false, input)
  })
})

/** Whole seconds from the year 1 to the year 9999, a day from either end. */
const seconds = fc.integer({ min: Date.parse('0001-01-02') / 1000, max: Date.parse('9999-12-30') / 1000 })
const offset = fc.integer({ min: -15 * 60 - 59, max: 15 * 60 + 59 })
const two = (number: number) => String(number).padStart(2, '0')
const zoneOf = (minutes: number, mark: string) =>
  `${minutes < 0 ? '-' : '+'}${two(Math.trunc(Math.abs(minutes) / 60))}${mark}${two(Math.abs(minutes) % 60)}`

const WEEKDAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat']
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

/** A time as clients in some zone write it. */
const WRITTEN: Record<string, (local: Date, minutes: number) => string> = {
  'ISO 8601': (local, minutes) => `${local.toISOString().slice(0, 19)}${zoneOf(minutes, ':')}`,
  'ISO 8601 with a space': (local, minutes) =>
    `${local.toISOString().slice(0, 19).replace('T', ' ')} ${zoneOf(minutes, '')}`,
  'ISO 8601, short': (local, minutes) =>
    `${local.toISOString().slice(0, 19).replace(/[-:]/g, '')}${zoneOf(minutes, '')}`,
  'ISO 8601, half short': (local, minutes) =>
    `${local.toISOString().slice(0, 10).replaceAll('-', '')}${local.toISOString().slice(10, 19)}${zoneOf(minutes, ':')}`,
  'RFC 2822': (local, minutes) =>
    `${WEEKDAYS[local.getUTCDay()]}, ${local.getUTCDate()} ${monthAndYear(local)} ${clock(local)} ${zoneOf(minutes, '')}`,
  JavaScript: (local, minutes) =>
    `${WEEKDAYS[local.getUTCDay()]} ${MONTHS[local.getUTCMonth()]} ${two(local.getUTCDate())} ${yearOf(local)} ${clock(local)} GMT${zoneOf(minutes, '')} (Somewhere)`,
}

const yearOf = (date: Date) => date.toISOString().slice(0, 4)
const monthAndYear = (date: Date) => `${MONTHS[date.getUTCMonth()]} ${yearOf(date)}`
const clock = (date: Date) => date.toISOString().slice(11, 19)

describe('reading a date', () => {
  for (const [form, written] of Object.entries(WRITTEN))
    it(`reads ${form}`, () => {
      fc.assert(
        fc.property(seconds, offset, (moment, minutes) => {
          const text = written(new Date((moment + minutes * 60) * 1000), minutes)
          assert.equal(readTime(text), toTime(moment * 1000), text)
        }),
      )
    })

  it('refuses days that the month does not have, in any form', () => {
    const impossible = fc
      .record({ year: fc.integer({ min: 1, max: 9999 }), month: fc.integer({ min: 0, max: 20 }), day: fc.nat(40) })
      .filter(({ year, month, day }) => {
        const date = new Date(0)
        date.setUTCFullYear(year, month - 1, day)
        return date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day
      })
    fc.assert(
      fc.property(impossible, ({ year, month, day }) => {
        const [y, m, d] = [String(year).padStart(4, '0'), two(month), two(day)]
        const named =
          month >= 1 && month <= 12 ? [`${d} ${MONTHS[month - 1]} ${y}`, `${MONTHS[month - 1]} ${d}, ${y}`] : []
        for (const text of [`${y}-${m}-${d}`, `${y}${m}${d}`, `${y}-${m}-${d}T00:00:00Z`, ...named])
          assert.equal(readTime(text), undefined, text)
      }),
    )
  })

  it('returns a time that can be read back, or undefined, for any text', () => {
    const piece = fc.constantFrom(
      '2026',
      '01',
      '31',
      '-',
      ':',
      'T',
      ' ',
      'Z',
      '+',
      'Jan',
      'Sat',
      ',',
      '12',
      '00',
      'PM',
      'EST',
      '.',
    )
    const anything = fc.oneof(
      fc.string(),
      fc.array(piece, { maxLength: 14 }).map((parts) => parts.join('')),
    )
    fc.assert(
      fc.property(anything, (text) => {
        const time = readTime(text)
        if (time === undefined) return
        assert.match(time, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/)
        assert.equal(readTime(time), time)
      }),
      { numRuns: 1000 },
    )
  })
})
