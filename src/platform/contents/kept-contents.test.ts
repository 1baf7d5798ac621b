import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { KeptContents } from './kept-contents.ts'

const content = Buffer.alloc(128 * 1024)

describe('the contents that are kept in memory', () => {
  it('are 16 MiB at most, and those that were asked for last', () => {
    const kept = new KeptContents()
    for (let at = 0; at < 128; at++) kept.add(`${at}`, content)
    assert.equal(kept.get('0'), content)
    kept.add('128', content)
    assert.equal(kept.get('1'), undefined)
    for (const digest of ['0', '2', '127', '128']) assert.equal(kept.get(digest), content)
  })

  it('are only the small ones', () => {
    const kept = new KeptContents()
    kept.add('large', Buffer.alloc(128 * 1024 + 1))
    assert.equal(kept.get('large'), undefined)
  })

  it('count once, however often they are added', () => {
    const kept = new KeptContents()
    kept.add('first', content)
    for (let at = 0; at < 1000; at++) kept.add('again', content)
    assert.equal(kept.get('first'), content)
  })
})
