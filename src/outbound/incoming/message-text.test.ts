import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { addressClaim, addressSecretFor, incomingAddressOf } from './mail-address.ts'
import { parseMessageText, textOfHtml } from './message-text.ts'

describe('parseMessageText', () => {
  const said = (...lines: string[]) => parseMessageText(lines.join('\r\n'))

  it('takes the fields at the beginning, in both spellings and over several lines', () => {
    const body = [
      '',
      '@product = TestProduct',
      '@Component TestComponent',
      '@cc a@b.test,',
      '   c@d.test',
      '',
      'It broke.',
    ]
    assert.deepEqual(said(...body), {
      fields: { product: 'TestProduct', component: 'TestComponent', cc: 'a@b.test, c@d.test' },
      text: 'It broke.',
    })
  })

  it('ignores an @ later in the text, or one that is not a field', () => {
    for (const text of ['Hello\n@product = X', '@', '@ product', '@alice: look at this'])
      assert.deepEqual(parseMessageText(text), { fields: {}, text })
  })

  it('drops the signature and the quotation at the end', () => {
    for (const tail of [
      ['-- ', 'Edna', '555-0100'],
      ['On Sunday, Rhea wrote:', '> Is it?', '>', '> Rhea', ''],
      ['On Sunday the first of a very long month,', 'Rhea <rhea@lacewing.test> wrote:', '', '> Is it?'],
      ['> Is it?', '', '-- ', 'Edna'],
    ])
      assert.equal(said('It is.', '', ...tail).text, 'It is.', tail.join())
  })

  it('keeps quotations before other text, and a message that only quotes', () => {
    assert.equal(said('> Is it?', 'It is.').text, '> Is it?\nIt is.')
    assert.equal(said('> Is it?').text, '> Is it?')
  })
})

describe('textOfHtml', () => {
  it('returns the text line by line, without markup', () => {
    const html = `<html><head><title>no</title><style>p { color: red }</style></head>
      <body><p>One &amp; <b>two</b></p><div>three<br>four &#x41;&#66;&nusuch;</div><script>alert(1)</script><!-- no --></body></html>`
    assert.equal(textOfHtml(html), 'One & two\nthree\nfour AB&nusuch;')
  })

  it('does not decode entities that are named like properties of every object', () => {
    const html = '<p>&constructor; &toString; &__proto__; &valueOf;</p>'
    assert.equal(textOfHtml(html), '&constructor; &toString; &__proto__; &valueOf;')
  })
})

describe('addressClaim', () => {
  const word = addressSecretFor('a secret', { userId: 7, generation: 1 })

  it('parses what incomingAddressOf writes, in any case', () => {
    const plain = incomingAddressOf('bugs@example.com', 7, word)
    assert.equal(plain, `bugs+7-${word}@example.com`)
    assert.deepEqual(addressClaim('bugs@example.com', plain), { userId: 7, word, bugId: undefined })
    const about = incomingAddressOf('Bugs@Example.com', 7, word, 42).toUpperCase()
    assert.deepEqual(addressClaim('bugs@example.com', about), { userId: 7, word, bugId: 42 })
  })

  it('ignores other addresses', () => {
    for (const address of [
      'bugs@example.com',
      `bugs+7-${word}@example.org`,
      `bug+7-${word}@example.com`,
      `bugs+7-${word}x@example.com`,
      `bugs+7-${word.slice(1)}@example.com`,
      `bugs+${word}@example.com`,
      `bugs+7-${word}-x@example.com`,
    ])
      assert.equal(addressClaim('bugs@example.com', address), undefined, address)
  })

  it('has a different word for each user and each renewal', () => {
    const words = [7, 8].flatMap((userId) =>
      [1, 2].map((generation) => addressSecretFor('a secret', { userId, generation })),
    )
    assert.equal(new Set([...words, addressSecretFor('another', { userId: 7, generation: 1 })]).size, 5)
  })
})
