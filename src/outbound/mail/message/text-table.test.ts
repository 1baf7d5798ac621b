import assert from 'node:assert/strict'
import { it } from 'node:test'
import { changeTable, factList } from './text-table.ts'

it('A change is a line of three columns', () => {
  assert.equal(
    changeTable([{ what: 'Status', removed: 'CONFIRMED', added: 'RESOLVED' }]),
    [
      '                What|Removed                     |Added',
      '-'.repeat(78),
      '              Status|CONFIRMED                   |RESOLVED',
    ].join('\n'),
  )
})

it('Text that is too long for its column continues on the next line', () => {
  const lines = changeTable([{ what: 'Summary', removed: 'one two three four five six seven', added: 'x'.repeat(40) }])
  assert.deepEqual(lines.split('\n').slice(2), [
    `             Summary|one two three four five six |${'x'.repeat(28)}`,
    `                    |seven                       |${'x'.repeat(12)}`,
  ])
  for (const line of lines.split('\n')) assert.equal(line.length <= 78, true, line)
})

it('Each fact is on a line of its own', () => {
  assert.equal(
    factList([
      { label: 'Product', value: 'TestProduct' },
      { label: 'OS', value: 'All' },
    ]),
    'Product: TestProduct\n     OS: All',
  )
})
