import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { wordsIn } from './words.ts'

describe('the words of a text', () => {
  for (const forms of [
    ['crash', 'crashes', 'crashed', 'crashing', 'Crash'],
    ['cache', 'caches', 'cached', 'caching'],
    ['control', 'controls', 'controlled', 'controlling'],
    ['add', 'adds', 'added', 'adding'],
    ['use', 'uses', 'used', 'using'],
    ['entry', 'entries'],
    ['copy', 'copies', 'copied', 'copying'],
    ['miss', 'misses', 'missed', 'missing'],
    ['stop', 'stops', 'stopped', 'stopping'],
    ['fall', 'falls', 'falling'],
  ])
    it(`has one form for ${forms.join(', ')}`, () => {
      assert.equal(new Set(forms.flatMap(wordsIn)).size, 1, String(forms.flatMap(wordsIn)))
    })

  for (const [one, other] of [
    ['string', 'strong'],
    ['status', 'state'],
    ['class', 'classic'],
    ['need', 'net'],
    ['thing', 'the'],
    ['bus', 'build'],
    ['42', '420'],
  ] as const)
    it(`distinguishes ${one} from ${other}`, () => assert.notDeepEqual(wordsIn(one), wordsIn(other)))

  it('are in the order of the text, without what separates them', () => {
    assert.deepEqual(wordsIn('nsFoo::bar_baz("x-1") — Größe'), ['nsfoo', 'bar', 'baz', 'x', '1', 'größe'])
  })

  it('are the same however an accent is encoded', () => {
    assert.deepEqual(wordsIn('CAFÉ'), wordsIn('cafe\u0301'))
  })

  it('are single characters in scripts without spaces', () => {
    assert.deepEqual(wordsIn('abc漢字かな1'), ['abc', '漢', '字', 'か', 'な', '1'])
  })

  it('are never longer than 64 characters', () => {
    assert.ok(wordsIn('é'.repeat(5000)).every((word) => word.length <= 64))
  })
})
