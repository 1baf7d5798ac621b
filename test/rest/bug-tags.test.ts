import assert from 'node:assert/strict'
import { it } from 'node:test'
import { getBugRow, insertBug } from '../support/bug-rows.ts'
import { cast } from '../support/cast.ts'
import { newProduct } from '../support/new-product.ts'
import { assertRefused } from '../support/refusal.ts'
import { describeOnEachEngine, itOnOneEngine, type World } from '../support/world.ts'

async function newBug(world: World, more: { groups?: string[] } = {}) {
  const { name } = await newProduct(world)
  return insertBug(world, { product: name, component: 'Core', assigned_to: cast.ada.login, ...more })
}

async function tagsOf(client: World['ada'], bug: number) {
  return (await client.get(`/rest/bug/${bug}?include_fields=tags`)).body.bugs[0].tags
}

describeOnEachEngine('PUT /rest/bug/(id)/tags', (world) => {
  itOnOneEngine(world, 'puts tags on a bug for every user who sees it, and returns all that it has', async () => {
    const bug = await newBug(world)
    const first = await world.stan.put(`/rest/bug/${bug}/tags`, { add: ['Later', ' to do '] })
    assert.deepEqual({ status: first.status, body: first.body }, { status: 200, body: ['later', 'to do'] })
    assert.deepEqual((await world.stan.put(`/rest/bug/${bug}/tags`, { add: 'again' })).body, [
      'again',
      'later',
      'to do',
    ])
    assert.deepEqual(await tagsOf(world.stan, bug), ['again', 'later', 'to do'])
  })

  it('takes tags away, also those that are added at once; what is not there does no harm', async () => {
    const bug = await newBug(world)
    await world.stan.put(`/rest/bug/${bug}/tags`, { add: ['one', 'two', 'TWO'] })
    const changed = await world.stan.put(`/rest/bug/${bug}/tags`, {
      add: ['three', 'four'],
      remove: ['One', 'three', 'x'],
    })
    assert.deepEqual(changed.body, ['four', 'two'])
    assert.deepEqual((await world.stan.put(`/rest/bug/${bug}/tags`, {})).body, ['four', 'two'])
  })

  itOnOneEngine(world, 'shows the tags to no other user', async () => {
    const bug = await newBug(world)
    await world.stan.put(`/rest/bug/${bug}/tags`, { add: ['mine'] })
    assert.deepEqual(await tagsOf(world.ada, bug), [])
    assert.deepEqual(await tagsOf(world.nobody, bug), [])
    assert.deepEqual((await world.edna.put(`/rest/bug/${bug}/tags`, { remove: ['mine'] })).body, [])
    assert.deepEqual(await tagsOf(world.stan, bug), ['mine'])
  })

  itOnOneEngine(world, 'is no change of the bug', async () => {
    const bug = await newBug(world)
    const before = await getBugRow(world, bug)
    await world.stan.put(`/rest/bug/${bug}/tags`, { add: ['quiet'] })
    assert.deepEqual(await getBugRow(world, bug), before)
  })

  it('takes a tag of 64 characters, and refuses one that is longer, empty or has commas', async () => {
    const bug = await newBug(world)
    const longest = 'x'.repeat(64)
    assert.deepEqual((await world.stan.put(`/rest/bug/${bug}/tags`, { add: [longest] })).body, [longest])
    for (const tag of [`${longest}x`, '', '  ', 'a,b', 'a\u0007b', 'two\nlines'])
      assertRefused(await world.stan.put(`/rest/bug/${bug}/tags`, { add: ['good', tag] }), 400, 53)
    assertRefused(await world.stan.put(`/rest/bug/${bug}/tags`, { add: [{}] }), 400, 58)
    assertRefused(await world.stan.put(`/rest/bug/${bug}/tags`, { add: { set: [] } }), 400, 58)
    assert.deepEqual(await tagsOf(world.stan, bug), [longest])
  })

  itOnOneEngine(world, 'refuses anonymous callers, and bugs that are not there for the caller', async () => {
    const bug = await newBug(world)
    const hidden = await newBug(world, { groups: ['security'] })
    assertRefused(await world.nobody.put(`/rest/bug/${bug}/tags`, { add: ['x'] }), 401, 410)
    assertRefused(await world.stan.put(`/rest/bug/${hidden}/tags`, { add: ['x'] }), 401, 102)
    assertRefused(await world.stan.put('/rest/bug/2000000/tags', { add: ['x'] }), 404, 101)
    assertRefused(await world.stan.put('/rest/bug/no-such/tags', { add: ['x'] }), 400, 100)
    assert.deepEqual((await world.sven.put(`/rest/bug/${hidden}/tags`, { add: ['x'] })).body, ['x'])
  })
})
