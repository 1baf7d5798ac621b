import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { anyText } from '../../../../test/support/any-text.ts'
import { escaped, htmlPage, PAGE_POLICY } from './html-page.ts'

const linksIn = (page: string) => [...page.matchAll(/<a href="([^"]*)"/g)].map(([, address]) => address)
const main = (value: unknown) => /<main>([\s\S]*)<\/main>/.exec(htmlPage('Title', value))?.[1] ?? ''

describe('the HTML page of a response', () => {
  it('shows the JSON, sorted and indented', () => {
    const shown = main({ b: [1, true, null], a: { c: 'text' }, empty: {}, none: [] })
    const text = shown.replace(/<[^>]+>/g, '').replaceAll('&#34;', '"')
    assert.match(text, /\{\n {3}"a": \{\n {6}"c": "text"\n {3}\},\n {3}"b": \[\n {6}1,\n {6}true,\n {6}null\n {3}\],\n/)
    assert.match(text, /"empty": \{\},\n {3}"none": \[\]\n\}/)
  })

  it('links to related resources', () => {
    const page = main({
      users: [{ id: 7, name: 'ada@lacewing.test', groups: [{ id: 1, name: 'admin' }] }],
      bugs: [
        {
          id: 35,
          assigned_to: 'a/b?c#d@x.test',
          depends_on: [36, 37],
          cc: ['ann@x.test'],
          url: 'https://x.test/?a=1&b=2',
        },
      ],
    })
    assert.deepEqual(linksIn(page).sort(), [
      '/rest/bug/35',
      '/rest/bug/36',
      '/rest/bug/37',
      '/rest/group/1',
      '/rest/group/admin',
      '/rest/user/7',
      '/rest/user/a%2Fb%3Fc%23d%40x.test',
      '/rest/user/ada%40lacewing.test',
      '/rest/user/ann%40x.test',
      'https://x.test/?a=1&#38;b=2',
    ])
  })

  it('does not link values that are not URLs', () => {
    const odd = [
      'javascript:alert(1)',
      ' https://x.test',
      'JAVASCRIPT:https://x',
      'data:text/html,x',
      '//x.test',
      'https://x y',
    ]
    assert.deepEqual(linksIn(main({ odd, id: 5, name: 'alone', creator: null, users: [], product: '' })), [])
  })

  it('does not mistake field names for properties of every object', () => {
    assert.deepEqual(linksIn(main({ constructor: 'x', toString: 'y', __proto__: 1, hasOwnProperty: [{ id: 1 }] })), [])
  })

  it('contains no markup from keys and values', () => {
    const nasty = fc.constantFrom(
      '<script>',
      '"',
      "'",
      '</pre>',
      '&lt;',
      '`',
      '<!--',
      'onload=',
      ']]>',
      '\u2028',
      'https://x/"><b>',
    )
    const text = fc.array(fc.oneof(nasty, anyText()), { maxLength: 4 }).map((parts) => parts.join(''))
    fc.assert(
      fc.property(fc.dictionary(text, fc.oneof(text, fc.array(text)), { maxKeys: 4 }), text, (value, title) => {
        const page = htmlPage(title, value)
        const tags = page.replace(/<style>[\s\S]*?<\/style>/, '').match(/<[^>]*>?/g) ?? []
        const own =
          /^<(!DOCTYPE html|\/?(html|head|title|body|nav|main|h1|pre|b|a)|html lang="en"|meta [\w\s=",-]*|a href="[^"<>'`]*"( rel="noopener noreferrer")?)>$/
        for (const tag of tags) assert.match(tag, own)
      }),
      { seed: 1, numRuns: 500 },
    )
  })

  it('escapes every character that could end a text or an attribute', () => {
    assert.equal(escaped(`<>&"'\``), '&#60;&#62;&#38;&#34;&#39;&#96;')
  })

  it('has a policy that allows no script, and only its own style', () => {
    const style = /<style>([\s\S]*?)<\/style>/.exec(htmlPage('', {}))?.[1] as string
    assert.ok(PAGE_POLICY.includes(`style-src 'sha256-${hash('sha256', style, 'base64')}'`))
    assert.match(PAGE_POLICY, /^default-src 'none';/)
    assert.doesNotMatch(PAGE_POLICY, /unsafe|script-src|https?:/)
  })
})
