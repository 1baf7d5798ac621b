import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { ApiError } from '../errors.ts'
import {
  flag,
  integer,
  integers,
  listChange,
  naturals,
  type Param,
  required,
  skippingBlanks,
  text,
  texts,
  time,
} from './params.ts'
import { readParams } from './read-params.ts'

const read = (param: Param<unknown>, input: unknown) => readParams({ colour: param }, { colour: input }).colour
const refusedWith = (code: number) => (fault: unknown) =>
  fault instanceof ApiError && fault.code === code && fault.message.includes('colour')

/** Everything that JSON and query strings can contain, except what a case lists itself. */
const EVERYTHING: unknown[] = ['', 'word', '12', '-3', ' 7 ', 0, 1, 12, -3, 1.5, 2 ** 53, 1e300, true, false]
const NESTED: unknown[] = [{}, { add: [] }, [[1]], [{}], [null]]

function takes(param: () => Param<unknown>, accepted: [input: unknown, value: unknown][], code: number) {
  for (const [input, value] of accepted)
    it(`reads ${JSON.stringify(input)} as ${JSON.stringify(value)}`, () =>
      assert.deepEqual(read(param(), input), value))
  const others = [...EVERYTHING, ['a', 'b'], []].filter((it) => !accepted.some(([input]) => isSame(input, it)))
  for (const input of others)
    it(`refuses ${JSON.stringify(input)}`, () => assert.throws(() => read(param(), input), refusedWith(code)))
}
const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other)

describe('what was not sent', () => {
  for (const [kind, param] of Object.entries({ text, integer, time, texts, integers, listChange }))
    it(`is undefined for ${kind}, and so is null`, () => {
      assert.equal(read(param('about'), undefined), undefined)
      assert.equal(read(param('about'), null), undefined)
    })
  it('is undefined for a flag, and null is false', () => {
    assert.equal(read(flag('about'), undefined), undefined)
    assert.equal(read(flag('about'), null), false)
  })
})

describe('a text', () => {
  const accepted = EVERYTHING.map((it): [unknown, unknown] => [it, String(it)])
  takes(() => text('about'), accepted, 53)
  for (const input of NESTED)
    it(`refuses ${JSON.stringify(input)}`, () => assert.throws(() => read(text('about'), input), refusedWith(53)))
})

describe('a whole number', () => {
  takes(
    () => integer('about'),
    [
      ['12', 12],
      ['-3', -3],
      [' 7 ', 7],
      [0, 0],
      [1, 1],
      [12, 12],
      [-3, -3],
    ],
    52,
  )
  for (const input of ['1e3', '0x10', '1.0', '١', '9007199254740993', '99999999999999999999', ...NESTED])
    it(`refuses ${JSON.stringify(input)}`, () => assert.throws(() => read(integer('about'), input), refusedWith(52)))
})

describe('a flag', () => {
  takes(
    () => flag('about'),
    [
      ['', false],
      [0, false],
      [1, true],
      [true, true],
      [false, false],
    ],
    53,
  )
  for (const input of ['1', 'true', 'True'])
    it(`reads ${JSON.stringify(input)} as true`, () => assert.equal(read(flag('about'), input), true))
  for (const input of ['0', 'false', 'False'])
    it(`reads ${JSON.stringify(input)} as false`, () => assert.equal(read(flag('about'), input), false))
  for (const input of ['yes', 'TRUE', 'on', '2', ...NESTED])
    it(`refuses ${JSON.stringify(input)}`, () => assert.throws(() => read(flag('about'), input), refusedWith(53)))
})

describe('a time', () => {
  takes(() => time('about'), [], 56)
  const accepted: [input: string, value: string][] = [
    ['2026-01-31', '2026-01-31T00:00:00Z'],
    ['2026-1-3', '2026-01-03T00:00:00Z'],
    ['2026-01-31T12:30:15Z', '2026-01-31T12:30:15Z'],
    ['2026-01-31 12:30', '2026-01-31T12:30:00Z'],
    ['2026-01-31T12:30:15.999+02:00', '2026-01-31T10:30:15Z'],
    ['2026-01-01T00:30:00+0100', '2025-12-31T23:30:00Z'],
    ['2024-02-29', '2024-02-29T00:00:00Z'],
    ['0050-01-01', '0050-01-01T00:00:00Z'],
    ['9999-12-31T23:59:59Z', '9999-12-31T23:59:59Z'],
  ]
  for (const [input, value] of accepted)
    it(`reads ${input} as ${value}`, () => assert.equal(read(time('about'), input), value))
  const wrong = ['2026-02-29', '2026-13-01', '2026-01-31T25:00', 'tomorrow', '0000-01-01', '9999-12-31T23:59:59-01:00']
  for (const input of [...wrong, ...NESTED])
    it(`refuses ${JSON.stringify(input)}`, () => assert.throws(() => read(time('about'), input), refusedWith(56)))
})

describe('a list', () => {
  it('may be repeated', () => assert.deepEqual(read(texts('about'), ['a', 'b']), ['a', 'b']))
  it('may be one plain value', () => assert.deepEqual(read(texts('about'), 'a'), ['a']))
  it('may be empty', () => assert.deepEqual(read(texts('about'), []), []))
  it('is not split at commas', () => assert.deepEqual(read(texts('about'), 'a,b'), ['a,b']))
  it('of ids turns ids that no row could have into 0', () => {
    assert.deepEqual(
      read(integers('about'), [2147483647, 2147483648, '9007199254740991', -2147483649]),
      [2147483647, 0, 0, 0],
    )
  })
  it('of numbers accepts digits', () => assert.deepEqual(read(integers('about'), ['1', 2]), [1, 2]))
  it('of numbers refuses words', () => assert.throws(() => read(integers('about'), ['1', 'x']), refusedWith(52)))
  it('of natural numbers refuses negative numbers', () => {
    assert.deepEqual(read(naturals('about'), ['1', 0]), [1, 0])
    for (const input of [-1, ['1', '-7']]) assert.throws(() => read(naturals('about'), input), refusedWith(52))
  })
  it('of numbers is not split at commas', () => assert.throws(() => read(integers('about'), '3,11'), refusedWith(52)))
  for (const input of NESTED)
    it(`refuses ${JSON.stringify(input)}`, () => {
      assert.throws(() => read(texts('about'), input), refusedWith(58))
      assert.throws(() => read(integers('about'), input), refusedWith(58))
    })
})

describe('a list that skips empty items', () => {
  it('has only the other items', () => {
    assert.deepEqual(read(skippingBlanks(texts('about')), ['a', '', null, ' ', 'b', 0]), ['a', 'b', '0'])
    assert.deepEqual(read(skippingBlanks(texts('about')), [null]), [])
    const change = { add: ['a', null], remove: [''], set: ['\n', 'b'] }
    assert.deepEqual(read(skippingBlanks(listChange('about')), change), { add: ['a'], remove: [], set: ['b'] })
  })
  it('refuses what others refuse', () => {
    assert.throws(() => read(skippingBlanks(texts('about')), [{}]), refusedWith(58))
    assert.throws(() => read(skippingBlanks(listChange('about')), { add: 'x' }), refusedWith(53))
    assert.throws(() => read(skippingBlanks(listChange('about')), [null]), refusedWith(53))
    assert.throws(() => read(skippingBlanks(listChange('about')), { odd: [null] }), refusedWith(53))
  })
})

describe('a change of a list', () => {
  it('has parts to add, to remove and to set', () => {
    assert.deepEqual(read(listChange('about'), { add: ['a', 1], remove: [] }), {
      add: ['a', '1'],
      remove: [],
      set: undefined,
    })
    assert.deepEqual(read(listChange('about'), { set: [] }), { add: [], remove: [], set: [] })
    assert.deepEqual(read(listChange('about'), {}), { add: [], remove: [], set: undefined })
    assert.deepEqual(read(listChange('about'), { add: null }), { add: [], remove: [], set: undefined })
  })
  for (const input of [...EVERYTHING, [], ['a'], { add: 'a' }, { add: {} }, { delete: ['a'] }, { add: ['a'], '': [] }])
    it(`refuses ${JSON.stringify(input)}`, () => assert.throws(() => read(listChange('about'), input), refusedWith(53)))
  for (const input of [{ add: [['a']] }, { set: [{}] }, { remove: [null] }])
    it(`refuses ${JSON.stringify(input)}`, () => assert.throws(() => read(listChange('about'), input), refusedWith(58)))
})

describe('a required parameter', () => {
  for (const input of [undefined, null, ''])
    it(`is refused when it is ${JSON.stringify(input)}`, () =>
      assert.throws(() => read(required(text('about')), input), refusedWith(50)))
  it('is read like any other when it is there', () => assert.equal(read(required(text('about')), 'a'), 'a'))
})
