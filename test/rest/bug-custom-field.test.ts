import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { fileBug, newBug, readBug, readField } from '../support/file-bug.ts'
import { newHiddenProduct, newProduct } from '../support/new-product.ts'
import { assertRefused } from '../support/refusal.ts'
import { describeOnOneEngine, itOnce, type World } from '../support/world.ts'

const TYPES = {
  cf_text: 1,
  cf_drop: 2,
  cf_multi: 3,
  cf_large: 4,
  cf_when: 5,
  cf_ref: 6,
  cf_date: 9,
  cf_int: 10,
}

describeOnOneEngine('Custom fields of a bug', (world) => {
  before(async () => {
    for (const [name, type] of Object.entries(TYPES))
      await newField(world, { name, type, ...(type === 2 || type === 3 ? { values: ['red', 'green', 'blue'] } : {}) })
    await world.ada.post('/rest/field/bug/cf_drop/values', { name: 'old', is_active: false })
  })

  it('are all answered, with what stands for nothing', async () => {
    const id = await fileBug(world.edna)
    assert.deepEqual(await readBug(world.nobody, id, '?include_fields=_custom'), {
      cf_text: '',
      cf_drop: '---',
      cf_multi: [],
      cf_large: '',
      cf_when: null,
      cf_ref: null,
      cf_date: null,
      cf_int: '0',
    })
  })

  it('are kept in the form of their type', async () => {
    const other = await fileBug(world.edna)
    const id = await fileBug(world.edna, {
      cf_text: '  one\nline ',
      cf_drop: 'GREEN',
      cf_multi: ['Blue', 'red', 'blue'],
      cf_large: 'two\r\nlines',
      cf_when: '2026-01-02T03:04:05+01:00',
      cf_ref: other,
      cf_date: '2026-01-02',
      cf_int: '-42',
    })
    assert.deepEqual(await readBug(world.nobody, id, '?include_fields=_custom'), {
      cf_text: 'one line',
      cf_drop: 'green',
      cf_multi: ['blue', 'red'],
      cf_large: 'two\nlines',
      cf_when: '2026-01-02T02:04:05Z',
      cf_ref: other,
      cf_date: '2026-01-02T00:00:00Z',
      cf_int: '-42',
    })
  })

  const empty: [field: string, given: unknown, kept: unknown][] = [
    ['cf_text', '', ''],
    ['cf_text', null, ''],
    ['cf_drop', '---', '---'],
    ['cf_drop', null, '---'],
    ['cf_multi', [], []],
    ['cf_multi', 'green', ['green']],
    ['cf_multi', '', []],
    ['cf_when', '', null],
    ['cf_when', '0000-00-00 00:00:00', null],
    ['cf_when', '2026-01-02 03:04', '2026-01-02T03:04:00Z'],
    ['cf_when', '2026-01-02', '2026-01-02T00:00:00Z'],
    ['cf_ref', '', null],
    ['cf_int', '', '0'],
    ['cf_int', 0, '0'],
    ['cf_int', 2147483647, '2147483647'],
  ]
  for (const [field, given, kept] of empty) {
    it(`makes ${JSON.stringify(kept)} of ${JSON.stringify(given)} in ${field}`, async () => {
      const id = await fileBug(world.edna, { [field]: given })
      assert.deepEqual(await readField(world.edna, id, field), kept)
    })
  }

  const wrong: [title: string, field: string, given: unknown, status: number, code: number][] = [
    ['text that is too long', 'cf_text', 'x'.repeat(256), 400, 104],
    ['a list as text', 'cf_text', ['a'], 400, 53],
    ['an unknown choice', 'cf_drop', 'purple', 404, 51],
    ['no choice at all', 'cf_drop', '', 400, 50],
    ['a choice that is no longer in use', 'cf_drop', 'old', 400, 32000],
    ['one unknown choice of several', 'cf_multi', ['red', 'purple'], 404, 51],
    ['an object among choices', 'cf_multi', [{ a: 1 }], 400, 53],
    ['a moment that is none', 'cf_when', 'soon', 400, 56],
    ['a day that no month has', 'cf_date', '2026-02-30', 400, 56],
    ['a bug that does not exist', 'cf_ref', 999999, 404, 101],
    ['a word for a bug', 'cf_ref', 'nosuch', 400, 100],
    ['a word for a number', 'cf_int', 'many', 400, 32000],
    ['a number with a fraction', 'cf_int', 1.5, 400, 32000],
    ['a number that is too large', 'cf_int', 2147483648, 400, 54],
    ['a number that is too small', 'cf_int', -2147483649, 400, 55],
  ]
  for (const [title, field, given, status, code] of wrong) {
    itOnce(world, `refuse ${title}`, async () =>
      assertRefused(await world.edna.post('/rest/bug', newBug({ [field]: given })), status, code),
    )
  }

  it('refuse a bug that the caller may not see, and show other users only bugs that they may see', async () => {
    const { name } = await newHiddenProduct(world)
    const hidden = await fileBug(world.sven, { product: name, component: 'Core' })
    assertRefused(await world.edna.post('/rest/bug', newBug({ cf_ref: hidden })), 401, 102)
    const id = await fileBug(world.sven, { cf_ref: hidden })
    assert.equal((await readBug(world.sven, id)).cf_ref, hidden)
    assert.equal((await readBug(world.edna, id)).cf_ref, null)
    assert.equal((await readBug(world.nobody, id)).cf_ref, null)
  })

  it('are left out of an answer with exclude_fields=_custom, and of bugs when they are obsolete', async () => {
    const name = world.unique('cf_old')
    await newField(world, { name, type: 1 })
    const id = await fileBug(world.edna, { [name]: 'x' })
    assert.equal(await readField(world.edna, id, name), 'x')
    const without = await readBug(world.edna, id, '?exclude_fields=_custom')
    assert.deepEqual(
      Object.keys(without).filter((field) => field.startsWith('cf_')),
      [],
    )
    await world.ada.put(`/rest/field/bug/${name}`, { is_obsolete: true })
    assert.ok(!(name in (await readBug(world.edna, id))))
    assertRefused(await world.edna.post('/rest/bug', newBug({ [name]: 'y' })), 400, 53)
  })

  describe('that are mandatory', () => {
    it('are needed where they are shown, and only there', async () => {
      const product = await newProduct(world)
      const name = world.unique('cf_must')
      await newField(world, {
        name,
        type: 2,
        values: ['yes'],
        is_mandatory: true,
        visibility_field: 'product',
        visibility_values: [product.name],
      })
      await fileBug(world.edna)
      const here = newBug({ product: product.name, component: 'Core' })
      assertRefused(await world.edna.post('/rest/bug', here), 400, 32000)
      assertRefused(await world.edna.post('/rest/bug', { ...here, [name]: '---' }), 400, 32000)
      await fileBug(world.edna, { ...here, [name]: 'yes' })
    })

    it('are needed with a choice in another custom field', async () => {
      const product = await newProduct(world)
      const name = world.unique('cf_why')
      await newField(world, {
        name,
        type: 1,
        is_mandatory: true,
        visibility_field: 'cf_drop',
        visibility_values: ['blue'],
      })
      const here = { product: product.name, component: 'Core' }
      await fileBug(world.edna, here)
      await fileBug(world.edna, { ...here, cf_drop: 'red' })
      assertRefused(await world.edna.post('/rest/bug', newBug({ ...here, cf_drop: 'blue' })), 400, 32000)
      await fileBug(world.edna, { ...here, cf_drop: 'blue', [name]: 'because' })
    })

    it('are not asked for when they are not on the form, or there is nothing to choose', async () => {
      const offForm = world.unique('cf_off')
      const nothing = world.unique('cf_none')
      await newField(world, { name: offForm, type: 1, is_mandatory: true, is_on_bug_entry: false })
      await newField(world, { name: nothing, type: 2, is_mandatory: true })
      await fileBug(world.edna)
    })
  })
})

async function newField(world: World, field: { name: string } & Record<string, unknown>) {
  const { status, text } = await world.ada.post('/rest/field/bug', {
    display_name: field.name,
    is_on_bug_entry: true,
    ...field,
  })
  assert.equal(status, 201, text)
}
