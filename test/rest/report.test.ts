import assert from 'node:assert/strict'
import { before, it } from 'node:test'
import type { BodyAt } from '../support/body-types.ts'
import { cast } from '../support/cast.ts'
import { fileBug } from '../support/file-bug.ts'
import { newHiddenProduct, newProduct } from '../support/new-product.ts'
import { assertRefused } from '../support/refusal.ts'
import { type Client, describeOnEachEngine, itOnce, itOnOneEngine } from '../support/world.ts'

describeOnEachEngine('a report', (world) => {
  let product: string
  let hidden: string

  before(async () => {
    product = (await newProduct(world, ['Core', 'Shell'])).name
    hidden = (await newHiddenProduct(world)).name
    for (const name of ['red', 'blue']) await world.ada.post('/rest/keyword', { name, description: 'A colour' })
    await world.ada.post('/rest/field/bug', {
      name: 'cf_size',
      type: 2,
      display_name: 'Size',
      values: ['big', 'small'],
    })
    await world.ada.post('/rest/field/bug', { name: 'cf_tags', type: 3, display_name: 'Tags', values: ['one', 'two'] })
    const file = (more: Record<string, unknown>) => fileBug(world.ada, { product, version: '1.0', ...more })
    await file({ component: 'Core', priority: 'High', keywords: ['red', 'blue'], cf_size: 'small' })
    await file({ component: 'Core', priority: 'Low', keywords: ['red'], cf_tags: ['one', 'two'] })
    await file({ component: 'Shell', priority: 'High', assigned_to: cast.edna.login })
    const closed = await file({ component: 'Shell', priority: 'Low', assigned_to: cast.edna.login })
    await world.ada.put(`/rest/bug/${closed}`, { status: 'RESOLVED', resolution: 'FIXED' })
    await fileBug(world.ada, { product: hidden, component: 'Core', version: '1.0', priority: 'High' })
    await file({ component: 'Core', priority: 'High', groups: [] })
    const secret = await file({ component: 'Shell', priority: 'Highest' })
    await world.ada.put(`/rest/product/${product}/group_control/security`, {
      membercontrol: 'Shown',
      othercontrol: 'NA',
    })
    const restricted = await world.ada.put(`/rest/bug/${secret}`, { groups: { add: ['security'] } })
    assert.equal(restricted.status, 200, restricted.text)
  })

  async function report(who: Client, query: string) {
    const { status, body, text } = await who.get(`/rest/report?${query}`)
    assert.equal(status, 200, text)
    return body
  }

  const cells = (body: BodyAt<'GET', '/rest/report'>) =>
    Object.fromEntries(
      body.counts.map((it) => [[it.x, it.y, it.z].filter((one) => one !== undefined).join('/'), it.bug_count]),
    )

  it('counts along one axis, in the order of its values', async () => {
    const body = await report(world.nobody, `x_axis_field=priority&product=${product}`)
    assert.deepEqual(body, {
      x_axis_field: 'priority',
      x_values: ['High', 'Low'],
      y_axis_field: null,
      y_values: [],
      z_axis_field: null,
      z_values: [],
      counts: [
        { x: 'High', bug_count: 3 },
        { x: 'Low', bug_count: 2 },
      ],
      bug_count: 5,
    })
  })

  it('counts along three axes, and returns only cells that are not empty', async () => {
    const axes = 'x_axis_field=component&y_axis_field=priority&z_axis_field=status'
    const body = await report(world.nobody, `${axes}&product=${product}`)
    assert.deepEqual(cells(body), {
      'Core/High/CONFIRMED': 2,
      'Core/Low/CONFIRMED': 1,
      'Shell/High/CONFIRMED': 1,
      'Shell/Low/RESOLVED': 1,
    })
    assert.deepEqual(
      [body.x_values, body.y_values, body.z_values],
      [
        ['Core', 'Shell'],
        ['High', 'Low'],
        ['CONFIRMED', 'RESOLVED'],
      ],
    )
    assert.equal(body.bug_count, 5)
  })

  itOnOneEngine(world, 'may have its axes in any of the three places', async () => {
    const body = await report(world.nobody, `z_axis_field=component&product=${product}`)
    assert.deepEqual([body.x_axis_field, body.y_axis_field, body.z_axis_field], [null, null, 'component'])
    assert.deepEqual(body.counts, [
      { z: 'Core', bug_count: 3 },
      { z: 'Shell', bug_count: 2 },
    ])
  })

  itOnOneEngine(
    world,
    'is a table as CSV, with a line for each value of y and z and a column for each of x',
    async () => {
      const table = async (who: Client, query: string) => {
        const { text, headers } = await who.get(`/rest/report?${query}&product=${product}&ctype=csv`)
        assert.match(String(headers.get('content-type')), /^text\/csv/)
        return text.trimEnd().split('\r\n')
      }
      assert.deepEqual(await table(world.nobody, 'x_axis_field=component&y_axis_field=priority&z_axis_field=status'), [
        '"status","priority","Core","Shell"',
        '"CONFIRMED","High",2,1',
        '"CONFIRMED","Low",1,0',
        '"RESOLVED","Low",0,1',
      ])
      assert.deepEqual(await table(world.nobody, 'y_axis_field=priority'), [
        '"priority","bug_count"',
        '"High",3',
        '"Low",2',
      ])
      assert.deepEqual(await table(world.nobody, 'x_axis_field=priority'), ['"High","Low"', '3,2'])
      assert.deepEqual(await table(world.ada, 'x_axis_field=priority'), ['"Highest","High","Low"', '1,3,2'])
      assertRefused(await world.nobody.get('/rest/report?ctype=csv'), 400, 50)
    },
  )

  it('understands the names of the search form', async () => {
    const body = await report(world.nobody, `x_axis_field=bug_status&y_axis_field=reporter&product=${product}`)
    assert.deepEqual([body.x_axis_field, body.y_axis_field], ['status', 'creator'])
    assert.deepEqual(cells(body), { [`CONFIRMED/${cast.ada.login}`]: 4, [`RESOLVED/${cast.ada.login}`]: 1 })
  })

  it('counts what the search finds, and nothing else', async () => {
    const open = await report(world.nobody, `x_axis_field=component&product=${product}&status=__open__`)
    assert.deepEqual(cells(open), { Core: 3, Shell: 1 })
    const none = await report(world.nobody, `x_axis_field=component&product=${product}&summary=nothing-has-this`)
    assert.deepEqual([none.counts, none.x_values, none.bug_count], [[], [], 0])
    const quick = await report(
      world.nobody,
      `x_axis_field=component&quicksearch=${encodeURIComponent(`ALL product=${product}`)}`,
    )
    assert.deepEqual(cells(quick), { Core: 3, Shell: 2 })
    const chart = await report(
      world.nobody,
      `x_axis_field=component&product=${product}&f1=priority&o1=notequals&v1=Low`,
    )
    assert.deepEqual(cells(chart), { Core: 2, Shell: 1 })
  })

  itOnOneEngine(world, 'names the parameters that it does not know', async () => {
    const body = await report(world.nobody, `x_axis_field=component&product=${product}&colour=red`)
    assert.deepEqual(body.ignored, ['colour'])
  })

  it('counts a bug under each of its keywords, and once in all', async () => {
    const body = await report(world.nobody, `x_axis_field=keywords&product=${product}`)
    assert.deepEqual(cells(body), { '': 3, blue: 1, red: 2 })
    assert.equal(body.bug_count, 5)
  })

  it('counts along custom fields with values to choose from', async () => {
    const size = await report(world.nobody, `x_axis_field=cf_size&product=${product}`)
    assert.deepEqual([cells(size), size.bug_count], [{ '---': 4, small: 1 }, 5])
    const tags = await report(world.nobody, `x_axis_field=cf_tags&y_axis_field=keywords&product=${product}`)
    assert.deepEqual(cells(tags), { '/': 3, '/blue': 1, '/red': 1, 'one/red': 1, 'two/red': 1 })
    assert.equal(tags.bug_count, 5)
  })

  it('has components of one name in one cell', async () => {
    const body = await report(world.sven, `x_axis_field=component&product=${product}&product=${hidden}`)
    assert.deepEqual(cells(body), { Core: 4, Shell: 3 })
  })

  it('leaves out what the caller may not see: bugs, and products with all their bugs', async () => {
    const everything = 'x_axis_field=product&y_axis_field=priority'
    for (const who of [world.nobody, world.stan]) {
      const seen = await report(who, everything)
      assert.ok(!seen.x_values.includes(hidden))
      assert.ok(!seen.y_values.includes('Highest'))
      assert.equal(seen.bug_count, 5)
    }
    const all = await report(world.sven, everything)
    assert.ok(all.x_values.includes(hidden) && all.y_values.includes('Highest'))
    assert.equal(all.bug_count, 7)
  })

  it('counts a restricted bug for users with a role in it', async () => {
    const id = await fileBug(world.sven, {
      product,
      component: 'Core',
      version: '1.0',
      groups: ['security'],
      cc: [cast.rhea.login],
    })
    const counted = async (who: Client) => (await report(who, `x_axis_field=status&id=${id}`)).bug_count
    assert.deepEqual(await Promise.all([world.sven, world.rhea, world.stan, world.nobody].map(counted)), [1, 1, 0, 0])
    await world.sven.put(`/rest/bug/${id}`, { is_cc_accessible: false })
    assert.equal(await counted(world.rhea), 0)
    await world.sven.put(`/rest/bug/${id}`, {
      status: 'RESOLVED',
      resolution: 'INVALID',
      groups: { remove: ['security'] },
    })
    assert.equal(await counted(world.stan), 1)
    await world.sven.put(`/rest/bug/${id}`, {
      product: 'TestProduct',
      component: 'TestComponent',
      version: 'unspecified',
    })
  })

  it('shows anonymous callers no addresses when they are not to see any', async () => {
    await world.withParameters({ webservice_email_filter: '1' }, async () => {
      const query = `x_axis_field=assigned_to&product=${product}`
      assert.deepEqual((await report(world.nobody, query)).x_values, ['ada', 'edna'])
      assert.deepEqual((await report(world.stan, query)).x_values, [cast.ada.login, cast.edna.login])
    })
  })

  it('uses a saved search', async () => {
    await world.stan.post('/rest/saved_search', { name: 'Shells', query: `product=${product}&component=Shell` })
    assert.deepEqual(cells(await report(world.stan, 'x_axis_field=component&savedsearch=shells')), { Shell: 2 })
  })

  for (const [query, status, code] of [
    ['product=TestProduct', 400, 50],
    ['x_axis_field=', 400, 50],
    ['x_axis_field=summary', 400, 53],
    ['x_axis_field=longdesc&y_axis_field=product', 400, 53],
    ['x_axis_field=__proto__', 400, 53],
    ['x_axis_field=product_id from bugs --', 400, 53],
    ['x_axis_field=product&f1=nothing&o1=equals&v1=1', 400, 108],
  ] as const)
    itOnce(world, `is refused with ${code} for ${query}`, async () => {
      assertRefused(await world.nobody.get(`/rest/report?${query.replaceAll(' ', '%20')}`), status, code)
    })
})
