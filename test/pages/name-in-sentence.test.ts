import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { nameInSentence, sentenceInOrder } from '../../web/core/name-in-sentence.ts'

describe('a name in a sentence', () => {
  it('keeps usual names, takes out what turns text around, and sets right-to-left names apart', () => {
    assert.equal(nameInSentence('firmware-leads'), 'firmware-leads')
    assert.equal(nameInSentence('\u202eevil\u2069\u202e'), 'evil')
    assert.equal(sentenceInOrder('Delete a\u202eb? \u2068c\u2069'), 'Delete ab? \u2068c\u2069')
    assert.equal(nameInSentence('\u05e9\u05dc\u05d5\u05dd'), '\u2068\u05e9\u05dc\u05d5\u05dd\u2069')
  })
})
