import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { answer, isKnownTo, requireCallback, responseFormatOf } from './answer.ts'

describe('a callback', () => {
  for (const callback of ['f', 'jQuery123_456', 'a.b.c', 'list[0]', 'x'.repeat(128)])
    it(`may be ${callback.slice(0, 20)}`, () => {
      requireCallback(callback)
      assert.equal(responseFormatOf('text/html', callback, '').callback, callback)
    })

  const bad = ['a<b', 'alert(1)', 'a;b', 'a b', "a'", 'a\nb', 'a%', 'é', '$', 'x'.repeat(129), ['a', 'b'], { a: 1 }, 7]
  for (const callback of bad)
    it(`may not be ${JSON.stringify(callback).slice(0, 20)}, and is then ignored`, () => {
      assert.throws(() => requireCallback(callback), { code: 32611, status: 400 })
      assert.equal(responseFormatOf('text/html', callback, '').callback, undefined)
    })

  it('is ignored when it is empty', () => {
    requireCallback('')
    assert.equal(responseFormatOf(undefined, '', '').callback, undefined)
  })

  it('gets JSON without the line ends of JavaScript', () => {
    const { body, headers } = answer(200, { text: '\u2028\u2029</script>' }, responseFormatOf(undefined, 'f', ''))
    assert.equal(body, '/**/f({"text":"\\u2028\\u2029</script>"})')
    assert.equal(headers['Content-Type'], 'text/javascript; charset=UTF-8')
  })
})

describe('If-None-Match', () => {
  const etag = '"abc-_1"'
  for (const known of [
    '"abc-_1"',
    'abc-_1',
    'W/"abc-_1"',
    '*',
    ' * ',
    '"x", "abc-_1"',
    '"x",W/"abc-_1" , "y"',
    'x,abc-_1',
  ])
    it(`matches the response with ${known}`, () => assert.equal(isKnownTo(known, etag), true))
  for (const known of ['"abc"', '', '"', '""', '"ABC-_1"', '"x", *', 'W/"x"', '"abc-_1"x'])
    it(`does not match it with ${known}`, () => assert.equal(isKnownTo(known, etag), false))
})
