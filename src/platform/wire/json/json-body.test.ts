import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { randomCases } from '../../../../test/support/sample.ts'
import { ApiError } from '../../errors.ts'
import { readJsonBody } from './json-body.ts'

const read = async (text: string, fileIn?: string) => readJsonBody(Buffer.from(text), fileIn)
const refusedBecause = (why: RegExp) => (fault: unknown) =>
  fault instanceof ApiError && fault.code === 32000 && fault.status === 400 && why.test(fault.message)

describe('a JSON body', () => {
  for (const empty of ['', ' \n\t', '{}', 'null', ' null '])
    it(`of ${JSON.stringify(empty)} has no parameters`, async () => assert.deepEqual(await read(empty), {}))

  it('is an object', async () => assert.deepEqual(await read('{"a": [1, {"b": null}]}'), { a: [1, { b: null }] }))

  for (const other of ['[]', '[{"a":1}]', '"text"', '1', 'true'])
    it(`that is ${other} is refused`, () => assert.rejects(() => read(other), refusedBecause(/object/)))

  for (const broken of ['{', '{"a":}', "{'a':1}", '{"a":1}}', 'a=1', '{"a":1,}', '<a/>', '\u0000', '{"a":NaN}'])
    it(`that is ${JSON.stringify(broken)} is refused`, () =>
      assert.rejects(() => read(broken), refusedBecause(/not JSON/)))

  it('that is not UTF-8 is refused, not repaired', () => {
    const bytes = Buffer.concat([Buffer.from('{"a":"'), Buffer.from([0xe9]), Buffer.from('"}')])
    assert.throws(() => readJsonBody(bytes), refusedBecause(/UTF-8/))
  })

  it('uses only the last of two equal names', async () => {
    assert.deepEqual(await read('{"a":"first","a":"second"}'), { a: 'second' })
  })

  it('has no prototype to set', async () => {
    const body = await read('{"__proto__":{"isAdmin":true}}')
    assert.equal((body as { isAdmin?: boolean }).isAdmin, undefined)
    assert.deepEqual(Object.keys(body), ['__proto__'])
    assert.equal(({} as { isAdmin?: boolean }).isAdmin, undefined)
  })

  it('may have at most a thousand parameters', async () => {
    const names = (count: number) =>
      JSON.stringify(Object.fromEntries(Array.from({ length: count }, (_, at) => [`n${at}`, 1])))
    assert.equal(Object.keys(await read(names(1000))).length, 1000)
    await assert.rejects(() => read(names(1001)), refusedBecause(/1000 parameters/))
  })

  const nested = (levels: number) => `{"a":${'['.repeat(levels - 1)}${']'.repeat(levels - 1)}}`

  it('may be nested 32 levels deep', async () => assert.ok((await read(nested(32))).a))
  it('may not be nested 33 levels deep', () => assert.rejects(() => read(nested(33)), refusedBecause(/32 levels/)))
  it('may not be nested a million levels deep', async () => {
    await assert.rejects(() => read(nested(1_000_000)), refusedBecause(/32 levels/))
    await assert.rejects(() => read('{"a":'.repeat(1_000_000)), refusedBecause(/32 levels/))
  })
  it('does not count brackets inside of text', async () => {
    const text = `${'['.repeat(100)}"\\"${'{'.repeat(100)}`
    assert.deepEqual(await read(JSON.stringify({ text })), { text })
  })

  it('may have at most twenty thousand values', async () => {
    const list = (count: number) => `{"a":[${'0,'.repeat(count - 1)}0]}`
    assert.equal(((await read(list(19_900))).a as number[]).length, 19_900)
    for (const many of [list(20_001), `{"a":[${'{},'.repeat(20_000)}{}]}`, `{"a":{${'"b":1,'.repeat(20_000)}"b":1}}`])
      await assert.rejects(() => read(many), refusedBecause(/20000 values/))
  })

  it('may have numbers of at most a thousand digits', async () => {
    assert.equal((await read(`{"a": ${'9'.repeat(1000)}}`)).a, Infinity)
    await assert.rejects(() => read(`{"a": ${'9'.repeat(1001)}}`), refusedBecause(/number/))
    assert.deepEqual(await read(`{"a":${' '.repeat(5000)}1}`), { a: 1 })
  })

  it('that is long is parsed like JSON.parse does', async () => {
    const parts = ['x', ' ', '\\', '"', '\n', '/', 'é', '€', '😀', '\u2028', '[', '{', ',', 'word '].map((text) =>
      text.repeat(7),
    )
    await fc.assert(
      fc.asyncProperty(fc.array(fc.constantFrom(...parts), { minLength: 1 }), fc.nat(20), async (some, shift) => {
        const one = some.join('')
        const text = 'y'.repeat(shift) + one.repeat(Math.ceil(1_300_000 / one.length))
        const body = { list: [1, text.slice(0, 300)], text, more: { text: 'text' } }
        assert.deepEqual(await read(JSON.stringify(body), 'text'), body)
        assert.deepEqual(await read(escapedMore(body), 'text'), body)
      }),
      { numRuns: randomCases(8) },
    )
  })

  it('that is long is refused if it is not JSON', async () => {
    const long = 'x'.repeat(1_200_000)
    for (const broken of [
      `{"a":"${long}`,
      `{"a":"${long}\\"}`,
      `{"a":"${long}\n"}`,
      `{"a":"${long}\\x"}`,
      `{"a":"${long}"b}`,
    ])
      await assert.rejects(() => read(broken, 'a'), refusedBecause(/not JSON/))
  })

  it('may have texts of at most a megabyte, except for a file', async () => {
    const most = 'x'.repeat(1024 * 1024 - 1)
    const long = `${most}x`
    assert.equal((await read(`{"a":"${most}"}`)).a, most)
    assert.equal((await read(`{"a":"${long}"}`, 'a')).a, long)
    for (const wrong of [
      `{"b":"${long}"}`,
      `{"a":["${long}"]}`,
      `{"a":{"a":"${long}"}}`,
      `{"a":"${long}","b":"${long}"}`,
      `{"${long}":1}`,
    ])
      await assert.rejects(() => read(wrong, 'a'), refusedBecause(/longer than 1048576 bytes/))
    await assert.rejects(() => read(`{"a":"${long}"}`), refusedBecause(/longer than/))
  })
})

/** The same JSON with every letter x and every slash written as an escape sequence. */
function escapedMore(value: unknown) {
  return JSON.stringify(value).replaceAll('x', '\\u0078').replaceAll('/', '\\/')
}
