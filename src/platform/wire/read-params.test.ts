import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { ApiError } from '../errors.ts'
import { dictionary } from '../text/dictionary.ts'
import { flag, integer, required, text, texts } from './params.ts'
import { readParams } from './read-params.ts'

describe('the parameters of a call', () => {
  const shape = {
    name: required(text('')),
    size: integer(''),
    colours: texts(''),
    isLarge: flag(''),
    toString: text(''),
  }

  it('are all there, in the order of the shape, and undefined if they were not sent', () => {
    const values = readParams(shape, { colours: 'red', name: 'lamp', unknown: 'x' })
    const expected = { name: 'lamp', size: undefined, colours: ['red'], isLarge: undefined, toString: undefined }
    assert.deepEqual(Object.entries(values), Object.entries(expected))
  })

  it('are refused by the first of the shape that is wrong, wherever it was sent, or missing', () => {
    const refusedOf = (sent: Record<string, unknown>) => {
      try {
        return readParams(shape, dictionary(sent))
      } catch (fault) {
        return fault instanceof ApiError ? fault.parameter : fault
      }
    }
    assert.equal(refusedOf({ isLarge: 'perhaps', size: 'big' }), 'name')
    assert.equal(refusedOf({ isLarge: 'perhaps', size: 'big', name: 'lamp' }), 'size')
    assert.equal(refusedOf({ isLarge: 'perhaps', name: 'lamp' }), 'isLarge')
    assert.equal(refusedOf({ name: '', size: 'big' }), 'name')
  })

  it('share no value with those of another request', () => {
    const [one, other] = [readParams(shape, { name: 'lamp' }), readParams(shape, { name: 'bulb' })]
    one.size = 7
    assert.deepEqual([one.name, other.name, other.size], ['lamp', 'bulb', undefined])
    assert.equal(readParams(shape, { name: 'lamp' }).size, undefined)
  })

  it('are not inherited by what was sent', () => {
    const sent = Object.create({ size: 7 }, { name: { value: 'lamp', enumerable: true } })
    assert.equal(readParams({ name: text(''), constructor: text('') }, { name: 'lamp' }).constructor, undefined)
    assert.equal(readParams({ name: text('') }, sent).name, 'lamp')
  })
})
