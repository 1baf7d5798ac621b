import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { JsonText } from '../platform/wire/json/json-text.ts'
import { LargeAnswers } from './large-answers.ts'

const answerOf = (megabytes: number) => new JsonText(`"${'x'.repeat(megabytes * 1024 * 1024)}"`)

describe('the cache of large responses', () => {
  it('returns the same response for its key', () => {
    const answers = new LargeAnswers()
    const answer = answerOf(1)
    answers.keep('a', answer)
    assert.equal(answers.get('a'), answer)
    assert.equal(answers.get('b'), undefined)
  })

  it('does not keep small responses, nor those larger than the whole cache', () => {
    const answers = new LargeAnswers()
    answers.keep('small', new JsonText('"x"'))
    answers.keep('huge', answerOf(65))
    assert.equal(answers.get('small'), undefined)
    assert.equal(answers.get('huge'), undefined)
  })

  it('removes the least recently used response first', () => {
    const answers = new LargeAnswers()
    for (const key of ['a', 'b', 'c']) answers.keep(key, answerOf(20))
    answers.get('a')
    answers.keep('d', answerOf(20))
    assert.deepEqual(
      ['a', 'b', 'c', 'd'].map((key) => answers.get(key) !== undefined),
      [true, false, true, true],
    )
  })
})
