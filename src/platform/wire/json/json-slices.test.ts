import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { anyText } from '../../../../test/support/any-text.ts'
import { randomCases } from '../../../../test/support/sample.ts'
import { isLongerThan, jsonSlices, textSlices } from './json-slices.ts'

const long = 'x'.repeat(30_000)
const strings = fc.oneof(anyText(), fc.constant(long))
const { tree } = fc.letrec((tie) => ({
  tree: fc.oneof(
    { maxDepth: 5 },
    strings,
    fc.integer(),
    fc.constantFrom(null, true, undefined, 1.5),
    fc.array(tie('tree'), { maxLength: 8 }),
    fc.dictionary(strings, tie('tree'), { maxKeys: 8 }),
  ),
}))

describe('JSON in slices', () => {
  it('is the same JSON for any value', () => {
    fc.assert(
      fc.property(tree, (value) => {
        assert.equal([...jsonSlices({ value })].join(''), JSON.stringify({ value }))
      }),
      { numRuns: randomCases(100) },
    )
  })

  it('has slices of about the same length, for lists, objects and long texts', () => {
    const item = { id: 1, text: 'some text', more: [1, 2, 3] }
    const list = Array.from({ length: 20_000 }, () => item)
    const object = Object.fromEntries(list.map((it, index) => [`name${index}`, it]))
    for (const value of [list, object, { bugs: { 1: { comments: list } } }, [[list]]]) {
      const slices = [...jsonSlices(value)]
      assert.equal(slices.join(''), JSON.stringify(value))
      assert.ok(slices.every((slice) => slice.length < 140_000))
    }
  })
})

describe('text in slices', () => {
  it('is the same text, and no character is split', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom('x', 'é', '😀', '€'), { minLength: 1, maxLength: 9 }), (characters) => {
        const text = characters.join('').repeat(40_000)
        const slices = [...textSlices(text)]
        assert.equal(slices.join(''), text)
        assert.ok(slices.every((slice) => slice.isWellFormed()))
      }),
      { numRuns: randomCases(15) },
    )
  })
})

describe('the length of JSON', () => {
  it('is estimated without writing it', () => {
    assert.ok(isLongerThan({ a: 'x'.repeat(2000) }, 1000))
    assert.ok(isLongerThan(Array(500).fill(0), 1000))
    assert.ok(!isLongerThan({ a: ['x'.repeat(500)], b: null }, 1000))
  })
})
