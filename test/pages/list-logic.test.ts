import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { listCall, ROWS_AT_ONCE } from '../../shared/first-calls.ts'
import { freePlace } from '../../web/frame/free-place.ts'
import {
  type Bracket,
  type Part,
  readCriteria,
  withCondition,
  withCriteria,
} from '../../web/views/list/criteria/criteria.ts'
import { formConditions, withoutForm } from '../../web/views/list/criteria/form-criteria.ts'
import { TableLayout } from '../../web/views/list/table/layout.ts'
import { readOrder, sortedBy, writeOrder } from '../../web/views/list/table/sort-order.ts'

const condition = fc.record(
  {
    field: fc.constantFrom('short_desc', 'priority', 'assigned_to'),
    operator: fc.constantFrom('equals', 'substring', 'changedto'),
    value: fc.string(),
    isNegated: fc.boolean(),
  },
  { noNullPrototype: true },
)
const { bracket } = fc.letrec<{ bracket: Bracket; part: Part }>((tie) => ({
  bracket: fc.record(
    {
      join: fc.constantFrom('AND', 'OR', 'AND_G'),
      isNegated: fc.boolean(),
      parts: fc.array(tie('part'), { minLength: 1, maxLength: 4 }),
    },
    { noNullPrototype: true },
  ),
  part: fc.oneof({ depthSize: 'small' }, condition, tie('bracket')),
}))

describe('the conditions of an advanced search', () => {
  it('are the same after they were in an address', () => {
    fc.assert(
      fc.property(bracket, (tree) => {
        const root = { ...tree, isNegated: false }
        const address = withCriteria(new URLSearchParams('product=Lamps'), root).toString()
        assert.deepEqual(readCriteria(new URLSearchParams(address)), root)
      }),
    )
  })

  it('stay joined as they were when a condition is added', () => {
    const query = new URLSearchParams('j_top=OR&f1=priority&o1=equals&v1=High&f2=priority&o2=equals&v2=Low')
    const { join, parts } = readCriteria(withCondition(query, 'status', 'NEW'))
    assert.equal(join, 'AND')
    assert.deepEqual(parts[0], readCriteria(query))
    assert.deepEqual(parts[1], { field: 'status', operator: 'equals', value: 'NEW', isNegated: false })
  })
})

describe('the search form of Bugzilla', () => {
  it('becomes conditions that mean the same', () => {
    const form =
      'email1=bo&emailtype1=exact&emailcc1=1&emaillongdesc1=1&chfield=priority&chfieldfrom=-7d&chfieldvalue=High&deadlineto=2026-12-01'
    const search = new URLSearchParams(`product=Lamps&${form}`)
    const where = (field: string, operator: string, value: string) => ({ field, operator, value, isNegated: false })
    assert.deepEqual(formConditions(search), [
      { join: 'OR', isNegated: false, parts: [where('cc', 'equals', 'bo'), where('commenter', 'equals', 'bo')] },
      {
        join: 'AND_G',
        isNegated: false,
        parts: [where('priority', 'changedafter', '-7d'), where('priority', 'changedto', 'High')],
      },
      where('deadline', 'lessthaneq', '2026-12-01'),
    ])
    assert.equal(withoutForm(search).toString(), 'product=Lamps')
  })
})

describe('the places of rows', () => {
  const groups = fc.array(fc.record({ value: fc.uuid(), count: fc.nat(30) }), { minLength: 1, maxLength: 8 })

  it('are those of the lines that are drawn, with every row of the window once', () => {
    fc.assert(
      fc.property(groups, fc.nat(1500), fc.nat(600), fc.nat(8), (all, from, height, foldedGroup) => {
        const folded = new Set(all.slice(foldedGroup, foldedGroup + 1).map(({ value }) => value))
        const layout = new TableLayout(0, all, folded, { row: 24, heading: 32 })
        const { lines } = layout.between(from, from + height)
        const drawn = lines.flatMap((line) => (line.kind === 'row' ? [line.row] : []))
        assert.deepEqual(
          drawn,
          [...new Set(drawn)].sort((one, other) => one - other),
        )
        for (let row = 0; row < layout.rows; row++) {
          if (layout.sectionOf(row)?.isFolded) continue
          const top = layout.topOf(row)
          if (top >= from && top + 24 <= from + height) assert.ok(drawn.includes(row), `row ${row} at ${top}`)
        }
      }),
    )
  })

  it('let one step over folded groups, and stay at the ends', () => {
    const all = [
      { value: 'a', count: 2 },
      { value: 'b', count: 3 },
      { value: 'c', count: 1 },
    ]
    const layout = new TableLayout(0, all, new Set(['b']), { row: 24, heading: 32 })
    assert.deepEqual([layout.next(1, 1), layout.next(5, -1), layout.next(5, 1), layout.next(0, -1)], [5, 1, 5, 0])
  })
})

describe('the order of a list', () => {
  it('turns round at a second click, and takes a second column with Shift', () => {
    const once = sortedBy(readOrder('changeddate DESC'), 'priority', false)
    const twice = sortedBy(once, 'priority', false)
    assert.deepEqual([writeOrder(once), writeOrder(twice)], ['priority', 'priority DESC'])
    assert.equal(writeOrder(sortedBy(twice, 'changeddate', true)), 'priority DESC,changeddate DESC')
  })

  it('is by group first, and never names what the address must not choose', () => {
    const call = new URLSearchParams(
      listCall(new URLSearchParams('group=priority&order=bug_id&limit=0&include_fields=data&columns=cf_x,a%20b')).split(
        '?',
      )[1],
    )
    assert.equal(call.get('order'), 'priority,bug_id')
    assert.equal(call.get('limit'), String(ROWS_AT_ONCE))
    assert.match(call.get('include_fields') ?? '', /,cf_x$/)
  })
})

describe('a message', () => {
  const box = fc
    .record({ left: fc.integer({ min: 0, max: 1200 }), top: fc.integer({ min: 0, max: 760 }) })
    .map(({ left, top }) => ({ left, top, right: left + 120, bottom: top + 40 }))
  const area = { left: 0, top: 0, right: 1280, bottom: 800 }
  const overlap = (one: typeof area, other: typeof area) =>
    one.left < other.right && one.right > other.left && one.top < other.bottom && one.bottom > other.top

  it('covers nothing that can be used, and is in sight', () => {
    fc.assert(
      fc.property(fc.array(box, { maxLength: 12 }), (taken) => {
        const { left, top } = freePlace({ width: 300, height: 44 }, taken, area)
        const placed = { left, top, right: left + 300, bottom: top + 44 }
        assert.ok(left >= 0 && top >= 0 && placed.right <= 1280 && placed.bottom <= 800)
        assert.ok(!taken.some((it) => overlap(it, placed)))
      }),
    )
    assert.deepEqual(freePlace({ width: 300, height: 44 }, [], area), { left: 964, top: 740, isFree: true })
    const bar = { left: 0, top: 740, right: 1280, bottom: 784 }
    assert.equal(freePlace({ width: 300, height: 44 }, [bar], area).top, 692)
    // Where everything can be used, it is still in sight.
    const { top, isFree } = freePlace({ width: 300, height: 44 }, [area], area)
    assert.ok(top >= 0 && top <= 756 && !isFree)
  })
})
