import assert from 'node:assert/strict'
import { it } from 'node:test'
import { cast } from '../support/cast.ts'
import { changeBug, historyOf } from '../support/change-bug.ts'
import { insertAttachment } from '../support/discussion.ts'
import { fileBug, readBug } from '../support/file-bug.ts'
import { newMember, setControl } from '../support/new-member.ts'
import { newHiddenProduct, newProduct } from '../support/new-product.ts'
import { assertRefused } from '../support/refusal.ts'
import { describeOnEachEngine, itOnOneEngine } from '../support/world.ts'

describeOnEachEngine('A bug that moves into another product', (world) => {
  const fileIn = (product: string, more: Record<string, unknown> = {}) =>
    fileBug(world.edna, { product, component: 'Core', version: '1.0', ...more })

  it('keeps component, version and milestone of the same name', async () => {
    const [from, to] = [await newProduct(world), await newProduct(world)]
    for (const product of [from, to]) await world.ada.post(`/rest/product/${product.name}/milestone`, { name: 'M1' })
    const id = await fileIn(from.name, { target_milestone: 'M1' })
    assert.deepEqual(await changeBug(world.edna, id, { product: to.name.toUpperCase() }), {
      product: { removed: from.name, added: to.name },
      component: { removed: 'Core', added: 'Core' },
    })
    const bug = await readBug(world.edna, id)
    assert.deepEqual([bug.product, bug.component, bug.version, bug.target_milestone], [to.name, 'Core', '1.0', 'M1'])
    assert.ok((await historyOf(world.edna, id)).includes(`edna: product ${from.name} → ${to.name}`))
    const [row] = await world.db.query((q) =>
      q
        .selectFrom('bugs')
        .innerJoin('versions', 'versions.id', 'bugs.version_id')
        .innerJoin('milestones', 'milestones.id', 'bugs.milestone_id')
        .select(['versions.product_id as version', 'milestones.product_id as milestone'])
        .where('bugs.id', '=', id),
    )
    assert.deepEqual({ ...row }, { version: to.id, milestone: to.id })
  })

  itOnOneEngine(world, 'needs an existing component and version', async () => {
    const [from, to] = [await newProduct(world), await newProduct(world, ['Other'])]
    await world.ada.post(`/rest/product/${to.name}/version`, { name: '2.0' })
    await world.ada.put(`/rest/product/${to.name}/version/1.0`, { name: '1.5' })
    const id = await fileIn(from.name)
    assertRefused(await world.edna.put(`/rest/bug/${id}`, { product: to.name }), 404, 51)
    assertRefused(await world.edna.put(`/rest/bug/${id}`, { product: to.name, component: 'Other' }), 404, 51)
    await changeBug(world.edna, id, { product: to.name, component: 'Other', version: '2.0' })
  })

  itOnOneEngine(world, 'gets the default milestone when its own is not there', async () => {
    const [from, to] = [await newProduct(world), await newProduct(world)]
    await world.ada.post(`/rest/product/${from.name}/milestone`, { name: 'M1' })
    await world.ada.post(`/rest/product/${to.name}/milestone`, { name: 'Future' })
    await world.ada.put(`/rest/product/${to.name}`, { default_milestone: 'Future' })
    const id = await fileIn(from.name, { target_milestone: 'M1' })
    assert.deepEqual((await changeBug(world.edna, id, { product: to.name })).target_milestone, {
      removed: 'M1',
      added: 'Future',
    })
    assertRefused(await world.edna.put(`/rest/bug/${id}`, { product: from.name, target_milestone: 'M9' }), 404, 51)
  })

  itOnOneEngine(world, 'gets the milestone that was given only from those who may choose one', async () => {
    const [from, to] = [await newProduct(world), await newProduct(world)]
    await world.ada.post(`/rest/product/${to.name}/milestone`, { name: 'M1' })
    const mine = await fileBug(world.rhea, { product: from.name, component: 'Core' })
    await changeBug(world.rhea, mine, { product: to.name, target_milestone: 'M1' })
    assert.equal((await readBug(world.edna, mine)).target_milestone, '---')
    const other = await fileIn(from.name)
    await changeBug(world.edna, other, { product: to.name, target_milestone: 'M1' })
    assert.equal((await readBug(world.edna, other)).target_milestone, 'M1')
  })

  itOnOneEngine(
    world,
    'is allowed only into products where the caller can file bugs, and does not reveal others',
    async () => {
      const [from, hidden, closed] = [await newProduct(world), await newHiddenProduct(world), await newProduct(world)]
      await world.ada.put(`/rest/product/${closed.name}`, { is_open: false })
      const id = await fileIn(from.name)
      const messages = []
      for (const product of [hidden.name, closed.name, 'Nothing like it']) {
        const reply = await world.edna.put(`/rest/bug/${id}`, { product })
        assertRefused(reply, 401, 106)
        messages.push(reply.body.message.replace(product, '…'))
      }
      assert.equal(new Set(messages).size, 1)
      assert.equal((await readBug(world.edna, id)).product, from.name)
    },
  )

  itOnOneEngine(world, 'may stay in a product where bugs cannot be filed any more', async () => {
    const product = await newProduct(world)
    const id = await fileIn(product.name)
    await world.ada.put(`/rest/product/${product.name}`, { is_open: false })
    assert.deepEqual(await changeBug(world.edna, id, { product: product.name, priority: 'Low' }), {
      priority: { removed: '---', added: 'Low' },
    })
  })

  itOnOneEngine(world, 'is moved by those who take part in it', async () => {
    const [from, to] = [await newProduct(world), await newProduct(world)]
    const id = await fileBug(world.rhea, { product: from.name, component: 'Core' })
    assertRefused(await world.stan.put(`/rest/bug/${id}`, { product: to.name }), 401, 115)
    await changeBug(world.rhea, id, { product: to.name })
  })

  itOnOneEngine(
    world,
    'loses groups that the product does not use and gets those that are mandatory, and no others',
    async () => {
      const [from, to] = [await newProduct(world), await newProduct(world)]
      const [old, both, must, usual] = await Promise.all([1, 2, 3, 4].map(() => world.newGroup()))
      assert.ok(old && both && must && usual)
      for (const group of [old, both]) await setControl(world, from.name, group.name, { membercontrol: 'Shown' })
      await setControl(world, to.name, both.name, { membercontrol: 'Shown' })
      await setControl(world, to.name, must.name, { membercontrol: 'Mandatory', othercontrol: 'Mandatory' })
      await setControl(world, to.name, usual.name, { membercontrol: 'Default', othercontrol: 'Default' })
      const member = await newMember(world, 'editbugs', old.name, both.name, must.name, usual.name)
      const id = await fileBug(member.client, { product: from.name, component: 'Core', groups: [old.name, both.name] })
      assert.deepEqual((await changeBug(member.client, id, { product: to.name })).groups, {
        removed: old.name,
        added: must.name,
      })
      assert.deepEqual((await readBug(member.client, id)).groups, [both.name, must.name].sort())
      assertRefused(await member.client.put(`/rest/bug/${id}`, { groups: { remove: [must.name] } }), 401, 120)
    },
  )

  itOnOneEngine(world, 'keeps groups that the mover is not in, and its secrets', async () => {
    const [from, to] = [await newProduct(world), await newProduct(world)]
    const group = await world.newGroup()
    await setControl(world, from.name, group.name, { membercontrol: 'Shown', othercontrol: 'Default' })
    const member = await newMember(world, 'editbugs', group.name)
    const movers = { reporter: world.rhea, copied: world.edna }
    for (const [part, mover] of Object.entries(movers)) {
      const reporter = part === 'reporter' ? mover : member.client
      const id = await fileBug(reporter, {
        product: from.name,
        component: 'Core',
        groups: [group.name],
        cc: [cast.edna.login],
      })
      assertRefused(await mover.put(`/rest/bug/${id}`, { groups: { remove: [group.name] } }), 401, 120)
      const move = { product: to.name }
      const returned = await mover.put(`/rest/bug/${id}?dry_run=1`, move)
      assert.deepEqual(Object.keys(returned.body.bugs[0].changes), ['product', 'component'])
      assert.deepEqual(await changeBug(mover, id, move), returned.body.bugs[0].changes)
      assert.deepEqual((await readBug(member.client, id)).groups, [group.name])
      for (const outsider of [world.nobody, world.stan]) assertRefused(await outsider.get(`/rest/bug/${id}`), 401, 102)
      assertRefused(await mover.put(`/rest/bug/${id}`, { groups: { remove: [group.name] } }), 401, 120)
      await changeBug(member.client, id, { groups: { remove: [group.name] } })
      assert.equal((await world.nobody.get(`/rest/bug/${id}`)).status, 200)
    }
  })

  itOnOneEngine(world, 'is freed from a group by its members alone, also where others may choose it', async () => {
    const [from, to] = [await newProduct(world), await newProduct(world)]
    const group = await world.newGroup()
    for (const { name } of [from, to])
      await setControl(world, name, group.name, { membercontrol: 'Shown', othercontrol: 'Shown' })
    const id = await fileIn(from.name, { groups: [group.name] })
    const move = { product: to.name, groups: { remove: [group.name] } }
    assertRefused(await world.edna.put(`/rest/bug/${id}`, move), 401, 120)
    const member = await newMember(world, 'editbugs', group.name)
    await changeBug(member.client, id, move)
    assert.deepEqual((await readBug(world.edna, id)).groups, [])
  })

  it('is not shown to members of another group, where one group is enough, by users outside of that', async () => {
    const [from, must, may] = [await newProduct(world), await newProduct(world), await newProduct(world)]
    const [own, other] = [await world.newGroup(), await world.newGroup()]
    await setControl(world, from.name, own.name, { membercontrol: 'Shown' })
    await setControl(world, must.name, other.name, { membercontrol: 'Mandatory', othercontrol: 'Mandatory' })
    await setControl(world, may.name, other.name, { membercontrol: 'Shown', othercontrol: 'Shown' })
    const member = await newMember(world, 'editbugs', own.name)
    const both = await newMember(world, 'editbugs', own.name, other.name)
    await world.withParameters({ or_groups: true }, async () => {
      const id = await fileBug(member.client, { product: from.name, component: 'Core', groups: [own.name] })
      const choosing = { product: may.name, groups: { add: [other.name] } }
      for (const move of [{ product: must.name }, choosing])
        assertRefused(await member.client.put(`/rest/bug/${id}`, move), 401, 120)
      await changeBug(both.client, id, choosing)
      const open = await fileBug(member.client, { product: from.name, component: 'Core' })
      await changeBug(member.client, open, { product: must.name })
      assert.deepEqual((await readBug(world.ada, open)).groups, [other.name])
    })
  })

  itOnOneEngine(world, 'may be given groups by people outside them while it moves, and only then', async () => {
    const [from, to] = [await newProduct(world), await newProduct(world)]
    const group = await world.newGroup()
    await setControl(world, to.name, group.name, { membercontrol: 'Shown', othercontrol: 'Shown' })
    const id = await fileIn(from.name)
    await changeBug(world.edna, id, { product: to.name, groups: { add: [group.name] } })
    assert.deepEqual((await readBug(world.ada, id)).groups, [group.name])
    const stays = await fileIn(to.name)
    assertRefused(await world.edna.put(`/rest/bug/${stays}`, { groups: { add: [group.name] } }), 401, 120)
  })

  it('takes its flags to types of the same name, and loses those that have none', async () => {
    const [from, to] = [await newProduct(world), await newProduct(world)]
    const [review, blocker] = [world.unique('review'), world.unique('blocker')]
    const type = (name: string, products: string[], target_type = 'bug') =>
      world.ada.post('/rest/flag_type', { name, description: 'For a test', target_type, inclusions: products })
    await type(review, [from.name])
    const { body: other } = await type(review, [to.name])
    await type(blocker, [from.name])
    const { body: ofAttachment } = await type(blocker, [from.name], 'attachment')
    const id = await fileIn(from.name, {
      flags: [
        { name: review, status: '?', requestee: cast.stan.login },
        { name: blocker, status: '+' },
      ],
    })
    const attachment = await insertAttachment(world, id)
    await world.db.query((q) =>
      q.insertInto('flags').values({
        type_id: ofAttachment.id,
        bug_id: id,
        attachment_id: attachment,
        status: '?',
        setter_id: 1,
        requestee_id: null,
        created_at: '2026-01-01T00:00:00Z',
        modified_at: '2026-01-01T00:00:00Z',
      }),
    )
    assert.deepEqual((await changeBug(world.edna, id, { product: to.name }))['flagtypes.name'], {
      removed: `${blocker}+`,
      added: '',
    })
    const { flags } = await readBug(world.edna, id)
    assert.deepEqual(
      flags.map((flag: { name: string; type_id: number; status: string }) => [flag.name, flag.type_id, flag.status]),
      [[review, other.id, '?']],
    )
    const lines = await world.db.query((q) =>
      q.selectFrom('bug_changes').selectAll().where('bug_id', '=', id).where('attachment_id', 'is not', null),
    )
    assert.deepEqual(
      lines.map((line) => [line.field, line.removed, line.added, line.attachment_id]),
      [['flagtypes.name', `${blocker}?`, '', attachment]],
    )
  })

  itOnOneEngine(world, 'moves with all others of the call, from whatever product', async () => {
    const [one, two, to] = [await newProduct(world), await newProduct(world), await newProduct(world)]
    const ids = [await fileIn(one.name), await fileIn(two.name), await fileIn(to.name)]
    const { body } = await world.edna.put('/rest/bug/update', { ids, product: to.name })
    assert.deepEqual(
      body.bugs.map((bug: { changes: object }) => Object.keys(bug.changes)),
      [['product', 'component'], ['product', 'component'], []],
    )
    for (const id of ids) assert.equal((await readBug(world.edna, id)).product, to.name)
  })
})
