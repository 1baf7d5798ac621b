import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { describe, it } from 'node:test'
import { settingsFrom } from '../../../platform/config/settings.ts'
import { ApiError } from '../../../platform/errors.ts'
import { decodeContent } from './attachment-content.ts'

const settings = settingsFrom(new Map([['maxlocalattachment', '32']]))
const refusedWith = (code: number) => (fault: unknown) => fault instanceof ApiError && fault.code === code

describe('the content of an attachment', () => {
  // The text is decoded in steps of half a MiB. The sizes lie around the borders between steps.
  for (const size of [1, 2, 3, 4, 393_215, 393_216, 393_217, 800_000]) {
    it(`of ${size} bytes is decoded exactly, with or without line breaks`, async () => {
      const bytes = randomBytes(size)
      const text = bytes.toString('base64')
      for (const data of [text, text.replace(/(.{76})/g, '$1\r\n'), `\n${text.replace(/(.{1,7})/g, '$1 ')}\t`]) {
        const content = await decodeContent(data, settings)
        assert.ok(content.bytes.equals(bytes))
        assert.equal(content.digest, createHash('sha256').update(bytes).digest('hex'))
      }
    })
  }

  it('is refused for one wrong character at any position', async () => {
    const text = randomBytes(500_000).toString('base64')
    const wrong = ['-', '=', '!', 'é', '☃']
    for (const [place, at] of [0, 1, 524_287, 524_288, 524_289, text.length - 4].entries())
      for (const character of [wrong[place % 5], wrong[(place + 2) % 5]])
        await assert.rejects(
          decodeContent(text.slice(0, at) + character + text.slice(at + 1), settings),
          refusedWith(606),
        )
  })

  it('is decoded in steps, so that other work runs in between', async () => {
    const data = Buffer.alloc(8 * 1024 * 1024, 'x').toString('base64')
    let turns = 0
    let isDecoded = false
    const takeTurns = () => {
      turns++
      if (!isDecoded) setImmediate(takeTurns)
    }
    takeTurns()
    await decodeContent(data, settings)
    isDecoded = true
    assert.ok(turns > 15, `others had ${turns} turns`)
  })
})
