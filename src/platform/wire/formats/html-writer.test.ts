import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { anyText } from '../../../../test/support/any-text.ts'
import { randomCases } from '../../../../test/support/sample.ts'
import { rendered } from './html-page.ts'
import { HtmlWriter } from './html-writer.ts'

function shownInPieces(json: string, sizes: readonly number[]) {
  const writer = new HtmlWriter()
  let shown = ''
  for (let at = 0, turn = 0; at < json.length; turn++) {
    const size = sizes[turn % sizes.length] ?? 1
    shown += writer.write(json.slice(at, at + size))
    at += size
  }
  return shown
}

/** Long objects keep the order of the response, short ones are sorted; here both are the same. */
function inOrder(object: Record<string, unknown>) {
  return Object.fromEntries(Object.entries(object).sort(([one], [other]) => (one < other ? -1 : 1)))
}

const text = fc.oneof(
  anyText(),
  fc.constantFrom('https://x.test/', '"', '\\', '\\\\"', `${'<b>\\"é '.repeat(4000)}\\`, `y${'\\'.repeat(33_000)}`),
)
const { tree } = fc.letrec((tie) => ({
  tree: fc.oneof(
    { maxDepth: 4 },
    text,
    fc.integer(),
    fc.constantFrom(null, true, 1.5, '', [], {}),
    fc.array(tie('tree'), { maxLength: 6 }),
    fc.dictionary(fc.constantFrom('bugs', 'id', 'name', 'cc', 'q"', ''), tie('tree'), { maxKeys: 5 }).map(inOrder),
  ),
}))

describe('a page that is written piece by piece', () => {
  it('is the same as one that is written at once', () => {
    const sizes = fc.array(fc.oneof(fc.integer({ min: 1, max: 50 }), fc.constantFrom(20_000, 70_000)), { minLength: 1 })
    fc.assert(
      fc.property(fc.dictionary(fc.constantFrom('bugs', 'users'), tree).map(inOrder), sizes, (value, sizes) => {
        // A very long text is not buffered, so it gets no link.
        const bare = (shown: string) => shown.replace(/<\/a>|<a [^>]*>/g, '')
        assert.ok(bare(shownInPieces(JSON.stringify(value), sizes)) === bare(rendered(value, '', '', '')))
      }),
      { numRuns: randomCases(40) },
    )
  })

  it('shows a long list and a long object like short ones', () => {
    const list = Array.from({ length: 3000 }, (_, id) => ({ id, summary: 'something <is> wrong' }))
    const value = { bugs: list, more: { none: [], users: list } }
    assert.equal(shownInPieces(JSON.stringify(value), [65_536]), rendered(value, '', '', ''))
  })

  it('does not buffer more of the response than it needs', () => {
    const json = JSON.stringify({ data: 'A'.repeat(20_000_000) })
    assert.equal(shownInPieces(json, [65_536]).length, rendered(JSON.parse(json), '', '', '').length)
  })
})
