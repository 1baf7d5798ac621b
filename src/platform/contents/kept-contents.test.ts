import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { KeptContents } from './kept-contents.ts'

const content = Buffer.alloc(128 * 1024)

describe('the cache of contents', () => {
  it('holds at most 16 MiB, and evicts the least recently used', () => {
    const kept = new KeptContents()
    for (let at = 0; at < 128; at++) kept.add(`${at}`, content)
    assert.equal(kept.get('0'), content)
    kept.add('128', content)
    assert.equal(kept.get('1'), undefined)
    for (const digest of ['0', '2', '127', '128']) assert.equal(kept.get(digest), content)
  })

  it('holds only small ones', () => {
    const kept = new KeptContents()
    kept.add('large', Buffer.alloc(128 * 1024 + 1))
    assert.equal(kept.get('large'), undefined)
  })

  it('counts a content once, however often it is added', () => {
    const kept = new KeptContents()
    kept.add('first', content)
    for (let at = 0; at < 1000; at++) kept.add('again', content)
    assert.equal(kept.get('first'), content)
  })
})
