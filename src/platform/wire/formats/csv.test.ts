import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { anyText } from '../../../../test/support/any-text.ts'
import { csvLine } from './csv.ts'

describe('a line of comma-separated values', () => {
  it('writes numbers as they are, text in quotes, and missing values as empty text', () => {
    assert.equal(csvLine([1, 'a', null, true, undefined]), '1,"a","",1,""\r\n')
  })

  it('keeps commas, quotes and line ends inside a value', () => {
    assert.equal(csvLine(['a,b', 'say "x"', 'one\ntwo']), '"a,b","say ""x""","one\ntwo"\r\n')
  })

  it('joins a list, and shows users and flags by name', () => {
    assert.equal(csvLine([['a', 'b'], [{ id: 1, name: 'review' }]]), '"a, b","review"\r\n')
  })

  for (const formula of ['=1+1', '+1', '-1', '@SUM(1)', '\t=1', '\r=1', '  =1', '\u00a0=1', '\u200b=1', '＝1'])
    it(`makes ${JSON.stringify(formula)} harmless`, () => assert.equal(csvLine([formula]), `"'${formula}"\r\n`))

  it('leaves ordinary text as it is', () => {
    for (const text of ['a=b', 'x - y', 'me@example.com', '', '2026-01-01', "it's"])
      assert.equal(csvLine([text]), `"${text}"\r\n`)
  })

  it('never begins a value with a formula, and can always be read back', () => {
    fc.assert(
      fc.property(fc.array(anyText(), { minLength: 1, maxLength: 4 }), (values) => {
        const read = readLine(csvLine(values))
        assert.equal(read.length, values.length)
        read.forEach((value, index) => {
          assert.doesNotMatch(value, /^[=+\-@\t\r]/)
          assert.ok(value === values[index] || value === `'${values[index]}`)
        })
      }),
    )
  })
})

function readLine(line: string): string[] {
  return [...line.matchAll(/"((?:[^"]|"")*)"(?:,|\r\n$)/g)].map((match) => (match[1] as string).replaceAll('""', '"'))
}
