import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { effectsInWords } from '../web/views/admin/changes/effects-in-words.ts'

describe('what a change does, in words', () => {
  const wordsAfter = (milliseconds: number) =>
    effectsInWords({ changes: [], milliseconds }, () => undefined).map(({ text }) => text)

  it('says how long others wait, where they notice it', () => {
    assert.deepEqual(wordsAfter(1499), [])
    assert.deepEqual(wordsAfter(4200), [
      'It takes about 4 seconds. What others save meanwhile has to wait: choose a quiet hour.',
    ])
  })
})
