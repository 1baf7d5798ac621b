import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { headerText, mailAddress } from './one-header.ts'

describe('headerText', () => {
  it('turns any text into one line', () => {
    const hostile = 'a\r\nBcc: all@example.org\n\u0085b\u2028c\u2029d\u0000e\tf\u000bg'
    assert.equal(headerText(hostile), 'a Bcc: all@example.org b c d e f g')
  })

  it('keeps text in all scripts', () => {
    assert.equal(headerText('Grüße 世界 👋'), 'Grüße 世界 👋')
  })

  it('truncates what is too long for a header, and never inside a character', () => {
    const cut = headerText('👋'.repeat(1000))
    assert.equal(cut.length <= 900, true)
    assert.equal(cut.isWellFormed(), true)
    assert.equal(cut.endsWith('…'), true)
  })

  it('replaces lone surrogates', () => {
    assert.equal(headerText('a\ud800b').isWellFormed(), true)
  })
})

describe('mailAddress', () => {
  for (const address of ['edna@lacewing.test', "o'neil+bugs@sub.example.org", 'münchen@beispiel.de'])
    it(`takes ${address}`, () => assert.equal(mailAddress(address), address))

  for (const address of [
    '',
    'edna',
    'edna@',
    '@lacewing.test',
    'a@b@c',
    'a b@c.test',
    'a@b.test\r\nRCPT TO:<x@y.test>',
    'a@b.test>',
    '"a"@b.test',
    'a@b.test,c@d.test',
    `${'a'.repeat(300)}@b.test`,
  ])
    it(`refuses ${JSON.stringify(address).slice(0, 60)}`, () => assert.equal(mailAddress(address), undefined))
})
