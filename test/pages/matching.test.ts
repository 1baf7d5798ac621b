import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { bestFirst, matching } from '../../web/parts/matching.ts'

const names = (values: readonly string[], text: string) => matching(values, text, (value) => [value])

describe('what matches a typed text', () => {
  it('is exact first, then begins with it, then contains it, each in the order of the list', () => {
    const priorities = ['Highest', 'High', 'Normal', 'Low', 'Lowest', 'Very high']
    assert.deepEqual(names(priorities, 'high'), ['High', 'Highest', 'Very high'])
    assert.deepEqual(names(priorities, ' LOW '), ['Low', 'Lowest'])
    assert.deepEqual(names(priorities, 'hi'), ['Highest', 'High', 'Very high'])
    assert.deepEqual(names(priorities, ''), priorities)
    assert.deepEqual(names(priorities, 'x'), [])
  })

  it('is found by other names too, after those that match alike by their own', () => {
    const people = [
      { name: 'Zoe Ann', login: 'bob' },
      { name: 'Bob', login: 'ann' },
      { name: 'Ann', login: 'cid' },
      { name: 'Annabel', login: 'dan' },
    ]
    const found = matching(people, 'ann', ({ name, login }) => [name, login])
    assert.deepEqual(
      found.map(({ name }) => name),
      ['Ann', 'Bob', 'Annabel', 'Zoe Ann'],
    )
  })

  it('keeps what a server found in its own way, at the end', () => {
    assert.deepEqual(
      bestFirst(['b*d', 'bad', 'b'], 'b', (value) => [value]),
      ['b', 'b*d', 'bad'],
    )
    assert.deepEqual(
      bestFirst(['bed', 'bad'], 'b*d', (value) => [value]),
      ['bed', 'bad'],
    )
  })

  it('has an exact match first, whatever the list is', () => {
    const word = fc.string({ minLength: 1, maxLength: 4, unit: fc.constantFrom('a', 'B', ' ', 'i', 'İ', 'ß') })
    fc.assert(
      fc.property(fc.array(word), word, (list, text) => {
        if (text.trim() === '') return
        const [first] = names([...list, text], text)
        assert.equal(first?.trim().toLowerCase(), text.trim().toLowerCase())
      }),
    )
  })
})
