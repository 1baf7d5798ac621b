import assert from 'node:assert/strict'
import { before, it } from 'node:test'
import { insertBug } from '../support/bug-rows.ts'
import { cast } from '../support/cast.ts'
import { changeBug, historyOf } from '../support/change-bug.ts'
import { fileBug, readBug, readField } from '../support/file-bug.ts'
import { newProduct } from '../support/new-product.ts'
import { assertRefused } from '../support/refusal.ts'
import { summariesOf } from '../support/search.ts'
import { sure } from '../support/sure.ts'
import { describeOnOneEngine } from '../support/world.ts'

const TYPES = { cf_text: 1, cf_drop: 2, cf_multi: 3, cf_large: 4, cf_when: 5, cf_ref: 6, cf_date: 9, cf_int: 10 }

describeOnOneEngine('Custom fields in an update', (world) => {
  const newField = async (field: Record<string, unknown>) => {
    const { status, text } = await world.ada.post('/rest/field/bug', { display_name: field.name, ...field })
    assert.equal(status, 201, text)
  }

  before(async () => {
    for (const [name, type] of Object.entries(TYPES))
      await newField({ name, type, ...([2, 3].includes(type) && { values: ['red', 'green', 'blue'] }) })
  })

  const CHANGES: [field: string, value: unknown, removed: string, added: string, read: unknown][] = [
    ['cf_text', ' some\nwords ', '', 'some words', 'some words'],
    ['cf_drop', 'GREEN', '---', 'green', 'green'],
    ['cf_multi', ['red', 'Blue'], '', 'blue, red', ['blue', 'red']],
    ['cf_large', 'two\r\nlines', '', 'two\nlines', 'two\nlines'],
    ['cf_when', '2026-01-02T03:04:05Z', '', '2026-01-02 03:04:05', '2026-01-02T03:04:05Z'],
    ['cf_date', '2026-01-02', '', '2026-01-02', '2026-01-02T00:00:00Z'],
    ['cf_int', '-42', '0', '-42', '-42'],
  ]

  for (const [field, value, removed, added, read] of CHANGES)
    it(`change with a line in history, and back: ${field}`, async () => {
      const id = await fileBug(world.edna)
      const returned = sure((await changeBug(world.edna, id, { [field]: value }))[field])
      const sorted = (words: string) => words.split(', ').sort().join(', ')
      assert.deepEqual({ ...returned, added: sorted(returned.added) }, { removed, added })
      const kept = await readField(world.edna, id, field)
      assert.deepEqual(Array.isArray(kept) ? kept.sort() : kept, read)
      assert.deepEqual(await changeBug(world.edna, id, { [field]: value }), {})
      const empty = field === 'cf_multi' ? [] : removed
      const back = sure((await changeBug(world.edna, id, { [field]: empty }))[field])
      assert.deepEqual({ removed: sorted(back.removed), added: back.added }, { removed: added, added: removed })
    })

  it('return only the differences of a list', async () => {
    const id = await fileBug(world.edna, { cf_multi: ['red', 'green'] })
    assert.deepEqual(await changeBug(world.edna, id, { cf_multi: ['green', 'blue'] }), {
      cf_multi: { removed: 'red', added: 'blue' },
    })
    assert.deepEqual(await historyOf(world.edna, id), ['edna: cf_multi red → blue'])
    await changeBug(world.edna, id, { cf_multi: 'red' })
    assert.deepEqual((await readBug(world.edna, id)).cf_multi, ['red'])
  })

  it('are found by their values, and bugs without one by ---', async () => {
    const product = await newProduct(world)
    const place = { product: product.name, component: 'Core', version: '1.0' }
    for (const cf_drop of ['red', 'green']) await fileBug(world.edna, { ...place, summary: cf_drop, cf_drop })
    await fileBug(world.edna, { ...place, summary: 'none' })
    const found = (operator: string, value: string) =>
      summariesOf(world.edna, { product: product.name, f1: 'cf_drop', o1: operator, v1: value })
    assert.deepEqual(await found('equals', 'GREEN'), ['green'])
    assert.deepEqual(await found('anyexact', 'red,green'), ['red', 'green'])
    assert.deepEqual(await found('equals', '---'), ['none'])
    assert.deepEqual(await found('anyexact', 'red,---'), ['red', 'none'])
    assert.deepEqual(await found('notequals', 'red'), ['green', 'none'])
    assert.deepEqual(await found('equals', 'blue'), [])
  })

  it('refuse what is not of their kind, and keep what they had', async () => {
    const id = await fileBug(world.edna, { cf_text: 'kept' })
    for (const [change, status, code] of [
      [{ cf_drop: '' }, 400, 50],
      [{ cf_drop: 'pink' }, 404, 51],
      [{ cf_multi: ['pink'] }, 404, 51],
      [{ cf_text: 'x'.repeat(256) }, 400, 104],
      [{ cf_text: {} }, 400, 53],
      [{ cf_when: 'soon' }, 400, 56],
      [{ cf_int: 'many' }, 400, 32_000],
      [{ cf_int: 3_000_000_000 }, 400, 54],
      [{ cf_ref: 99999999 }, 404, 101],
      [{ cf_ref: 'no-such-alias' }, 400, 100],
      [{ cf_ref: id }, 400, 32_000],
    ] as const)
      assertRefused(await world.edna.put(`/rest/bug/${id}`, { cf_text: 'lost', ...change }), status, code)
    assert.equal((await readBug(world.edna, id)).cf_text, 'kept')
    assert.deepEqual(await historyOf(world.edna, id), [])
  })

  it('name no bug that the caller cannot see, and go round in no circle', async () => {
    const [id, other, third] = [await fileBug(world.edna), await fileBug(world.edna), await fileBug(world.edna)]
    const hidden = await insertBug(world, {
      product: 'TestProduct',
      component: 'TestComponent',
      groups: ['security'],
      creator: cast.sven.login,
      assigned_to: cast.sven.login,
    })
    assertRefused(await world.edna.put(`/rest/bug/${id}`, { cf_ref: hidden }), 401, 102)
    await changeBug(world.sven, id, { cf_ref: hidden })
    assert.deepEqual(await changeBug(world.edna, id, { cf_ref: other }), {
      cf_ref: { removed: '', added: String(other) },
    })
    await changeBug(world.sven, id, { cf_ref: hidden })
    assert.deepEqual(await changeBug(world.edna, id, { cf_ref: '' }), {})
    assert.equal((await readBug(world.sven, id)).cf_ref, hidden)
    await changeBug(world.sven, id, { cf_int: hidden })
    assert.deepEqual(await changeBug(world.edna, id, { cf_int: 5 }), { cf_int: { removed: `${hidden}`, added: '5' } })
    assert.equal((await readBug(world.edna, id)).cf_int, '5', 'a number is not a link')
    await changeBug(world.edna, id, { cf_ref: other })
    await changeBug(world.edna, other, { cf_ref: third })
    assertRefused(await world.edna.put(`/rest/bug/${third}`, { cf_ref: id }), 400, 32_000)
  })

  it('are the same for several bugs', async () => {
    const ids = [await fileBug(world.edna), await fileBug(world.edna, { cf_text: 'both' })]
    const { body } = await world.edna.put('/rest/bug/update', { ids, cf_text: 'both', cf_multi: ['red'] })
    assert.deepEqual(
      body.bugs.map((bug: { changes: object }) => Object.keys(bug.changes).sort()),
      [['cf_multi', 'cf_text'], ['cf_multi']],
    )
  })

  it('that are mandatory are not emptied where they are shown', async () => {
    const product = await newProduct(world)
    await newField({
      name: 'cf_must',
      type: 1,
      is_mandatory: true,
      visibility_field: 'product',
      visibility_values: [product.name],
    })
    const id = await fileBug(world.edna, { product: product.name, component: 'Core', cf_must: 'words' })
    const elsewhere = await fileBug(world.edna, { cf_must: 'words' })
    assertRefused(await world.edna.put(`/rest/bug/${id}`, { cf_must: '' }), 400, 32_000)
    await changeBug(world.edna, id, { cf_must: 'others' })
    await changeBug(world.edna, elsewhere, { cf_must: '' })
    const unfilled = await fileBug(world.edna, { product: product.name, component: 'Core' })
    await changeBug(world.edna, unfilled, { priority: 'Low', cf_must: '' })
    const place = { product: product.name, component: 'Core', version: '1.0' }
    const moving = await fileBug(world.edna, { cf_must: 'words' })
    assertRefused(await world.edna.put(`/rest/bug/${moving}`, { ...place, cf_must: '' }), 400, 32_000)
    await changeBug(world.edna, elsewhere, place)
  })
})
