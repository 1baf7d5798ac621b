import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { withExplanation, withoutExplanation } from '../../cli/input/editor.ts'
import { isOpenToOthers, serverAddress } from '../../cli/servers/server-address.ts'
import { cleanLine, jsonText } from '../../cli/text/clean-text.ts'
import { csvLine } from '../../cli/text/csv.ts'
import { rendered } from '../../cli/text/styled-line.ts'
import { rowOf, tableLines } from '../../cli/text/table.ts'
import { fitted, widthOf } from '../../cli/text/text-width.ts'
import { formText, readForm } from '../../cli/writing/filing/bug-form.ts'

describe('the text of the command line', () => {
  it('has the width that a terminal gives it', () => {
    const texts: [string, number][] = [
      ['plain', 5],
      ['日本語', 6],
      ['한글', 4],
      ['e\u0301', 1],
      ['👩‍👩‍👧', 2],
      ['🎉x', 3],
      ['naïve', 5],
      ['ﾊﾝ', 2],
      ['ガ', 2],
    ]
    assert.deepEqual(
      texts.map(([text]) => widthOf(text)),
      texts.map(([, width]) => width),
    )
    assert.equal(fitted('日本語テキスト', 6), '日本…')
  })

  it('makes tables that are no wider than the terminal, whatever is in them', () => {
    const cell = fc.record({ text: fc.string({ unit: 'binary', maxLength: 60 }) })
    fc.assert(
      fc.property(fc.array(fc.tuple(cell, cell, cell)), fc.integer({ min: 30, max: 120 }), (rows, columns) => {
        for (const line of tableLines(['a', 'b', 'c'], rows, columns)) {
          const text = rendered(line, false)
          assert.ok(widthOf(text) <= columns, JSON.stringify(text))
          // biome-ignore lint/suspicious/noControlCharactersInRegex: these must not come out.
          assert.doesNotMatch(text, /[\x00-\x1f\x7f-\x9f]/)
        }
      }),
      { numRuns: 30 },
    )
  })

  it('leaves numbers whole in a narrow terminal', () => {
    const rows = [['1234567', 'UNCONFIRMED', 'A long summary of a bug'].map((text) => ({ text }))]
    const lines = tableLines(['id', 'status', 'summary'], rows, 20).map((line) => rendered(line, false))
    assert.deepEqual(lines, ['id       sta…  summ…', '1234567  UNC…  A lo…'])
  })

  it('keeps values in JSON, and has one line for each row', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const value = text.toWellFormed()
        assert.equal(JSON.parse(jsonText({ value })).value, value)
        assert.equal(rowOf([value, value]).split('\n').length, 1)
        assert.equal(rowOf([value, value]).split('\t').length, 2)
        assert.equal(cleanLine(cleanLine(value)), cleanLine(value))
      }),
      { numRuns: 50 },
    )
    assert.equal(csvLine(['=1+1', '-7', 'say "x"', '\x1b[1m']), '"\'=1+1","-7","say ""x""","\ufffd[1m"\r\n')
  })

  it('reads a form back as it was written, with headings of Markdown, and nothing of what explains it', () => {
    const fields = [
      { label: 'Summary', name: 'summary' },
      { label: 'Product', name: 'product' },
    ]
    const values = new Map([
      ['summary', 'It: smokes'],
      ['product', ''],
    ])
    const text = '# A heading\n\nProduct: in the text\n-- \nsignature'
    const file = withExplanation(formText(fields, values, text), ['vim: set modeline:'])
    assert.doesNotMatch(file, /vim:/)
    const form = readForm(fields, withoutExplanation(file.replaceAll('\n', '\r\n')))
    assert.deepEqual([form.fields, form.text, form.unknown], [values, text, []])
    assert.deepEqual(readForm(fields, 'Summary: x\nno field\n\ntext').unknown, ['no field'])
  })

  it('takes addresses as people paste them, and no others', () => {
    const addresses: [string, string][] = [
      ['bugs.example.org', 'https://bugs.example.org'],
      ['https://bugs.example.org/tracker/rest/', 'https://bugs.example.org/tracker'],
      ['http://bugs.example.org/bugzilla/index.cgi', 'http://bugs.example.org/bugzilla'],
      ['localhost:8080', 'http://localhost:8080'],
      ['127.0.0.1:8080/', 'http://127.0.0.1:8080'],
      ['127.0.0.1.evil.test', 'https://127.0.0.1.evil.test'],
      ['localhost.evil.test', 'https://localhost.evil.test'],
    ]
    for (const [given, address] of addresses) assert.equal(serverAddress(given), address)
    for (const wrong of ['', 'two words', 'https://', 'https://user:secret@bugs.example.org', 'ftp://x'])
      assert.throws(() => serverAddress(wrong), /address/, wrong)
    const open = [
      'http://bugs.example.org',
      'http://127.0.0.1.evil.test',
      'http://localhost.evil.test',
      'http://10.0.0.1',
    ]
    assert.deepEqual(open.filter(isOpenToOthers), open)
    const safe = ['https://bugs.example.org', 'http://localhost:8080', 'http://127.0.0.1', 'http://[::1]:8080']
    assert.deepEqual(safe.filter(isOpenToOthers), [])
  })
})
