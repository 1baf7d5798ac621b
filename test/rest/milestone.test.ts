import assert from 'node:assert/strict'
import { it } from 'node:test'
import { insertBug, readBugRow } from '../support/bug-rows.ts'
import { cast } from '../support/cast.ts'
import { newAdministratorOf } from '../support/new-member.ts'
import { newHiddenProduct, newProduct } from '../support/new-product.ts'
import { inOneWorld } from '../support/one-world.ts'
import { assertRefused } from '../support/refusal.ts'
import { itOnPostgres, randomCases } from '../support/sample.ts'
import { sure } from '../support/sure.ts'
import { testWhoMayChange } from '../support/who-may-change.ts'
import type { World } from '../support/world.ts'

const describeTogether = inOneWorld()

async function milestonesOf(world: World, product: string) {
  const { status, body, text } = await world.ada.get(`/rest/product/${product}/milestone`)
  assert.equal(status, 200, text)
  return body.milestones
}

async function namesOf(world: World, product: string): Promise<string[]> {
  return (await milestonesOf(world, product)).map(({ name }) => name)
}

async function defaultOf(world: World, product: string): Promise<string> {
  const { body } = await world.ada.get(`/rest/product/${product}?include_fields=default_milestone`)
  return body.products[0].default_milestone
}

async function withMilestones(world: World, ...names: string[]) {
  const { name } = await newProduct(world)
  for (const milestone of names) await world.ada.post(`/rest/product/${name}/milestone`, { name: milestone })
  return name
}

describeTogether.onOneEngine('GET /rest/product/(product)/milestone', (world) => {
  it('lists milestones by sort key, then by name, to every user who may see the product', async () => {
    const product = await withMilestones(world, 'beta', 'Alpha')
    await world.ada.post(`/rest/product/${product}/milestone`, { name: 'past', sort_key: -32_768, is_active: false })
    await world.ada.post(`/rest/product/${product}/milestone`, { name: 'future', sort_key: 32_767 })
    assert.deepEqual(await namesOf(world, product), ['past', '---', 'Alpha', 'beta', 'future'])
    const { body } = await world.nobody.get(`/rest/product/${product}/milestone?exclude_fields=id`)
    assert.deepEqual(body.milestones[0], { name: 'past', sort_key: -32_768, is_active: false })
  })

  it('treats a hidden product like one that does not exist', async () => {
    const hidden = await newHiddenProduct(world)
    for (const ref of [hidden.name, 'NoSuch'])
      assertRefused(await world.stan.get(`/rest/product/${ref}/milestone`), 401, 106)
  })
})

describeTogether.onOneEngine('POST /rest/product/(product)/milestone', (world) => {
  it('makes a milestone', async () => {
    const { name: product } = await newProduct(world)
    const { status, body } = await world.ada.post(`/rest/product/${product}/milestone`, {
      name: ' M1 ',
      sort_key: '10',
    })
    assert.equal(status, 201)
    assert.deepEqual((await milestonesOf(world, product))[1], {
      id: body.id,
      name: 'M1',
      sort_key: 10,
      is_active: true,
    })
  })

  it('refuses with the numbers of the table, and changes nothing', async () => {
    const product = await withMilestones(world, 'M1')
    const before = await milestonesOf(world, product)
    const cases: [body: object, code: number][] = [
      [{}, 50],
      [{ name: ' ' }, 50],
      [{ name: 'x'.repeat(65) }, 53],
      [{ name: 'm1' }, 32000],
      [{ name: 'a', sort_key: -32_769 }, 53],
      [{ name: 'a', sort_key: 32_768 }, 53],
      [{ name: 'a', sort_key: 1.5 }, 52],
    ]
    for (const [body, code] of cases)
      assertRefused(await world.ada.post(`/rest/product/${product}/milestone`, body), 400, code)
    assert.deepEqual(await milestonesOf(world, product), before)
  })
})

describeTogether.onOneEngine('PUT /rest/product/(product)/milestone/(milestone)', (world) => {
  it('changes a milestone; bugs and the product’s default follow its new name', async () => {
    const { name: product } = await newProduct(world)
    const [{ id }] = await milestonesOf(world, product)
    const bug = await insertBug(world, { product, component: 'Core' })
    const wanted = { name: 'Future', sort_key: -1 }
    const { status, body } = await world.ada.put(`/rest/product/${product}/milestone/---`, wanted)
    assert.equal(status, 200)
    assert.deepEqual(body.milestones, [
      { id, changes: { name: { removed: '---', added: 'Future' }, sort_key: { removed: '0', added: '-1' } } },
    ])
    const row = await readBugRow(world, bug)
    assert.deepEqual([row?.milestone, row?.history], ['Future', []])
    assert.equal(await defaultOf(world, product), 'Future')
  })

  it('changes several milestones alike, or none of them', async () => {
    const product = await withMilestones(world, 'M1', 'M2')
    const path = `/rest/product/${product}/milestone/M1` as const
    const { body } = await world.ada.put(path, { names: ['M2'], is_active: false })
    assert.equal(body.milestones.length, 2)
    const before = await milestonesOf(world, product)
    assertRefused(await world.ada.put(path, { names: ['M2'], name: 'M3' }), 400, 32000)
    assertRefused(await world.ada.put(path, { names: ['---'], sort_key: 5, is_active: false }), 400, 32000)
    assert.deepEqual(await milestonesOf(world, product), before)
  })

  it('refuses with the numbers of the table, and changes nothing', async () => {
    const product = await withMilestones(world, 'M1')
    const before = await milestonesOf(world, product)
    const cases: [milestone: string, body: object, status: number, code: number][] = [
      ['NoSuch', { is_active: false }, 404, 51],
      ['M1', { name: '' }, 400, 50],
      ['M1', { name: '---' }, 400, 32000],
      ['M1', { sort_key: 99_999 }, 400, 53],
      ['M1', { shoe_size: 44 }, 400, 32601],
      ['---', { is_active: false }, 400, 32000],
    ]
    for (const [milestone, body, status, code] of cases)
      assertRefused(await world.ada.put(`/rest/product/${product}/milestone/${milestone}`, body), status, code)
    assert.deepEqual(await milestonesOf(world, product), before)
  })
})

describeTogether.onOneEngine('DELETE /rest/product/(product)/milestone/(milestone)', (world) => {
  it('moves the bugs of the milestone to the default one, which their history records', async () => {
    const product = await withMilestones(world, 'M1', 'M2')
    const long_ago = '2020-01-01T00:00:00Z'
    const moved = []
    for (const groups of [[], ['security']])
      moved.push(await insertBug(world, { product, component: 'Core', milestone: 'M1', groups, changed_at: long_ago }))
    const stays = await insertBug(world, { product, component: 'Core', milestone: 'M2', changed_at: long_ago })
    const administrator = await newAdministratorOf(world, product)
    const { status, body } = await administrator.client.delete(`/rest/product/${product}/milestone/m1`)
    assert.equal(status, 200)
    assert.equal(body.name, 'M1')
    for (const id of moved) {
      const bug = await readBugRow(world, id)
      assert.equal(bug?.milestone, '---')
      const [entry, ...more] = bug?.history ?? []
      assert.deepEqual(more, [])
      const { who, at, field, removed, added } = sure(entry)
      assert.deepEqual([who, field, removed, added], [administrator.login, 'target_milestone', 'M1', '---'])
      assert.equal(at, bug?.changed_at)
      assert.ok(at > long_ago)
    }
    const untouched = await readBugRow(world, stays)
    assert.deepEqual([untouched?.milestone, untouched?.changed_at, untouched?.history], ['M2', long_ago, []])
    assert.deepEqual(await namesOf(world, product), ['---', 'M2'])
  })

  it('refuses to delete the default one', async () => {
    const product = await withMilestones(world, 'M1')
    assertRefused(await world.ada.delete(`/rest/product/${product}/milestone/---`), 400, 32000)
    await world.ada.put(`/rest/product/${product}`, { default_milestone: 'M1' })
    assertRefused(await world.ada.delete(`/rest/product/${product}/milestone/M1`), 400, 32000)
    assert.equal((await world.ada.delete(`/rest/product/${product}/milestone/---`)).status, 200)
    assertRefused(await world.ada.delete(`/rest/product/${product}/milestone/---`), 404, 51)
  })
})

describeTogether.onOneEngine('who may change milestones', (world) => testWhoMayChange(world, 'milestone'))

describeTogether('two administrators of milestones at once', (world) => {
  it('cannot make one the default that the other deletes', async () => {
    for (let times = 0; times < randomCases(1); times++) {
      const product = await withMilestones(world, 'M1')
      const bug = await insertBug(world, { product, component: 'Core', milestone: 'M1' })
      const [chosen, deleted] = await Promise.all([
        world.ada.put(`/rest/product/${product}`, { default_milestone: 'M1' }),
        world.ada.delete(`/rest/product/${product}/milestone/M1`),
      ])
      if (deleted.status === 200) assertRefused(chosen, 400, 705)
      else assertRefused(deleted, 400, 32000)
      const names = await namesOf(world, product)
      assert.ok(names.includes(await defaultOf(world, product)))
      assert.ok(names.includes((await readBugRow(world, bug))?.milestone ?? ''))
    }
  })

  itOnPostgres(world, 'cannot both rename two milestones to one name', async () => {
    const product = await withMilestones(world, 'M1', 'M2')
    const replies = await Promise.all(
      ['M1', 'M2'].map((it) => world.ada.put(`/rest/product/${product}/milestone/${it}`, { name: 'Same' })),
    )
    assert.deepEqual(replies.map(({ status }) => status).sort(), [200, 400])
    assert.equal((await namesOf(world, product)).filter((name) => name === 'Same').length, 1)
  })

  itOnPostgres(world, 'are not in each other’s way when another user’s account is involved', async () => {
    const product = await withMilestones(world, 'M1')
    const replies = await Promise.all([
      world.ada.put(`/rest/product/${product}/milestone/M1`, { sort_key: 7 }),
      world.uma.put(`/rest/user/${cast.rhea.login}`, { full_name: 'Rhea Reporter' }),
      world.ada.put(`/rest/product/${product}/milestone/M1`, { is_active: false }),
    ])
    assert.ok(replies.every(({ status }) => status === 200))
    const milestone = (await milestonesOf(world, product)).find(({ name }) => name === 'M1')
    assert.deepEqual([milestone.sort_key, milestone.is_active], [7, false])
  })
})
