import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { definitionsOf, FIELD_TYPE, type FieldDefinition } from '../../catalogue/fields/field.ts'
import type { HistoryRow } from './history.ts'
import { rewind, type ShownBug } from './rewind.ts'

const fields = definitionsOf(
  Object.entries({
    priority: FIELD_TYPE.singleSelect,
    cf_many: FIELD_TYPE.multiSelect,
    cf_bug: FIELD_TYPE.bugId,
    cf_time: FIELD_TYPE.dateTime,
    cf_day: FIELD_TYPE.date,
    cf_text: FIELD_TYPE.freeText,
  }).map(([name, type], id) => ({ id, name, type, values: [] as const }) as unknown as FieldDefinition),
)

/** The bug before these changes, the oldest of which comes first. */
function before(bug: ShownBug, ...changes: [field: string, removed: string, added: string][]): ShownBug {
  const rows = changes.map(
    ([field, removed, added], index): HistoryRow => ({
      change_id: index,
      at: '2026-01-01T00:00:00Z',
      who: 'ada',
      field,
      removed,
      added,
      attachment_id: null,
    }),
  )
  return rewind(bug, rows, fields)
}

describe('a bug as it was before changes', () => {
  it('has the values that they replaced, and leaves the bug of today alone', () => {
    const bug = { summary: 'c', priority: 'High', url: 'x' }
    assert.deepEqual(before(bug, ['summary', 'a', 'b'], ['priority', 'Low', 'High'], ['summary', 'b', 'c']), {
      summary: 'a',
      priority: 'Low',
      url: 'x',
    })
    assert.equal(bug.summary, 'c')
  })

  it('shows no field that the bug of today does not show', () => {
    assert.deepEqual(before({ id: 1 }, ['estimated_time', '7', '0'], ['toString', 'a', 'b']), { id: 1 })
  })

  it('has flags, dates and hours in the form of the API', () => {
    const bug = { is_confirmed: true, is_cc_accessible: true, deadline: null, estimated_time: 2, remaining_time: 1.5 }
    const changes = [
      ['is_confirmed', '0', '1'],
      ['is_cc_accessible', '1', '0'],
      ['deadline', '2026-02-03', ''],
      ['estimated_time', '4.50', '2.00'],
      ['remaining_time', '3.25', '1.50'],
    ] as const
    assert.deepEqual(before(bug, ...changes.map((it): [string, string, string] => [...it])), {
      is_confirmed: false,
      is_cc_accessible: true,
      deadline: '2026-02-03',
      estimated_time: 4.5,
      remaining_time: 3.25,
    })
    assert.deepEqual(before({ deadline: '2026-02-03' }, ['deadline', '', '2026-02-03']), { deadline: null })
  })

  it('has the hours worked until then, without the errors of sums in binary', () => {
    assert.deepEqual(before({ actual_time: 0.3 }, ['work_time', '', '0.10']), { actual_time: 0.2 })
    assert.deepEqual(before({ actual_time: 3.75 }, ['work_time', '', '1.25'], ['work_time', '', '2']), {
      actual_time: 0.5,
    })
  })

  it('has the lists of then: what was added is gone, what was removed is back, each once', () => {
    const bug = { cc: ['eve', 'zoe'], depends_on: [10, 9], groups: ['b'] }
    assert.deepEqual(before(bug, ['cc', 'Ada', 'eve'], ['depends_on', '100, 9', '10'], ['groups', '', 'b']), {
      cc: ['Ada', 'zoe'],
      depends_on: [9, 100],
      groups: [],
    })
  })

  it('sorts lists as the API does: names without regard to case, numbers by size, and not what has an order of its own', () => {
    const bug = { keywords: ['x'], blocks: [1], cf_many: ['x'], alias: ['x'], see_also: ['x'], cc_detail: ['b', 'a'] }
    const b = 'b, A, C, a'
    assert.deepEqual(
      before(
        bug,
        ['keywords', b, 'x'],
        ['blocks', '20, 3', '1'],
        ['cf_many', b, 'x'],
        ['alias', b, 'x'],
        ['see_also', b, ''],
      ),
      {
        keywords: ['A', 'a', 'b', 'C'],
        blocks: [3, 20],
        cf_many: ['A', 'a', 'b', 'C'],
        alias: ['b', 'A', 'C', 'a'],
        see_also: ['x', 'b', 'A', 'C', 'a'],
        cc_detail: ['b', 'a'],
      },
    )
  })

  it('has custom times and texts in the form of the API', () => {
    const now = { cf_time: null, cf_day: null, cf_text: 'new' }
    assert.deepEqual(
      before(now, ['cf_time', '2026-02-03 04:05:06', ''], ['cf_day', '2026-02-03', ''], ['cf_text', '', 'new']),
      { cf_time: '2026-02-03T04:05:06Z', cf_day: '2026-02-03T00:00:00Z', cf_text: '' },
    )
    const then = { cf_time: '2026-02-03T04:05:06Z', cf_day: '2026-02-03T00:00:00Z' }
    assert.deepEqual(before(then, ['cf_time', '', 'x'], ['cf_day', '', 'x']), { cf_time: null, cf_day: null })
  })

  it('names the bug of a custom link of then, of which the first is shown', () => {
    const linked = (now: number | null, removed: string, added: string) =>
      before({ cf_bug: now }, ['cf_bug', removed, added]).cf_bug
    assert.equal(linked(7, '', '7'), null)
    assert.equal(linked(7, '5, 6', '7'), 5)
    assert.equal(linked(null, '5', ''), 5)
    assert.equal(linked(7, '', '8'), 7)
    assert.equal(linked(7, '5', ''), 7)
  })
})
