import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { naturalKey } from './natural-key.ts'

const sorted = (names: string[]) => names.toSorted((a, b) => (naturalKey(a) < naturalKey(b) ? -1 : 1))

describe('the natural order of versions', () => {
  it('compares numbers as numbers', () => {
    assert.deepEqual(sorted(['1.10', '1.9', '1.100', '1.1']), ['1.1', '1.9', '1.10', '1.100'])
  })

  it('puts a version before those that start with it', () => {
    assert.deepEqual(sorted(['2.0.1', '2.0', '2.0a', '2']), ['2', '2.0', '2.0.1', '2.0a'])
  })

  it('puts numbers before words and ignores letter case', () => {
    assert.deepEqual(sorted(['unspecified', 'Trunk', '10', '9', 'alpha 2', 'Alpha 10']), [
      '9',
      '10',
      'alpha 2',
      'Alpha 10',
      'Trunk',
      'unspecified',
    ])
  })

  it('compares numbers that are too large for an integer', () => {
    const long = '9'.repeat(40)
    assert.deepEqual(sorted([`1${'0'.repeat(40)}`, long, '7']), ['7', long, `1${'0'.repeat(40)}`])
  })

  it('ignores leading zeros', () => {
    assert.equal(naturalKey('1.09'), naturalKey('1.9'))
    assert.deepEqual(sorted(['0010', '2', '000']), ['000', '2', '0010'])
  })
})
