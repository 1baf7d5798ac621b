import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { likeness, tellingWords } from './likeness.ts'

describe('the telling words of a summary', () => {
  it('are its words of three letters and more, in one form, each once', () => {
    assert.deepEqual(tellingWords('It crashes: crash of an X server, crashing'), ['crash', 'server'])
  })

  it('leave out the small words of English, unless there are no others', () => {
    assert.deepEqual(tellingWords('The engine stalls when it is cold'), ['engin', 'stal', 'cold'])
    assert.equal(tellingWords('What about this').length, 3)
  })

  it('are none in a summary without words', () => assert.deepEqual(tellingWords('!! a :-( '), []))
})

describe('the likeness of two summaries', () => {
  const asked = new Set(tellingWords('Engine stalls when cold'))
  const like = (summary: string) => likeness(asked, summary)

  it('is 1 for the same words in another order and form, and 0 for none', () => {
    assert.equal(like('Cold engines stall'), 1)
    assert.equal(like('The lamp is dark'), 0)
  })

  it('grows with what is shared, and shrinks with what is not', () => {
    assert.ok(like('Engine stalls') > like('Engine smokes'))
    assert.ok(like('Engine stalls') > like('Engine stalls after washing the windows of the car'))
  })
})
