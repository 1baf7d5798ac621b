import assert from 'node:assert/strict'
import { it } from 'node:test'
import { mostCounted, needsSteps } from '../../src/catalogue/removals/begin-removal.ts'
import { continueRemoval } from '../../src/catalogue/removals/continue-removal.ts'
import type { RemovalJob } from '../../src/catalogue/removals/removal.ts'
import { copyBug, insertBug, readBugRow } from '../support/bug-rows.ts'
import { newMember } from '../support/new-member.ts'
import { inOneWorld } from '../support/one-world.ts'
import { assertRefused } from '../support/refusal.ts'
import { until } from '../support/until.ts'
import { describeWithDelivery, itOnOneEngine, type World } from '../support/world.ts'

/** More than need no steps. */
const MANY = 130

/** A product with bugs that have the same values. */
async function largeProduct(world: World, more: Partial<Parameters<typeof insertBug>[1]> = {}, bugs = MANY) {
  const product = world.unique('Large ')
  const { body } = await world.ada.post('/rest/product', { name: product, description: 'Large', version: '1' })
  for (const name of ['First', 'Second'])
    await world.ada.post('/rest/component', {
      ...{ product, name, description: 'Large', default_assignee: 'edna@lacewing.test' },
    })
  await world.ada.post(`/rest/product/${body.id}/milestone`, { name: 'Soon' })
  const first = await insertBug(world, { product, component: 'First', milestone: 'Soon', ...more })
  await copyBug(
    world,
    first,
    Array.from({ length: bugs - 1 }, (_, number) => `Bug ${number}`),
  )
  const ids = await world.db.query((q) => q.selectFrom('bugs').select('id').where('product_id', '=', body.id))
  return { id: body.id, product, bugs: ids.map(({ id }) => id) }
}

const removalsOf = async (world: World, id: number) =>
  (await world.ada.get(`/rest/admin/removals/${id}`)).body.removals[0]

/** Waits for the delivery, which makes the steps. */
async function isDone(world: World, id: number) {
  await until(async () => (await removalsOf(world, id))?.state !== 'running')
  return removalsOf(world, id)
}

describeWithDelivery('a removal in steps', (world) => {
  it('deletes a product after its bugs, and the product is closed at once', async () => {
    await world.withParameters({ allowbugdeletion: true }, async () => {
      const { id, product, bugs } = await largeProduct(world)
      const { status, body, text } = await world.ada.delete(`/rest/product/${id}?in_steps=1`)
      assert.equal(status, 200, text)
      const { removal } = body
      assert.ok(removal)
      const { begun_at, ended_at, ...rest } = removal
      assert.deepEqual(rest, {
        ...{ id: removal.id, class: 'Tracker::Product', object_id: id, name: product, replaced_with: null },
        ...{ state: 'running', reason: null, who: 'ada@lacewing.test', bugs: MANY, bugs_done: 0 },
      })
      const done = await isDone(world, removal.id)
      assert.deepEqual([done?.state, done?.bugs_done], ['done', MANY])
      assert.equal((await world.ada.get(`/rest/product/${id}`)).body.products.length, 0)
      assert.equal(await readBugRow(world, bugs[0] as number), undefined)
      const { body: audit } = await world.ada.get(`/rest/audit?class=Tracker::Product&id=${id}`)
      assert.deepEqual(
        audit.audit.slice(0, 2).map(({ who, field, removed, added }) => [who, field, removed, added]),
        [
          ['ada@lacewing.test', '__remove__', product, ''],
          ['ada@lacewing.test', 'is_open', '1', '0'],
        ],
      )
    })
  })

  itOnOneEngine(world, 'deletes a component, and bugs that are linked with its bugs lose the link', async () => {
    await world.withParameters({ allowbugdeletion: true }, async () => {
      const { product, bugs } = await largeProduct(world)
      const other = await insertBug(world, { product, component: 'Second' })
      await world.ada.put(`/rest/bug/${other}`, { depends_on: { add: [bugs[0], bugs[MANY - 1]] } })
      const path = `/rest/component/${encodeURIComponent(product)}/First` as const
      const { body } = await world.ada.delete(`${path}?in_steps=1`)
      assert.equal((await world.ada.get(path)).body.components[0]?.is_active, false)
      assert.equal((await isDone(world, body.removal?.id as number))?.state, 'done')
      assert.equal((await world.ada.get(path)).status, 404)
      const { body: left } = await world.ada.get(`/rest/bug/${other}?include_fields=depends_on`)
      assert.deepEqual(left.bugs, [{ depends_on: [] }])
    })
  })

  itOnOneEngine(world, 'gives the bugs of a milestone the default one, each with a line of history', async () => {
    const { id, bugs } = await largeProduct(world)
    const { body } = await world.ada.delete(`/rest/product/${id}/milestone/Soon?in_steps=1`)
    assert.equal((await isDone(world, body.removal?.id as number))?.state, 'done')
    for (const bug of [bugs[0], bugs[MANY - 1]] as number[]) {
      const row = await readBugRow(world, bug)
      assert.equal(row?.milestone, '---')
      assert.deepEqual(
        row?.history.map(({ who, field, removed, added }) => [who, field, removed, added]),
        [['ada@lacewing.test', 'target_milestone', 'Soon', '---']],
      )
    }
    const { body: found } = await world.ada.get(`/rest/product/${id}/milestone`)
    assert.deepEqual(
      found.milestones.map(({ name }) => name),
      ['---'],
    )
  })

  it('merges a value of a standard field, whose default moves at once', async () => {
    const name = world.unique('Someday ')
    await world.ada.post('/rest/field/bug/priority/values', { name })
    const { bugs } = await largeProduct(world, { priority: name })
    const search = await world.edna.post('/rest/saved_search', { name, query: `priority=${encodeURIComponent(name)}` })
    await world.withParameters({ defaultpriority: name }, async () => {
      const { body } = await world.ada.delete(
        `/rest/field/bug/priority/values/${encodeURIComponent(name)}?replace_with=Low&in_steps=1`,
      )
      assert.equal((await world.ada.get('/rest/parameters')).body.parameters.defaultpriority, 'Low')
      assert.deepEqual([body.removal?.class, body.removal?.replaced_with], ['Tracker::FieldValue', 'Low'])
      const done = await isDone(world, body.removal?.id as number)
      assert.deepEqual([done?.state, done?.bugs, done?.bugs_done], ['done', MANY, MANY])
      await world.ada.put('/rest/parameters', { defaultpriority: '---' })
    })
    const { body } = await world.ada.get(`/rest/bug/${bugs[MANY - 1]}?include_fields=priority`)
    assert.deepEqual(body.bugs, [{ priority: 'Low' }])
    const { body: saved } = await world.edna.get(`/rest/saved_search/${search.body.id}`)
    assert.match(JSON.stringify(saved), /priority=Low/)
  })

  itOnOneEngine(world, 'merges a value of a custom field for several, and a bug that has both keeps one', async () => {
    const { body: field } = await world.ada.post('/rest/field/bug', {
      ...{ name: 'cf_colours', display_name: 'Colours', type: 'multi select', values: ['Red', 'Crimson'] },
    })
    assert.ok(field.id)
    const { bugs } = await largeProduct(world)
    const [both = 0, ...single] = bugs
    const values = await world.db.query((q) =>
      q.selectFrom('field_values').select(['id', 'name']).where('field_id', '=', field.id),
    )
    const idOf = (name: string) => values.find((it) => it.name === name)?.id as number
    const customValue = (bug_id: number, name: string) => ({ bug_id, field_id: field.id, number_value: idOf(name) })
    await world.db.query((q) =>
      q
        .insertInto('bug_custom_values')
        .values([customValue(both, 'Red'), ...bugs.map((bug) => customValue(bug, 'Crimson'))] as never),
    )
    const { body, text } = await world.ada.delete(
      '/rest/field/bug/cf_colours/values/Crimson?replace_with=Red&in_steps=1',
    )
    assert.ok(body.removal, text)
    assert.equal((await isDone(world, body.removal.id))?.state, 'done')
    for (const [bug, added] of [
      [both, ''],
      [single.at(-1) ?? 0, 'Red'],
    ] as const) {
      const { body } = await world.ada.get(`/rest/bug/${bug}?include_fields=cf_colours`)
      assert.deepEqual(body.bugs, [{ cf_colours: ['Red'] }])
      const row = await readBugRow(world, bug)
      assert.deepEqual(
        row?.history.map((line) => [line.field, line.removed, line.added]),
        [['cf_colours', 'Crimson', added]],
      )
    }
  })

  itOnOneEngine(world, 'merges a keyword as one change, which names by what it was made', async () => {
    const [from, to] = [world.unique('from'), world.unique('to')]
    for (const name of [from, to]) await world.ada.post('/rest/keyword', { name, description: name })
    const { bugs } = await largeProduct(world, { keywords: [from] })
    await world.db.query((q) =>
      q
        .insertInto('bug_keywords')
        .columns(['bug_id', 'keyword_id'])
        .expression(
          q
            .selectFrom('bugs')
            .innerJoin('keywords', 'keywords.name', 'keywords.name')
            .select(['bugs.id', 'keywords.id as keyword'])
            .where('keywords.name', '=', from)
            .where('bugs.id', 'in', bugs.slice(1)),
        ),
    )
    const { body } = await world.ada.delete(`/rest/keyword/${from}?replace_with=${to}&in_steps=1`)
    assert.equal((await isDone(world, body.removal?.id as number))?.state, 'done')
    const changes = await world.db.query((q) =>
      q.selectFrom('bug_changes').select('change_id').distinct().where('bug_id', 'in', bugs),
    )
    assert.equal(changes.length, 1)
    const [line] = await world.db.query((q) =>
      q
        .selectFrom('audit_log')
        .select('change_id')
        .where('class', '=', 'Keyword')
        .where('field', '=', '__remove__')
        .where('removed', '=', from),
    )
    assert.deepEqual(line, changes[0])
    const [source] = await world.db.query((q) =>
      q
        .selectFrom('changes')
        .select('source_id')
        .where('id', '=', changes[0]?.change_id as number),
    )
    assert.ok(source?.source_id, 'the API key')
  })
})

const describeTogether = inOneWorld()

/** In a world without delivery, whose steps a test makes one by one. */
describeTogether('removals', (world) => {
  const begin = async (more: Record<string, unknown> = {}) => {
    const made = await largeProduct(world)
    const { status, body, text } = await world.ada.send('DELETE', `/rest/product/${made.id}/milestone/Soon`, {
      in_steps: true,
      ...more,
    })
    assert.equal(status, 200, text)
    return { ...made, removal: body.removal?.id as number }
  }
  const jobOf = (removalId: number, most = 50): RemovalJob => ({ removalId, after: 0, most, rounds: 0 })
  const withMilestone = async (bugs: readonly number[]) => {
    const rows = await world.db.query((q) =>
      q
        .selectFrom('bugs')
        .innerJoin('milestones', 'milestones.id', 'bugs.milestone_id')
        .select('bugs.id')
        .where('bugs.id', 'in', bugs)
        .where('milestones.name', '=', 'Soon'),
    )
    return rows.length
  }

  it('are made at once for few bugs, and without in_steps', async () => {
    for (const [bugs, query] of [
      [100, '?in_steps=1'],
      [MANY, ''],
    ] as const) {
      const { id } = await largeProduct(world, {}, bugs)
      const { body } = await world.ada.delete(`/rest/product/${id}/milestone/Soon${query}`)
      assert.equal(body.name, 'Soon')
      assert.equal(body.removal, undefined)
    }
  })

  itOnOneEngine(world, 'are needed for more than 5,000 bugs', () => {
    assert.equal(needsSteps(5000, false, 'Soon'), false)
    assert.throws(() => needsSteps(5001, false, 'Soon'), { reason: 'removal_needs_steps' })
    assert.equal(needsSteps(5001, true, 'Soon'), true)
    assert.equal(mostCounted(false), 5001)
  })

  it('stop, go on, and end when nothing is left', async () => {
    const { id, bugs, removal } = await begin()
    const next = await continueRemoval(world.db, jobOf(removal))
    assert.equal(await withMilestone(bugs), MANY - 50)
    const stopped = await world.ada.put(`/rest/admin/removals/${removal}`, { state: 'stopped' })
    assert.deepEqual(
      stopped.body.removals.map(({ state, bugs_done }) => [state, bugs_done]),
      [['stopped', 50]],
    )
    assert.equal(await continueRemoval(world.db, next as RemovalJob), undefined)
    assert.equal(await withMilestone(bugs), MANY - 50)
    const { body } = await world.ada.get(`/rest/product/${id}/milestone`)
    assert.equal(body.milestones.find(({ name }) => name === 'Soon')?.is_active, false)
    await world.ada.put(`/rest/admin/removals/${removal}`, { state: 'running' })
    let job = next
    while (job !== undefined) job = await continueRemoval(world.db, job)
    const over = await world.ada.put(`/rest/admin/removals/${removal}`, { state: 'stopped' })
    assertRefused(over, 400, 32000)
    assert.equal(await withMilestone(bugs), 0)
  })

  itOnOneEngine(world, 'take bugs that get the removed thing again while the steps are made', async () => {
    const { bugs, removal } = await begin()
    let job = await continueRemoval(world.db, jobOf(removal))
    await world.ada.put('/rest/bug', { ids: [bugs[0]], target_milestone: 'Soon' })
    while (job !== undefined) job = await continueRemoval(world.db, job)
    assert.equal(await withMilestone(bugs), 0)
    assert.equal((await removalsOf(world, removal))?.state, 'done')
  })

  itOnOneEngine(world, 'are not begun twice, and one that was stopped is replaced by another', async () => {
    const { id, removal } = await begin()
    const again = () => world.ada.delete(`/rest/product/${id}/milestone/Soon?in_steps=1`)
    assertRefused(await again(), 400, 32000)
    await world.ada.put(`/rest/admin/removals/${removal}`, { state: 'stopped' })
    const { body } = await again()
    assert.notEqual(body.removal?.id, removal)
    assertRefused(await world.ada.get(`/rest/admin/removals/${removal}`), 404, 51)
  })

  itOnOneEngine(world, 'fail with the reason when a rule forbids a step, and can go on when it does not', async () => {
    await world.ada.put('/rest/parameters', { allowbugdeletion: true })
    const { id, product, bugs } = await largeProduct(world)
    const { body } = await world.ada.delete(`/rest/product/${id}?in_steps=1`)
    const removal = body.removal?.id as number
    await world.ada.put('/rest/parameters', { allowbugdeletion: false })
    assert.equal(await continueRemoval(world.db, jobOf(removal)), undefined)
    const failed = await removalsOf(world, removal)
    assert.equal(failed?.state, 'failed')
    assert.match(failed?.reason ?? '', new RegExp(`^The product ${product} has bugs`))
    assert.ok(await readBugRow(world, bugs[0] as number))
    await world.ada.put('/rest/parameters', { allowbugdeletion: true })
    await world.ada.put(`/rest/admin/removals/${removal}`, { state: 'running' })
    let job: RemovalJob | undefined = jobOf(removal)
    while (job !== undefined) job = await continueRemoval(world.db, job)
    assert.equal((await removalsOf(world, removal))?.state, 'done')
    await world.ada.put('/rest/parameters', { allowbugdeletion: false })
  })

  itOnOneEngine(world, 'end when another call has deleted the object', async () => {
    const { id, removal } = await begin()
    await world.ada.delete(`/rest/product/${id}/milestone/Soon`)
    assert.equal(await continueRemoval(world.db, jobOf(removal)), undefined)
    assert.equal((await removalsOf(world, removal))?.state, 'done')
  })

  it('are counted by a dry run, which begins none', async () => {
    const { id } = await largeProduct(world)
    const call = { method: 'DELETE', path: `/rest/product/${id}/milestone/Soon`, params: { in_steps: true } }
    const { body, text } = await world.ada.put('/rest/admin/changes', { changes: [call], dry_run: true })
    const milestone = await world.db.query((q) =>
      q.selectFrom('milestones').select('id').where('product_id', '=', id).where('name', '=', 'Soon'),
    )
    assert.deepEqual(
      body.effects?.removals,
      [{ class: 'Tracker::Milestone', id: milestone[0]?.id, name: 'Soon', replaced_with: null, bugs: MANY }],
      text,
    )
    assert.equal(body.effects?.bugs_changed, 0)
    const { body: list } = await world.ada.get('/rest/admin/removals')
    assert.ok(!list.removals.some(({ object_id }) => object_id === milestone[0]?.id))
  })

  itOnOneEngine(
    world,
    'are shown to administrators and to who began them, without numbers of bugs to others',
    async () => {
      const lead = await newMember(world, 'editcomponents')
      const { id } = await largeProduct(world)
      const { body } = await lead.client.delete(`/rest/product/${id}/milestone/Soon?in_steps=1`)
      const removal = body.removal?.id as number
      assert.equal(body.removal?.bugs, undefined)
      const { body: own } = await lead.client.get('/rest/admin/removals')
      assert.deepEqual(
        own.removals.map((it) => [it.id, it.bugs, it.bugs_done]),
        [[removal, undefined, undefined]],
      )
      assert.equal((await removalsOf(world, removal))?.bugs, MANY)
      for (const method of ['GET', 'PUT'] as const)
        for (const ref of [removal, 2 ** 31 - 1, 'x'])
          assertRefused(await world.edna.send(method, `/rest/admin/removals/${ref}`, { state: 'stopped' }), 404, 51)
      assert.deepEqual((await world.edna.get('/rest/admin/removals')).body.removals, [])
      for (const path of ['/rest/admin/removals', `/rest/admin/removals/${removal}`] as const)
        assertRefused(await world.nobody.get(path), 401, 410)
    },
  )

  itOnOneEngine(world, 'are stopped only by who may still begin them', async () => {
    const lead = await newMember(world, 'editcomponents')
    const { id } = await largeProduct(world)
    const { body } = await lead.client.delete(`/rest/product/${id}/milestone/Soon?in_steps=1`)
    const path = `/rest/admin/removals/${body.removal?.id}` as const
    assertRefused(await lead.client.put(path, { state: 'gone' }), 400, 53)
    assertRefused(await lead.client.put(path), 400, 50)
    await world.ada.put(`/rest/user/${lead.id}`, { groups: { remove: ['editcomponents'] } })
    assertRefused(await lead.client.put(path, { state: 'stopped' }), 401, 304)
    assert.equal((await world.ada.put(path, { state: 'stopped' })).status, 200)
  })
})
