import assert from 'node:assert/strict'
import { it } from 'node:test'
import { getBugRow, insertBug } from '../support/bug-rows.ts'
import { cast } from '../support/cast.ts'
import { countQueries } from '../support/count-queries.ts'
import { newAdministratorOf, newMember, setControl } from '../support/new-member.ts'
import { newHiddenProduct, newProduct } from '../support/new-product.ts'
import { assertRefused } from '../support/refusal.ts'
import { itOnPostgres, randomCases } from '../support/sample.ts'
import type { SureList } from '../support/sure-list.ts'
import { describeOnEachEngine, describeOnOneEngine, type World } from '../support/world.ts'

const NOTHING = {
  entry: false,
  membercontrol: 'NA',
  othercontrol: 'NA',
  canedit: false,
  editcomponents: false,
  editbugs: false,
  canconfirm: false,
}

const LONG_AGO = '2020-01-01T00:00:00Z'

async function controlsOf(world: World, product: string) {
  const { status, body, text } = await world.ada.get(`/rest/product/${product}/group_control`)
  assert.equal(status, 200, text)
  return body.group_controls
}

function put(world: World, product: string, group: string | number, controls: object, client = world.ada) {
  return client.put(`/rest/product/${product}/group_control/${group}`, controls)
}

describeOnOneEngine('GET and PUT /rest/product/(product)/group_control', (world) => {
  it('return and change how a product uses groups', async () => {
    const { name } = await newProduct(world)
    const [b, a] = [await world.newGroup(), await world.newGroup()]
    assert.deepEqual(await controlsOf(world, name), [])
    const wanted = {
      entry: true,
      membercontrol: 'Default',
      othercontrol: 'Mandatory',
      canedit: 1,
      editcomponents: true,
      editbugs: 'true',
      canconfirm: true,
    }
    const { status, body } = await put(world, name, a.name.toUpperCase(), wanted)
    assert.equal(status, 200)
    assert.deepEqual(body, {
      group_controls: [
        {
          id: a.id,
          name: a.name,
          changes: {
            entry: { removed: '0', added: '1' },
            membercontrol: { removed: 'NA', added: 'Default' },
            othercontrol: { removed: 'NA', added: 'Mandatory' },
            canedit: { removed: '0', added: '1' },
            editcomponents: { removed: '0', added: '1' },
            editbugs: { removed: '0', added: '1' },
            canconfirm: { removed: '0', added: '1' },
          },
        },
      ],
      bugs_changed: 0,
    })
    await put(world, name, b.id, { canconfirm: true })
    const listed = await controlsOf(world, name)
    assert.deepEqual(
      listed.map(({ name }) => name),
      [a.name, b.name].sort(),
    )
    assert.deepEqual(
      listed.find((it) => it.id === a.id),
      {
        ...{ id: a.id, name: a.name },
        entry: true,
        membercontrol: 'Default',
        othercontrol: 'Mandatory',
        canedit: true,
        editcomponents: true,
        editbugs: true,
        canconfirm: true,
      },
    )
    assert.deepEqual(
      listed.find((it) => it.id === b.id),
      { id: b.id, name: b.name, ...NOTHING, canconfirm: true },
    )
    const { body: narrow } = await world.ada.get(`/rest/product/${name}/group_control?include_fields=name,entry`)
    assert.deepEqual(Object.keys(narrow.group_controls[0]).sort(), ['entry', 'name'])
  })

  it('change only what is given, and forget a group that is used for nothing any more', async () => {
    const { id, name } = await newProduct(world)
    const group = await world.newGroup()
    await put(world, name, group.name, { membercontrol: 1, entry: true })
    const { body } = await put(world, name, group.name, { canedit: true, entry: true })
    assert.deepEqual(Object.keys(body.group_controls[0].changes), ['canedit'])
    const none = await put(world, name, group.name, {})
    assert.deepEqual(none.body.group_controls[0].changes, {})
    const off = await put(world, name, group.name, { membercontrol: 'na', entry: false, canedit: false })
    assert.equal(off.status, 200)
    assert.deepEqual(await controlsOf(world, name), [])
    const { body: log } = await world.ada.get(`/rest/audit?class=Tracker::GroupControl&id=${id}`)
    assert.equal(log.audit.length, 6)
    const { field, removed, added } = log.audit.at(-1)
    assert.deepEqual([field, removed, added], [`${group.name}.entry`, '0', '1'])
  })

  it('take the nine pairs of controls that make sense, in words or numbers, and no others', async () => {
    const { name } = await newProduct(world)
    const group = await world.newGroup()
    const legal = new Set(['0 0', '1 0', '1 1', '1 2', '1 3', '2 0', '2 2', '2 3', '3 3'])
    const words = ['NA', 'Shown', 'Default', 'Mandatory']
    for (let member = 0; member < 4; member++)
      for (let other = 0; other < 4; other++) {
        await put(world, name, group.name, { membercontrol: 1, othercontrol: 1 })
        const asWords = member % 2 === 0
        const pair = asWords
          ? { membercontrol: words[member], othercontrol: words[other]?.toUpperCase() }
          : { membercontrol: member, othercontrol: String(other) }
        const reply = await put(world, name, group.name, pair)
        if (legal.has(`${member} ${other}`)) assert.equal(reply.status, 200, reply.text)
        else assertRefused(reply, 400, 32000)
      }
    await put(world, name, group.name, { membercontrol: 1, othercontrol: 1 })
    assertRefused(await put(world, name, group.name, { membercontrol: 'Mandatory' }), 400, 32000)
    assertRefused(await put(world, name, group.name, { membercontrol: 'NA' }), 400, 32000)
  })

  it('refuse with the numbers of the table, and change nothing', async () => {
    const { name } = await newProduct(world)
    const group = await world.newGroup()
    const inactive = await world.newGroup({ is_active: false })
    const rights = await world.newGroup({ is_bug_group: false })
    const cases: [group: string, body: object, status: number, code: number][] = [
      ['NoSuch', { entry: true }, 404, 51],
      ['999999', { entry: true }, 404, 51],
      [group.name, { membercontrol: 'Always' }, 400, 53],
      [group.name, { membercontrol: 4 }, 400, 53],
      [group.name, { membercontrol: -1 }, 400, 53],
      [group.name, { othercontrol: ['NA'] }, 400, 53],
      [group.name, { entry: 'perhaps' }, 400, 53],
      [group.name, { shoe_size: 44 }, 400, 32601],
      [inactive.name, { entry: true }, 400, 32000],
      [rights.name, { editbugs: true }, 400, 32000],
      ['editbugs', { editbugs: true }, 400, 32000],
    ]
    for (const [ref, body, status, code] of cases) assertRefused(await put(world, name, ref, body), status, code)
    assert.deepEqual(await controlsOf(world, name), [])
  })

  it('let a product stop using a group that is no longer active', async () => {
    const { name } = await newProduct(world)
    const group = await world.newGroup()
    await put(world, name, group.name, { membercontrol: 3, othercontrol: 3, entry: true })
    await world.ada.put(`/rest/group/${group.name}`, { is_active: false })
    assertRefused(await put(world, name, group.name, { canedit: true }), 400, 32000)
    const { status } = await put(world, name, group.name, { membercontrol: 0, othercontrol: 0, entry: false })
    assert.equal(status, 200)
    assert.deepEqual(await controlsOf(world, name), [])
  })

  it('are for members of both editcomponents and creategroups', async () => {
    const { name } = await newProduct(world)
    const perProduct = await newAdministratorOf(world, name)
    const components = await newMember(world, 'editcomponents')
    const both = await newMember(world, 'editcomponents', 'creategroups')
    const path = `/rest/product/${name}/group_control`
    assertRefused(await world.nobody.get(path), 401, 410)
    assertRefused(await put(world, name, 'security', { entry: true }, world.nobody), 401, 410)
    for (const client of [world.stan, world.edna, world.greta, perProduct.client, components.client]) {
      assertRefused(await client.get(path), 401, 304)
      assertRefused(await put(world, name, 'security', { entry: true }, client), 401, 304)
      assertRefused(await put(world, name, 'NoSuch', { entry: true }, client), 401, 304)
    }
    assertRefused(await put(world, name, 'security', { canedit: true }, both.client), 401, 304)
    await world.ada.put(`/rest/user/${both.id}`, { groups: { add: ['security'] } })
    assert.equal((await put(world, name, 'security', { canedit: true }, both.client)).status, 200)
    assertRefused(await put(world, name, 'security', { editbugs: true }, both.client), 401, 304)
    assert.equal((await both.client.get(path)).status, 200)
  })

  it('answer a hidden product like one that does not exist', async () => {
    const hidden = await newHiddenProduct(world)
    const both = await newMember(world, 'editcomponents', 'creategroups')
    for (const ref of [hidden.name, 'NoSuch']) {
      assertRefused(await both.client.get(`/rest/product/${ref}/group_control`), 401, 106)
      assertRefused(await put(world, ref, 'security', { membercontrol: 0, othercontrol: 0 }, both.client), 401, 106)
    }
    assert.equal((await controlsOf(world, hidden.name)).length, 1)
  })
})

describeOnOneEngine('a group control that changes', (world) => {
  it('puts every bug of the product into a group that becomes mandatory, which their history records', async () => {
    const { name: product } = await newProduct(world)
    const other = await newProduct(world)
    const group = await world.newGroup()
    const bugs = []
    for (let count = 0; count < 3; count++)
      bugs.push(await insertBug(world, { product, component: 'Core', groups: ['security'], changed_at: LONG_AGO }))
    const already = await insertBug(world, { product, component: 'Core', groups: [group.name], changed_at: LONG_AGO })
    const elsewhere = await insertBug(world, { product: other.name, component: 'Core', changed_at: LONG_AGO })
    const { body } = await put(world, product, group.name, { membercontrol: 3, othercontrol: 3 })
    assert.equal(body.bugs_changed, 3)
    for (const id of bugs) {
      const bug = await getBugRow(world, id)
      assert.deepEqual(bug.groups, [group.name, 'security'].sort())
      const [{ who, at, field, removed, added }, ...more] = bug.history as SureList<(typeof bug.history)[number]>
      assert.deepEqual([who, field, removed, added, more], [cast.ada.login, 'groups', '', group.name, []])
      assert.equal(bug.changed_at, at)
      assert.ok(at > LONG_AGO)
    }
    for (const id of [already, elsewhere]) {
      const bug = await getBugRow(world, id)
      assert.deepEqual([bug.history, bug.changed_at], [[], LONG_AGO])
    }
    assert.deepEqual((await getBugRow(world, elsewhere)).groups, [])
  })

  it('takes every bug of the product out of a group that its members can no longer use', async () => {
    const { name: product } = await newProduct(world)
    const other = await newProduct(world)
    const group = await world.newGroup()
    await setControl(world, product, group.name, { membercontrol: 'Shown' })
    const inGroup = await insertBug(world, {
      product,
      component: 'Core',
      groups: [group.name, 'security'],
      changed_at: LONG_AGO,
    })
    const outside = await insertBug(world, { product, component: 'Core', changed_at: LONG_AGO })
    const elsewhere = await insertBug(world, { product: other.name, component: 'Core', groups: [group.name] })
    const { body } = await put(world, product, group.name, { membercontrol: 'NA', othercontrol: 'NA' })
    assert.equal(body.bugs_changed, 1)
    const bug = await getBugRow(world, inGroup)
    assert.deepEqual(bug.groups, ['security'])
    const [{ field, removed, added, at }] = bug.history as SureList<(typeof bug.history)[number]>
    assert.deepEqual([field, removed, added, at], ['groups', group.name, '', bug.changed_at])
    assert.deepEqual((await getBugRow(world, outside)).history, [])
    assert.deepEqual((await getBugRow(world, elsewhere)).groups, [group.name])
  })

  it('leaves bugs alone when it becomes anything else, or what it was', async () => {
    const { name: product } = await newProduct(world)
    const group = await world.newGroup()
    const bug = await insertBug(world, { product, component: 'Core', changed_at: LONG_AGO })
    const steps = [
      { membercontrol: 1 },
      { membercontrol: 2, othercontrol: 3 },
      { membercontrol: 1, othercontrol: 1 },
      { entry: true, canedit: true },
    ]
    for (const step of steps) assert.equal((await put(world, product, group.name, step)).body.bugs_changed, 0)
    const mandatory = { membercontrol: 3, othercontrol: 3 }
    assert.equal((await put(world, product, group.name, mandatory)).body.bugs_changed, 1)
    assert.equal((await put(world, product, group.name, mandatory)).body.bugs_changed, 0)
    const relaxed = await put(world, product, group.name, { membercontrol: 1, othercontrol: 0 })
    assert.equal(relaxed.body.bugs_changed, 0)
    const row = await getBugRow(world, bug)
    assert.deepEqual([row.groups, row.history.length], [[group.name], 1])
  })

  it('changes no bug when it is refused', async () => {
    const { name: product } = await newProduct(world)
    const bug = await insertBug(world, { product, component: 'Core', changed_at: LONG_AGO })
    assertRefused(await put(world, product, 'security', { membercontrol: 3 }), 400, 32000)
    const row = await getBugRow(world, bug)
    assert.deepEqual([row.groups, row.history, row.changed_at], [[], [], LONG_AGO])
  })

  it('costs as many queries for many bugs as for few', async () => {
    const { name: product } = await newProduct(world)
    const group = await world.newGroup()
    const toggle = async () => {
      await put(world, product, group.name, { membercontrol: 3, othercontrol: 3 })
      await put(world, product, group.name, { membercontrol: 0, othercontrol: 0 })
    }
    await insertBug(world, { product, component: 'Core' })
    const few = await countQueries(world, toggle)
    for (let count = 0; count < 30; count++) await insertBug(world, { product, component: 'Core' })
    assert.equal(await countQueries(world, toggle), few)
  })
})

describeOnOneEngine('a group that products use', (world) => {
  it('restricts bugs again where it is mandatory, once it is active again', async () => {
    const product = await newProduct(world)
    const shown = await newProduct(world)
    const group = await world.newGroup()
    await setControl(world, product.name, group.name, { membercontrol: 3, othercontrol: 3 })
    await setControl(world, shown.name, group.name, { membercontrol: 1 })
    const had = await insertBug(world, {
      product: product.name,
      component: 'Core',
      groups: [group.name],
      changed_at: LONG_AGO,
    })
    await world.ada.put(`/rest/group/${group.name}`, { is_active: false })
    assert.deepEqual((await getBugRow(world, had)).groups, [group.name])
    const filedMeanwhile = await insertBug(world, { product: product.name, component: 'Core', changed_at: LONG_AGO })
    const elsewhere = await insertBug(world, { product: shown.name, component: 'Core', changed_at: LONG_AGO })
    await world.ada.put(`/rest/group/${group.name}`, { is_active: true })
    const bug = await getBugRow(world, filedMeanwhile)
    assert.deepEqual(bug.groups, [group.name])
    const [{ who, field, removed, added, at }] = bug.history as SureList<(typeof bug.history)[number]>
    assert.deepEqual([who, field, removed, added], [cast.ada.login, 'groups', '', group.name])
    assert.equal(at, bug.changed_at)
    assert.deepEqual((await getBugRow(world, had)).changed_at, LONG_AGO)
    assert.deepEqual((await getBugRow(world, elsewhere)).groups, [])
    await world.ada.put(`/rest/group/${group.name}`, { is_active: true, description: 'Still active' })
    assert.equal((await getBugRow(world, filedMeanwhile)).history.length, 1)
  })

  it('cannot be deleted while a product, a flag type or a bug uses it', async () => {
    const { name: product } = await newProduct(world)
    const controlled = await world.newGroup()
    await setControl(world, product, controlled.name, { canconfirm: true })
    assertRefused(await world.ada.delete(`/rest/group/${controlled.name}`), 400, 32000)
    const restricting = await world.newGroup()
    await insertBug(world, { product, component: 'Core', groups: [restricting.name] })
    assertRefused(await world.ada.delete(`/rest/group/${restricting.name}`), 400, 32000)
    const granting = await world.newGroup()
    const type = { name: world.unique('flag'), description: 'd', grant_group: granting.name }
    assert.equal((await world.ada.post('/rest/flag_type', type)).status, 201)
    assertRefused(await world.ada.delete(`/rest/group/${granting.name}`), 400, 32000)
    assert.equal((await controlsOf(world, product)).length, 1)
    await setControl(world, product, controlled.name, { canconfirm: false })
    assert.equal((await world.ada.delete(`/rest/group/${controlled.name}`)).status, 200)
  })
})

describeOnEachEngine('two administrators of group controls at once', (world) => {
  it('lose no change of different parts', async () => {
    const { name } = await newProduct(world)
    const group = await world.newGroup()
    const parts = [{ entry: true }, { canedit: true }, { editbugs: true }, { canconfirm: true }, { membercontrol: 1 }]
    const replies = await Promise.all(parts.map((part) => put(world, name, group.name, part)))
    assert.ok(replies.every(({ status }) => status === 200))
    const [control] = await controlsOf(world, name)
    assert.deepEqual(
      [control.entry, control.canedit, control.editbugs, control.canconfirm, control.membercontrol],
      [true, true, true, true, 'Shown'],
    )
  })

  itOnPostgres(world, 'restrict each bug once', async () => {
    const { name: product } = await newProduct(world)
    const group = await world.newGroup()
    const bug = await insertBug(world, { product, component: 'Core' })
    const mandatory = { membercontrol: 3, othercontrol: 3 }
    const replies = await Promise.all([1, 2, 3].map(() => put(world, product, group.name, mandatory)))
    assert.deepEqual(replies.map(({ body }) => body.bugs_changed).sort(), [0, 0, 1])
    assert.equal((await getBugRow(world, bug)).history.length, 1)
  })

  itOnPostgres(world, 'miss no bug that is filed at the same time', async () => {
    const mandatory = { membercontrol: 3, othercontrol: 3 }
    for (let times = 0; times < randomCases(1); times++) {
      const { name: product } = await newProduct(world)
      const group = await world.newGroup()
      const file = () =>
        world.ada.post('/rest/bug', { product, component: 'Core', version: '1.0', summary: 'Filed meanwhile' })
      const restrict = () => put(world, product, group.name, mandatory)
      const [one, other, , third, last] = await Promise.all([file(), file(), restrict(), file(), file()])
      for (const { status, body } of [one, other, third, last]) {
        assert.equal(status, 200)
        assert.deepEqual((await getBugRow(world, body.id)).groups, [group.name])
      }
    }
  })

  itOnPostgres(world, 'cannot use a group that the other deletes', async () => {
    const { name } = await newProduct(world)
    const group = await world.newGroup()
    const [used, deleted] = await Promise.all([
      put(world, name, group.name, { membercontrol: 1 }),
      world.ada.delete(`/rest/group/${group.name}`),
    ])
    if (deleted.status === 200) assertRefused(used, 404, 51)
    else assertRefused(deleted, 400, 32000)
    assert.equal((await controlsOf(world, name)).length, deleted.status === 200 ? 0 : 1)
  })
})
