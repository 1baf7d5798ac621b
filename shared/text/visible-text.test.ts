import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { visibleText } from './visible-text.ts'

describe('A text on which somebody decides', () => {
  it('shows what would change how it looks', () => {
    for (const [text, shown] of [
      ['safe\u202etxt.exe', 'safe[U+202E]txt.exe'],
      ['\u2066a\u2069', '[U+2066]a[U+2069]'],
      ['a\u200bb\u00adc\u2060d\ufeff', 'a[U+200B]b[U+00AD]c[U+2060]d[U+FEFF]'],
      ['a\u0000\u001b[31m\u0085', 'a[U+0000][U+001B][31m[U+0085]'],
      ['\u{e0041}\u3164\u115f', '[U+E0041][U+3164][U+115F]'],
      ['a\u2028b\u2029', 'a[U+2028]b[U+2029]'],
      ['a\u200db', 'a[U+200D]b'],
      ['a\u2800b', 'a[U+2800]b'],
    ] as const)
      assert.equal(visibleText(text), shown)
  })

  it('counts spaces and empty lines that would push the rest out of sight', () => {
    for (const [text, shown] of [
      [`a${'\n'.repeat(31)}b`, 'a\n[30 empty lines]\nb'],
      [`a\r\n${' \t\u3000\r\n'.repeat(5)}b`, 'a\r\n[5 empty lines]\nb'],
      [`a${'\u00a0'.repeat(40)}b`, 'a [40 spaces] b'],
    ] as const)
      assert.equal(visibleText(text), shown)
  })

  it('keeps what people write', () => {
    for (const text of [
      'Straße, 東京, עברית, العربية',
      'a\tb\nc\r\n',
      'a\n\n\n\nb',
      `a\n${' '.repeat(39)}b`,
      '👩‍💻 ❤️ 🏳️‍🌈',
      'e\u0301',
      '',
    ])
      assert.equal(visibleText(text), text)
  })

  it('takes no longer for a long one', () => {
    assert.equal(visibleText('\u202e'.repeat(65_535)).length, 65_535 * '[U+202E]'.length)
  })
})
