import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { csvOf } from '../../web/views/reports/chart-csv.ts'

const chartOf = (name: string) => ({
  ...{ rowTitle: 'Product', rows: [name], series: [{ name: 'Open', values: [3] }] },
  ...{ totals: [3], sums: [3], all: 3 },
})

describe('the CSV of a chart', () => {
  it('has the numbers of the table, with every text in quotes', () => {
    assert.equal(csvOf(chartOf('A "b"')), '"Product","Open","All"\r\n"A ""b""",3,3\r\n"All",3,3\r\n')
  })

  // A spreadsheet in some languages takes a semicolon for the end of a cell.
  for (const formula of ['=1+1', ' =1+1', '\u200b=1', '\u00a0@SUM(1)', '＝1', '-1;=1', '\t=1'])
    it(`makes ${JSON.stringify(formula)} harmless, as the CSV of the server does`, () =>
      assert.equal(csvOf(chartOf(formula)).split('\r\n')[1], `"'${formula}",3,3`))

  it('keeps a semicolon inside of a cell', () => {
    assert.equal(csvOf(chartOf('a;=1')).split('\r\n')[1], '"a;=1",3,3')
  })
})
