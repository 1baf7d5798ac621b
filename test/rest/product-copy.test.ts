import assert from 'node:assert/strict'
import { it } from 'node:test'
import { cast } from '../support/cast.ts'
import { countQueries } from '../support/count-queries.ts'
import { fileBug } from '../support/file-bug.ts'
import { newMember } from '../support/new-member.ts'
import { newHiddenProduct, newProduct } from '../support/new-product.ts'
import { assertRefused } from '../support/refusal.ts'
import { itOnPostgres } from '../support/sample.ts'
import { describeOnEachEngine, itOnOneEngine } from '../support/world.ts'

describeOnEachEngine('POST /rest/product/(ref)/copy', (world) => {
  const whole = async (name: string) => {
    const fields = '_default,bug_template,default_version'
    const { body } = await world.ada.get(`/rest/product/${name}?include_fields=${fields}`)
    const { id: _, name: __, components, versions, milestones, ...product } = body.products[0]
    const withoutId = <Item extends { id: number }>(items: readonly Item[]) => items.map(({ id: _, ...item }) => item)
    const { body: controls } = await world.ada.get(`/rest/product/${name}/group_control`)
    const { body: cc } = await world.ada.get(`/rest/product/${name}/default_cc`)
    return {
      ...product,
      components: withoutId(components),
      versions: withoutId(versions),
      milestones: withoutId(milestones),
      controls: controls.group_controls,
      cc: withoutId(cc.components),
    }
  }

  /** A product that uses everything that a product can have. */
  const newFullProduct = async () => {
    const { name } = await newProduct(world, ['Core', 'Shell'])
    const { ada } = world
    await ada.put(`/rest/component/${name}/Shell`, {
      default_cc: [cast.stan.login, cast.sven.login],
      default_qa_contact: cast.edna.login,
      is_open: false,
    })
    await ada.post(`/rest/product/${name}/version`, { name: '2.0', sort_key: 7, is_active: false })
    await ada.post(`/rest/product/${name}/version`, { name: '1.5' })
    await ada.post(`/rest/product/${name}/milestone`, { name: 'M1', sort_key: -3 })
    await ada.put(`/rest/product/${name}`, {
      default_version: '1.5',
      default_milestone: 'M1',
      bug_template: 'Steps:\n',
      has_unconfirmed: false,
    })
    await ada.put(`/rest/product/${name}/group_control/security`, { membercontrol: 'Shown', canedit: true })
    const flag = { description: 'X', target_type: 'bug' }
    await ada.post('/rest/flag_type', { ...flag, name: world.unique('in'), inclusions: [{ [name]: ['Shell'] }] })
    await ada.post('/rest/flag_type', { ...flag, name: world.unique('out'), exclusions: [name] })
    return name
  }

  it('copies all but the bugs, after a dry run that changes nothing, and records it', async () => {
    const { ada } = world
    const from = await newFullProduct()
    await fileBug(ada, { product: from, component: 'Core', version: '1.0' })
    const name = world.unique('Copy')
    const change = { method: 'POST', path: `/rest/product/${from}/copy`, params: { name } }
    const twice = { dry_run: true, changes: [change, { ...change, params: { name: `${name} again` } }] }
    assertRefused(await ada.put('/rest/admin/changes', twice), 400, 53)
    const dry = await ada.put('/rest/admin/changes', { dry_run: true, changes: [change] })
    const copied = { components: 2, versions: 3, milestones: 2, group_controls: 1, flag_types: 2 }
    assert.deepEqual(
      dry.body.responses.map((it) => 'copied' in it && it.copied),
      [copied],
    )
    assert.deepEqual((await ada.get(`/rest/product/${name}`)).body.products, [])
    const { status, body, text } = await ada.post(`/rest/product/${from}/copy`, { name })
    assert.equal(status, 201, text)
    assert.deepEqual(body.copied, copied)
    assert.deepEqual(await whole(name), await whole(from))
    assert.equal((await whole(name)).cc[0]?.default_cc.length, 2)
    assert.equal((await ada.get(`/rest/bug?product=${name}&count_only=1`)).body.bug_count, 0)
    await fileBug(ada, { product: name, component: 'Core', version: '1.5' })
    const { body: log } = await ada.get('/rest/audit?limit=40')
    const entries = log.audit.map((it) => `${it.class} ${it.field} ${it.added}`)
    for (const entry of [
      `Tracker::Product __create__ ${name}`,
      'Tracker::Component __create__ Shell',
      'Tracker::Version __create__ 2.0',
      'Tracker::Milestone __create__ M1',
      'Tracker::GroupControl security.membercontrol Shown',
      'Tracker::FlagType inclusions 1',
      'Tracker::FlagType exclusions 1',
    ])
      assert.ok(entries.includes(entry), entry)
  })

  itOnOneEngine(
    world,
    'takes another description and state, and keeps everything that was made to itself',
    async () => {
      const { ada } = world
      const from = await newFullProduct()
      const name = world.unique('Copy')
      await ada.post(`/rest/product/${from}/copy`, {
        name,
        description: 'Another',
        is_open: false,
        create_series: false,
      })
      const before = await whole(from)
      const copy = await whole(name)
      assert.deepEqual([copy.description, copy.is_active], ['Another', false])
      await ada.put(`/rest/component/${name}/Core`, { name: 'Kernel' })
      await ada.delete(`/rest/product/${name}`)
      assert.deepEqual(await whole(from), before)
    },
  )

  itOnOneEngine(
    world,
    'is refused without the rights on each part, and for products that do not exist for the caller',
    async () => {
      const { name: open } = await newProduct(world)
      const hidden = await newHiddenProduct(world)
      const { client: editor } = await newMember(world, 'editcomponents')
      const { client: both } = await newMember(world, 'editcomponents', 'creategroups')
      const copy = (who: typeof editor, from: string, params: object = { name: world.unique('Copy') }) =>
        who.post(`/rest/product/${from}/copy`, params)
      for (const who of [world.stan, world.greta]) assertRefused(await copy(who, open), 401, 304)
      assertRefused(await copy(world.nobody, open), 401, 410)
      assert.equal((await copy(editor, open)).status, 201)
      const missing = await copy(both, 'nosuchproduct')
      assertRefused(missing, 401, 106)
      assert.equal((await copy(both, hidden.name)).text, missing.text.replaceAll('nosuchproduct', hidden.name))
      await world.ada.put(`/rest/product/${open}/group_control/security`, { membercontrol: 'Shown' })
      // Bugs of the copy must not be more public than those of the product, and nobody gives what they could not give alone.
      assertRefused(await copy(editor, open), 401, 304)
      assertRefused(await copy(both, open), 401, 304)
      assertRefused(await copy(world.ada, open, { name: open.toUpperCase() }), 400, 702)
      assertRefused(await copy(world.ada, open, {}), 400, 700)
      assertRefused(await copy(world.ada, open, { name: 'x'.repeat(65) }), 400, 701)
      assertRefused(await copy(world.ada, open, { name: 'Fine', bugs: true }), 400, 32601)
      assert.deepEqual((await world.ada.get('/rest/product/Fine')).body.products, [])
    },
  )

  itOnPostgres(world, 'gives one name once, and copies a component that is renamed meanwhile whole', async () => {
    const from = await newFullProduct()
    const name = world.unique('Copy')
    const replies = await Promise.all([
      world.ada.post(`/rest/product/${from}/copy`, { name }),
      world.ada.put(`/rest/component/${from}/Shell`, { name: 'Hull' }),
      world.ada.post(`/rest/product/${from}/copy`, { name }),
    ])
    assert.deepEqual(replies.map(({ status }) => status).sort(), [200, 201, 400])
    const copy = await whole(name)
    const [qa, other] = [...copy.components].sort((a, b) => b.default_qa_contact.localeCompare(a.default_qa_contact))
    assert.equal(qa?.flag_types.bug.length, (other?.flag_types.bug.length ?? 0) + 1, 'its flag type goes with it')
    assert.equal(copy.cc[0]?.name, qa?.name)
  })

  itOnOneEngine(world, 'asks the database as often for many components, versions and groups as for few', async () => {
    const few = await newProduct(world)
    const parts = Array.from({ length: 20 }, (_, index) => `C${index}`)
    const many = await newProduct(world, parts)
    const cost = ({ name }: { name: string }) =>
      countQueries(world, () =>
        world.ada.put('/rest/admin/changes', {
          dry_run: true,
          changes: [{ method: 'POST', path: `/rest/product/${name}/copy`, params: { name: 'Costly' } }],
        }),
      )
    const before = await cost(few)
    for (const name of parts) await world.ada.post(`/rest/product/${many.name}/version`, { name })
    for (let count = 0; count < 5; count++) await world.newGroup()
    // Rows are inserted in few statements of fixed sizes, so that their number grows with the logarithm.
    assert.ok((await cost(many)) <= before + 12, `${await cost(many)} instead of ${before}`)
  })

  itOnOneEngine(world, 'lists the watchers of components to those who administer the product', async () => {
    const from = await newFullProduct()
    const { body } = await world.ada.get(`/rest/product/${from}/default_cc`)
    assert.deepEqual(
      body.components.map((it) => [it.name, it.default_cc]),
      [['Shell', [cast.stan.login, cast.sven.login]]],
    )
    assertRefused(await world.edna.get(`/rest/product/${from}/default_cc`), 401, 304)
    assertRefused(await world.nobody.get(`/rest/product/${from}/default_cc`), 401, 410)
    assertRefused(await world.ada.get('/rest/product/nosuchproduct/default_cc'), 401, 106)
  })
})
