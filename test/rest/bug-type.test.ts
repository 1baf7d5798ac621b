import assert from 'node:assert/strict'
import { before, it } from 'node:test'
import { fileBug, readBug } from '../support/file-bug.ts'
import { newProduct } from '../support/new-product.ts'
import { assertRefused } from '../support/refusal.ts'
import { describeOnEachEngine } from '../support/world.ts'

describeOnEachEngine('The type of a bug', (world) => {
  let product = ''
  const ids: number[] = []
  const finds = async (query: Record<string, string>) => {
    const search = new URLSearchParams({ product, include_fields: 'id', order: 'bug_id', ...query })
    const { body } = await world.edna.get(`/rest/bug?${search}`)
    return body.bugs.map(({ id }: { id: number }) => ids.indexOf(id))
  }

  before(async () => {
    product = (await newProduct(world, ['Core'])).name
    const usual = { product, component: 'Core', version: '1.0' }
    for (const type of [undefined, 'task', 'Enhancement'])
      ids.push(await fileBug(world.edna, { ...usual, ...(type !== undefined && { type }) }))
  })

  it('is that of the parameter if a client files without it, and -- while the parameter is empty', async () => {
    const types = await Promise.all(ids.map(async (id) => (await readBug(world.nobody, id)).type))
    assert.deepEqual(types, ['defect', 'task', 'enhancement'])
    await world.ada.put('/rest/parameters', { default_bug_type: '' })
    const id = await fileBug(world.edna)
    assert.equal((await readBug(world.nobody, id)).type, '--')
    assertRefused(await world.ada.put('/rest/parameters', { default_bug_type: 'wish' }), 400, 53)
    // Bugs without a type have it, so that it stays.
    const none = '/rest/field/bug/bug_type/values/--'
    for (const change of [{ is_active: false }, { name: 'none' }])
      assertRefused(await world.ada.put(none, change), 400, 32000)
    assertRefused(await world.ada.delete(none), 400, 32000)
    await world.ada.put('/rest/parameters', { default_bug_type: 'DEFECT' })
    assert.equal((await readBug(world.nobody, await fileBug(world.edna))).type, 'defect')
  })

  it('is found by both names, in a quicksearch, in reports and lists', async () => {
    assert.deepEqual(await finds({ type: 'task' }), [1])
    assert.deepEqual(await finds({ bug_type: 'task' }), [1])
    assert.deepEqual(await finds({ bug_type: 'task', bug_type_type: 'notequals' }), [0, 2])
    assert.deepEqual(await finds({ quicksearch: `type:enhancement product:"${product}"` }), [2])
    assert.deepEqual(await finds({ f1: 'bug_type', o1: 'anyexact', v1: 'task,defect' }), [0, 1])
    assert.deepEqual(await finds({ order: 'bug_type DESC,bug_id' }), [1, 2, 0])
    const report = await world.edna.get(`/rest/report?product=${encodeURIComponent(product)}&y_axis_field=type`)
    assert.deepEqual(report.body.y_values, ['defect', 'enhancement', 'task'])
    const csv = await world.edna.get(`/rest/bug?product=${encodeURIComponent(product)}&ctype=csv&columnlist=bug_type`)
    assert.match(csv.text, /"id","type"[\s\S]*"task"/)
  })

  it('is changed by those who may change the severity, and recorded', async () => {
    const [id = 0] = ids
    assertRefused(await world.rhea.put(`/rest/bug/${id}`, { type: 'task' }), 401, 115)
    assertRefused(await world.edna.put(`/rest/bug/${id}`, { type: 'wish' }), 404, 51)
    const { body } = await world.edna.put(`/rest/bug/${id}`, { type: 'task' })
    assert.deepEqual(body.bugs[0].changes, { type: { removed: 'defect', added: 'task' } })
    const history = await world.nobody.get(`/rest/bug/${id}/history`)
    assert.deepEqual(history.body.bugs[0].history.at(-1).changes, [
      { field_name: 'type', removed: 'defect', added: 'task' },
    ])
    assert.deepEqual(await finds({ f1: 'bug_type', o1: 'changedfrom', v1: 'defect' }), [0])
    assert.deepEqual(await finds({ type: 'defect' }), [])
  })
})
