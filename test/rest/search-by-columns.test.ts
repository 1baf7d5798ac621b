import assert from 'node:assert/strict'
import { before, it } from 'node:test'
import { cast } from '../support/cast.ts'
import { changeBug } from '../support/change-bug.ts'
import { fileBug } from '../support/file-bug.ts'
import { newProduct } from '../support/new-product.ts'
import { assertRefused } from '../support/refusal.ts'
import { sampledOn } from '../support/sample.ts'
import { type Client, describeOnEachEngine } from '../support/world.ts'

/** Holds for every bug, and is carried out by another plan than the columns. */
const BY_ANOTHER_PLAN = '&f1=bug_id&o1=greaterthan&v1=0'

const ORDERS = ['', '&order=bug_id%20DESC', '&order=changeddate%20DESC', '&order=priority,opendate', '&order=component']

describeOnEachEngine('a search by columns', (world) => {
  let [product, other] = ['', '']
  before(async () => {
    product = (await newProduct(world, ['Core', 'UI'])).name
    other = (await newProduct(world, ['Core'])).name
    const group = world.unique('columns')
    await world.ada.post('/rest/group', { name: group, description: 'Who sees some' })
    const facts = [
      { component: 'Core', priority: 'Low' },
      { component: 'UI', priority: 'Highest', assigned_to: cast.edna.login },
      { component: 'Core', priority: 'Normal', status: 'CONFIRMED' },
      { component: 'UI', priority: 'Low', cc: [cast.rhea.login] },
      { component: 'Core', priority: 'Highest', severity: 'blocker' },
    ]
    const filed: number[] = []
    for (const [place, it] of [...facts, ...facts, ...facts].entries())
      filed.push(await fileBug(place % 4 === 0 ? world.rhea : world.edna, { product, summary: `Bug ${place}`, ...it }))
    for (const place of [1, 2, 6])
      await changeBug(world.edna, filed[place] as number, { status: 'RESOLVED', resolution: 'FIXED' })
    await fileBug(world.edna, { product: other, component: 'Core', summary: 'Elsewhere' })
    await world.db.script(
      `insert into bug_groups (bug_id, group_id) select ${filed[4]}, id from groups where name = '${group}'
       union all select ${filed[3]}, id from groups where name = '${group}'`,
    )
  })

  const criteria = (): Record<string, string> => ({
    'a product': `product=${product}`,
    'two products': `product=${product}&product=${other}`,
    'a product and its open bugs': `product=${product}&bug_status=__open__`,
    'a component of one of the products that have it': `product=${product}&component=core`,
    'a component by its name alone': 'component=Core',
    'somebody who is assigned': `product=${product}&assigned_to=${cast.edna.login}`,
    themselves: 'assigned_to=%25user%25',
    'who filed them': `creator=${cast.rhea.login}&product=${product}`,
    'one resolution, and one of two priorities': `product=${product}&resolution=FIXED&priority=Highest&priority=Low`,
    'no resolution': `product=${product}&resolution=---`,
    'values that contradict': `product=${product}&f2=product&o2=equals&v2=${other}`,
    'a value that does not exist': `product=${product}&priority=Never`,
    everything: 'quicksearch=ALL',
  })

  for (const [number, name] of Object.keys(criteria()).entries())
    it(`finds by ${name} what other plans find, in every order and on every page`, async () => {
      const found = criteria()[name] as string
      const readers: Client[] = name === 'themselves' ? [world.edna] : [world.ada, world.rhea, world.nobody]
      for (const [place, order] of sampledOn(world.engine, [...ORDERS.entries()], 5, number))
        for (const reader of readers) {
          const path: `/rest/bug?${string}` = `/rest/bug?${found}${order}&limit=${3 + place}`
          const first = await reader.get(path)
          const expected = await reader.get(`${path}${BY_ANOTHER_PLAN}`)
          assert.deepEqual(first.body, expected.body, path)
          if (first.body.next_cursor === undefined) continue
          const next = `&cursor=${encodeURIComponent(first.body.next_cursor)}`
          const second = await reader.get(`${path}&offset=${3 + place}`)
          assert.deepEqual(second.body.bugs, (await reader.get(`${path}${next}`)).body.bugs, path)
        }
    })

  it('uses the columns', async () => {
    for (const found of [`product=${product}`, `product=${product}&component=Core`, 'assigned_to=%25user%25']) {
      const { body } = await world.ada.get(`/rest/bug?${found}&limit=5&explain=1`)
      assert.deepEqual(
        body.explanation.plans.map(({ strategy }) => strategy),
        ['by_columns'],
      )
    }
  })

  it('reads only what fields need, whichever are asked for', async () => {
    const fields = ['is_open', 'classification', 'creator_detail', 'qa_contact', 'dupe_of', 'flags', 'cc', 'deadline']
    for (const field of [...fields, 'summary,groups', '_all', 'id,_extra']) {
      const path = `/rest/bug?product=${product}&limit=4&include_fields=${field}`
      const { body } = await world.ada.get(path)
      assert.deepEqual(body, (await world.ada.get(`${path}${BY_ANOTHER_PLAN}`)).body, field)
    }
  })

  it('tells a list of names from a text that looks like one', async () => {
    const names = `["${product}","${other}"]`
    const list = await world.ada.get(`/rest/bug?product=${product}&product=${other}&limit=5&include_fields=id`)
    assert.equal(list.body.bugs.length, 5)
    const path: `/rest/bug?${string}` = `/rest/bug?f1=product&o1=anyexact&v1=${encodeURIComponent(names)}&limit=5`
    assert.deepEqual((await world.ada.get(path)).body.bugs, [])
    const field = encodeURIComponent(`product equals "${product}"`)
    assertRefused(await world.ada.get(`/rest/bug?f1=${field}&o1=equals&v1=x&limit=5`), 400, 108)
  })

  it('reads only the bugs of the page, however many have the same time', async () => {
    // Whether the index has the whole order, so that nothing is sorted. Otherwise only ids are.
    const orders = { bug_id: true, 'changeddate%20DESC': true, changeddate: false, 'changeddate,bug_id%20DESC': true }
    for (const [order, isOrdered] of Object.entries({ ...orders, 'opendate%20DESC': false, opendate: true })) {
      const path: `/rest/bug?${string}` = `/rest/bug?product=${product}&order=${order}&limit=5`
      const { body } = await world.ada.get(`${path}&explain=1`)
      const { sql = '', plan = [] } = body.explanation.statements.at(-1) ?? {}
      assert.equal(!/"bugs"."id" (?:in|= any\(array)\s*\(\(select|any\(array/.test(sql), isOrdered, order)
      if (isOrdered && world.engine === 'sqlite') assert.doesNotMatch(plan.join('\n'), /^USE TEMP B-TREE/m, order)
      assert.deepEqual((await world.ada.get(path)).body, (await world.ada.get(`${path}${BY_ANOTHER_PLAN}`)).body, order)
    }
  })

  it('knows at once what was renamed, added or made', async () => {
    const list = async (name: string) =>
      (await world.ada.get(`/rest/bug?component=${name}&limit=50&include_fields=id`)).body.bugs.length
    const [before, after] = [world.unique('Before'), world.unique('After')]
    const made = (await newProduct(world, [before])).name
    assert.equal(await list(before), 0)
    await fileBug(world.edna, { product: made, component: before, summary: 'In the renamed component' })
    assert.equal(await list(before), 1)
    const { status } = await world.ada.put(`/rest/component/${made}/${before}`, { name: after })
    assert.equal(status, 200)
    assert.deepEqual([await list(before), await list(after)], [0, 1])
    const second = (await newProduct(world, [after])).name
    await fileBug(world.edna, { product: second, component: after, summary: 'In a new component of the same name' })
    assert.equal(await list(after), 2)
  })
})
