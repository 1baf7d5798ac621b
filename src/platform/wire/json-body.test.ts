import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { ApiError } from '../errors.ts'
import { readJsonBody } from './json-body.ts'

const read = (text: string) => readJsonBody(Buffer.from(text))
const refusedBecause = (why: RegExp) => (fault: unknown) =>
  fault instanceof ApiError && fault.code === 32000 && fault.status === 400 && why.test(fault.message)

describe('a JSON body', () => {
  for (const empty of ['', ' \n\t', '{}', 'null', ' null '])
    it(`of ${JSON.stringify(empty)} has no parameters`, () => assert.deepEqual(read(empty), {}))

  it('is an object', () => assert.deepEqual(read('{"a": [1, {"b": null}]}'), { a: [1, { b: null }] }))

  for (const other of ['[]', '[{"a":1}]', '"text"', '1', 'true'])
    it(`that is ${other} is refused`, () => assert.throws(() => read(other), refusedBecause(/object/)))

  for (const broken of ['{', '{"a":}', "{'a':1}", '{"a":1}}', 'a=1', '{"a":1,}', '<a/>', '\u0000', '{"a":NaN}'])
    it(`that is ${JSON.stringify(broken)} is refused`, () =>
      assert.throws(() => read(broken), refusedBecause(/not JSON/)))

  it('that is not UTF-8 is refused, not mended', () => {
    const bytes = Buffer.concat([Buffer.from('{"a":"'), Buffer.from([0xe9]), Buffer.from('"}')])
    assert.throws(() => readJsonBody(bytes), refusedBecause(/UTF-8/))
  })

  it('takes the last of two equal names, and only that', () => {
    assert.deepEqual(read('{"a":"first","a":"second"}'), { a: 'second' })
  })

  it('has no prototype to set', () => {
    const body = read('{"__proto__":{"isAdmin":true}}')
    assert.equal((body as { isAdmin?: boolean }).isAdmin, undefined)
    assert.deepEqual(Object.keys(body), ['__proto__'])
    assert.equal(({} as { isAdmin?: boolean }).isAdmin, undefined)
  })

  it('may have a thousand parameters, and not more', () => {
    const names = (count: number) =>
      JSON.stringify(Object.fromEntries(Array.from({ length: count }, (_, at) => [`n${at}`, 1])))
    assert.equal(Object.keys(read(names(1000))).length, 1000)
    assert.throws(() => read(names(1001)), refusedBecause(/1000 parameters/))
  })

  const nested = (levels: number) => `{"a":${'['.repeat(levels - 1)}${']'.repeat(levels - 1)}}`

  it('may be nested 32 levels deep', () => assert.ok(read(nested(32)).a))
  it('may not be nested 33 levels deep', () => assert.throws(() => read(nested(33)), refusedBecause(/32 levels/)))
  it('may not be nested a million levels deep', () => {
    assert.throws(() => read(nested(1_000_000)), refusedBecause(/32 levels/))
    assert.throws(() => read('{"a":'.repeat(1_000_000)), refusedBecause(/32 levels/))
  })
  it('counts no brackets inside of text', () => {
    const text = `${'['.repeat(100)}"\\"${'{'.repeat(100)}`
    assert.deepEqual(read(JSON.stringify({ text })), { text })
  })
})
