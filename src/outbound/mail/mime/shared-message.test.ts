import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import PostalMime from 'postal-mime'
import { bytesOf, type UnaddressedMessage } from '../message/message.ts'
import { plainBytesOf } from './plain-message.ts'
import { SharedMessages } from './shared-message.ts'

const CONTENT: UnaddressedMessage = {
  subject: '[Bug 7] A summary that is rather long, so that the header must be folded somewhere in the middle of it',
  messageId: '<bug-7-3-abc@http.localhost>',
  inReplyTo: '<bug-7-3@http.localhost>',
  references: '<bug-7-3@http.localhost>',
  date: new Date('2026-01-31T12:00:00Z'),
  replyTo: { name: '', address: 'bugs+3@lacewing.test' },
  headers: [
    { key: 'X-Tracker-Reason', value: 'CC' },
    { key: 'X-Tracker-Keywords', value: '' },
    { key: 'Auto-Submitted', value: 'auto-generated' },
  ],
  text: `See the table:\n\n${'word '.repeat(40)}\n.a line with a dot\n-- \nYou get this.\n`,
  html: '<!DOCTYPE html>\n<p>See <b>the</b> table</p>\n',
}

const CASES: Record<string, Partial<UnaddressedMessage>> = {
  'two parts': {},
  'text alone': { html: undefined },
  'an address to unsubscribe': { unsubscribe: 'https://bugs.lacewing.test/unsubscribe/7.bug.12.abc' },
  'an address to unsubscribe, in other letters': {
    unsubscribe: 'https://bugs.lacewing.test/unsubscribe/7',
    text: 'Größe\n',
  },
  'a first message': { inReplyTo: undefined, references: undefined },
  'a summary in other letters': { subject: '[Bug 7] Größe und 日本語' },
  'a text in other letters': { text: 'Größe 日本語 🎉\n' },
  'a header in other letters': { headers: [{ key: 'X-Tracker-Component', value: 'Größe' }] },
  'what looks like an encoded word': { subject: '[Bug 7] =?utf-8?q?Not_encoded?=' },
  'a very long line': { text: `${'x'.repeat(3000)}\n` },
}

describe('a message about a bug', () => {
  for (const [name, more] of Object.entries(CASES))
    it(`says the same as that of the mail library: ${name}`, async () => {
      const content = { ...CONTENT, ...more }
      const messages = new SharedMessages()
      for (const to of ['edna@lacewing.test', 'rhea@lacewing.test']) {
        const { bytes } = await messages.messageOf('bugs@lacewing.test', to, content)
        const expected = await bytesOf('bugs@lacewing.test', to, content)
        assert.deepEqual(await read(bytes), await read(expected))
        for (const line of bytes.toString('latin1').split('\r\n')) assert.ok(line.length <= 998 && !line.includes('\n'))
      }
    })

  it('has no header of another recipient, also if it is made from the message of that one', async () => {
    const messages = new SharedMessages()
    const content = { ...CONTENT, text: 'Größe\n' }
    await messages.messageOf('bugs@lacewing.test', 'edna@lacewing.test', content)
    const own = { ...content, messageId: '<bug-7-4-def@http.localhost>', inReplyTo: '<bug-7-4@http.localhost>' }
    const { bytes } = await messages.messageOf('bugs@lacewing.test', 'rhea@lacewing.test', own)
    const text = bytes.toString('latin1')
    assert.ok(!text.includes('edna') && !text.includes('bug-7-3'))
    assert.ok(text.includes('To: rhea@lacewing.test\r\n') && text.includes('<bug-7-4-def@http.localhost>'))
  })

  it('leaves what could begin another header to the mail library', () => {
    const headers = [{ key: 'X-Tracker-Component', value: 'a\r\nBcc: x@lacewing.test' }]
    assert.equal(plainBytesOf('a@lacewing.test', 'b@lacewing.test', { ...CONTENT, headers }), undefined)
  })
})

async function read(bytes: Buffer) {
  const { headers, headerLines: _, text = '', html = '', ...rest } = await PostalMime.parse(bytes)
  const own = headers.filter(({ key }) => !key.startsWith('content-')).map(({ key, value }) => `${key}: ${value}`)
  return { ...rest, headers: own.sort(), text: text.trimEnd(), html: html.trimEnd() }
}
