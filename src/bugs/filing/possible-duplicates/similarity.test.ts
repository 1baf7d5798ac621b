import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { significantWords, similarity } from './similarity.ts'

describe('the significant words of a summary', () => {
  it('are its words of three letters and more, reduced to their stems, each once', () => {
    assert.deepEqual(significantWords('It crashes: crash of an X server, crashing'), ['crash', 'server'])
  })

  it('leave out common English words, unless there are no others', () => {
    assert.deepEqual(significantWords('The engine stalls when it is cold'), ['engin', 'stal', 'cold'])
    assert.equal(significantWords('What about this').length, 3)
  })

  it('are none in a summary without words', () => assert.deepEqual(significantWords('!! a :-( '), []))
})

describe('the similarity of two summaries', () => {
  const words = new Set(significantWords('Engine stalls when cold'))
  const like = (summary: string) => similarity(words, summary)

  it('is 1 for the same words in another order and form, and 0 for no common words', () => {
    assert.equal(like('Cold engines stall'), 1)
    assert.equal(like('The lamp is dark'), 0)
  })

  it('grows with shared words and shrinks with others', () => {
    assert.ok(like('Engine stalls') > like('Engine smokes'))
    assert.ok(like('Engine stalls') > like('Engine stalls after washing the windows of the car'))
  })
})
