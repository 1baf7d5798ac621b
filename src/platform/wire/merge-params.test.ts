import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { ApiError } from '../errors.ts'
import { mergeParams } from './merge-params.ts'

const refused = (fault: unknown) => fault instanceof ApiError && fault.code === 53

describe('the parameters of a call', () => {
  it('come from the query string', () => assert.deepEqual({ ...mergeParams({ a: '1' }, undefined) }, { a: '1' }))

  it('come from the query string and the body, and the query string takes precedence', () => {
    assert.deepEqual({ ...mergeParams({ a: 'query' }, { a: 'body', b: 'body' }) }, { a: 'query', b: 'body' })
  })

  it('keep names of letters, digits, _ . and -, and drop others', () => {
    const input = mergeParams({}, { 'a.b-c_1': 1, 'a b': 1, 'a;b': 1, 'a[0]': 1, '': 1, "a'": 1, é: 1 })
    assert.deepEqual(Object.keys(input), ['a.b-c_1'])
  })

  it('have no prototype, whatever they are called', () => {
    const input = mergeParams({}, JSON.parse('{"__proto__":{"polluted":1},"constructor":2}'))
    assert.equal(input.polluted, undefined)
    assert.equal(Object.getPrototypeOf(input), null)
    assert.equal(input.toString, undefined)
  })

  const bad: [title: string, value: unknown][] = [
    ['a NUL', 'a\0b'],
    ['half a surrogate pair', '\ud800'],
    ['the other half', 'x\udc00'],
    ['a NUL in a list', ['fine', '\0']],
    ['half a surrogate pair in an object', { add: ['\ud83d'] }],
    ['a NUL in a nested name', { 'a\0': 1 }],
  ]
  for (const [title, value] of bad)
    it(`may not contain ${title}`, () => assert.throws(() => mergeParams({}, { name: value }), refused))

  it('may contain every other character', () => {
    const text = '\u0001\u2028\u202e\ufeff😀\u{10ffff}é\r\n'
    assert.equal(mergeParams({}, { text }).text, text)
  })
})
