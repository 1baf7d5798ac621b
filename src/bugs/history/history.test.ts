import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { entriesInSlices, entriesOf, type HistoryRow, valuesIn } from './history.ts'

let lines = 0
const line = (field: string, removed: string, added: string, more: Partial<HistoryRow> = {}): HistoryRow => ({
  change_id: ++lines,
  at: '2026-01-01T00:00:00Z',
  who: 'ada',
  field,
  removed,
  added,
  attachment_id: null,
  ...more,
})
const changesIn = (...rows: HistoryRow[]) =>
  entriesOf(rows).flatMap(({ changes }) => changes.map((it) => [it.field_name, it.removed, it.added]))

describe('the entries of a history', () => {
  it('are one for each user and moment', () => {
    const rows = [
      line('url', '', 'a'),
      line('priority', 'Low', 'High'),
      line('url', 'a', 'b', { who: 'eve' }),
      line('url', 'b', 'c', { who: 'eve', at: '2026-01-01T00:00:01Z' }),
      line('url', 'c', 'd', { at: '2026-01-01T00:00:01Z' }),
    ]
    assert.deepEqual(
      entriesOf(rows).map(({ when, who, changes }) => [when.slice(-3), who, changes.length]),
      [
        ['00Z', 'ada', 2],
        ['00Z', 'eve', 1],
        ['01Z', 'eve', 1],
        ['01Z', 'ada', 1],
      ],
    )
    assert.deepEqual(entriesOf([]), [])
  })

  it('join consecutive lines of a field with several values, and no others', () => {
    for (const field of ['cc', 'keywords', 'alias', 'groups', 'depends_on', 'blocks', 'see_also']) {
      assert.deepEqual(changesIn(line(field, '', 'a'), line(field, 'b', ''), line(field, 'c', 'd')), [
        [field, 'b, c', 'a, d'],
      ])
      assert.equal(changesIn(line(field, '', 'a'), line('url', '', 'x'), line(field, '', 'b')).length, 3)
    }
    assert.equal(changesIn(line('cc', '', 'a'), line('keywords', '', 'b')).length, 2)
    assert.equal(changesIn(line('summary', 'a', 'b'), line('summary', 'b', 'c')).length, 2)
    assert.equal(changesIn(line('cc', '', 'a'), line('cc', '', 'b', { who: 'eve' })).length, 2)
  })

  it('separate flags by a space, even if nothing follows', () => {
    const flags = 'flagtypes.name'
    assert.deepEqual(changesIn(line(flags, '', 'review?'), line(flags, 'review?', 'review+'), line(flags, 'x', '')), [
      [flags, 'review? x', 'review? review+ '],
    ])
  })

  it('name the attachment whose field changed, and join nothing of two attachments', () => {
    const flag = (attachment_id: number | null) => line('flagtypes.name', '', 'review?', { attachment_id })
    const [entry] = entriesOf([flag(7), flag(7), flag(8), flag(null)])
    assert.deepEqual(entry?.changes, [
      { field_name: 'flagtypes.name', removed: '', added: 'review? review?', attachment_id: 7 },
      { field_name: 'flagtypes.name', removed: '', added: 'review?', attachment_id: 8 },
      { field_name: 'flagtypes.name', removed: '', added: 'review?' },
    ])
  })

  it('are the same in slices', async () => {
    const rows = Array.from({ length: 300 }, (_, index) => line('cc', '', `${index}`, { who: `${index % 7 < 3}` }))
    assert.deepEqual(await entriesInSlices(rows), entriesOf(rows))
  })
})

describe('the values in a line of history', () => {
  it('are separated by commas', () => {
    assert.deepEqual(valuesIn('a, b,c, d'), ['a', 'b,c', 'd'])
    assert.deepEqual([valuesIn(''), valuesIn(', a')], [[], ['a']])
  })
})
