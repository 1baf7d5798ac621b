import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import {
  asCode,
  asLink,
  type FieldState,
  indented,
  nextItem,
  pastedAddress,
  type TextEdit,
  withMarker,
  wrapped,
} from '../web/parts/text/writing/text-edit.ts'

/** A text with `|` at both ends of the selection, or once for the cursor. */
function field(marked: string): FieldState {
  const start = marked.indexOf('|')
  const end = marked.lastIndexOf('|')
  const text = marked.replaceAll('|', '')
  return { text, start, end: end === start ? start : end - 1 }
}

function result(marked: string, edit: (at: FieldState) => TextEdit | undefined): string | undefined {
  const at = field(marked)
  const done = edit(at)
  if (done === undefined) return undefined
  const text = at.text.slice(0, done.from) + done.insert + at.text.slice(done.to)
  const inner = text.slice(done.start, done.end)
  return `${text.slice(0, done.start)}|${inner}${inner === '' ? '' : '|'}${text.slice(done.end)}`
}

const bold = (at: FieldState) => wrapped(at, '**')
const list = (at: FieldState) => withMarker(at, () => '- ')

const EDITS: readonly (readonly [
  before: string,
  edit: (at: FieldState) => TextEdit | undefined,
  after: string | undefined,
])[] = [
  ['a |lamp| b', bold, 'a **|lamp|** b'],
  ['a **|lamp|** b', bold, 'a |lamp| b'],
  ['a |**lamp**| b', bold, 'a |lamp| b'],
  ['a | b', bold, 'a **|** b'],
  ['|a b|', asCode, '`|a b|`'],
  ['|a\nb|', asCode, '```|\na\nb\n```'],
  ['a |lamp|', (at) => asLink(at), 'a [lamp](|)'],
  ['a |lamp|', (at) => asLink(at, 'https://a.example'), 'a [lamp](https://a.example)|'],
  ['a\n|b\nc|\nd', list, 'a\n|- b\n- c|\nd'],
  ['|- b\n- c|', list, '|b\nc|'],
  ['b|', (at) => withMarker(at, () => '- [ ] '), '- [ ] b|'],
  ['- one|', nextItem, '- one\n- |'],
  ['9. one|', nextItem, '9. one\n10. |'],
  ['  - [x] one|', nextItem, '  - [x] one\n  - [ ] |'],
  ['> one|', nextItem, '> one\n> |'],
  ['- one\n- |', nextItem, '- one\n|'],
  ['plain|', nextItem, undefined],
  ['- one|more|', nextItem, undefined],
  ['- one\n- two|', (at) => indented(at, false), '- one\n  - two|'],
  ['1. one\n2. two|', (at) => indented(at, false), '1. one\n   2. two|'],
  ['- one\n  - two|', (at) => indented(at, false), undefined],
  ['- one\n  - two|', (at) => indented(at, true), '- one\n- two|'],
  ['- one|', (at) => indented(at, false), undefined],
  ['- one|', (at) => indented(at, true), undefined],
  ['plain|', (at) => indented(at, false), undefined],
]

describe('writing in Markdown', () => {
  it('edits the text as its keys and buttons say', () => {
    for (const [before, edit, after] of EDITS) assert.equal(result(before, edit), after, before)
  })

  it('makes a link of an address that is pasted on words, and of nothing else', () => {
    const pasted = (marked: string, address: string) => pastedAddress(field(marked), address)
    assert.equal(pasted('a |lamp|', ' https://a.example/b?c=d '), 'https://a.example/b?c=d')
    for (const address of [
      'javascript:alert(1)',
      'data:text/html,x',
      'lamp',
      'https://a.example b',
      'https://a.example/)',
    ])
      assert.equal(pasted('a |lamp|', address), undefined, address)
    for (const marked of ['a |', 'a |la\nmp|', '|https://b.example|', '|a]b|'])
      assert.equal(pasted(marked, 'https://a.example'), undefined, marked)
  })
})
