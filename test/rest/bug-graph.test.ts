import assert from 'node:assert/strict'
import { it } from 'node:test'
import type { BodyAt, Query } from '../support/body-types.ts'
import { insertBug } from '../support/bug-rows.ts'
import { cast } from '../support/cast.ts'
import { countQueries } from '../support/count-queries.ts'
import { newProduct } from '../support/new-product.ts'
import { assertRefused } from '../support/refusal.ts'
import { describeOnOneEngine, type World } from '../support/world.ts'

type Graph = BodyAt<'GET', '/rest/bug/1/graph'>

/** Bugs of one product, each made with a word about it. */
async function bugMaker(world: World) {
  const { name } = await newProduct(world)
  return (more: Partial<Parameters<typeof insertBug>[1]> = {}) =>
    insertBug(world, { product: name, component: 'Core', assigned_to: cast.ada.login, ...more })
}

/** Each bug depends on the one after it. */
async function chain(world: World, ids: readonly number[]) {
  for (const [index, blocked_id] of ids.slice(0, -1).entries())
    await depend(world, blocked_id, [ids[index + 1] as number])
}

async function depend(world: World, blocked_id: number, on: readonly number[]) {
  const rows = on.map((depends_on_id) => ({ blocked_id, depends_on_id }))
  await world.db.query((q) => q.insertInto('bug_dependencies').values(rows))
}

async function graphOf(client: World['ada'], bug: number, query: Query = '') {
  const { status, body, text } = await client.get(`/rest/bug/${bug}/graph${query}`)
  assert.equal(status, 200, text)
  return body
}

/** `{bug: steps}` */
function stepsIn(graph: Graph): Record<number, number> {
  return Object.fromEntries(graph.bugs.map((bug) => [bug.id, bug.steps]))
}

function linksIn(graph: Graph): string[] {
  return graph.links.map(({ from, to }) => `${from}>${to}`).sort()
}

describeOnOneEngine('GET /rest/bug/(id)/graph', (world) => {
  it('returns what the bug depends on and what it blocks, step by step, to every caller who sees it', async () => {
    const make = await bugMaker(world)
    const [top, bug, below, deeper] = [
      await make(),
      await make(),
      await make({ status: 'RESOLVED', resolution: 'FIXED' }),
      await make(),
    ]
    await chain(world, [top, bug, below, deeper])
    const graph = await graphOf(world.nobody, bug)
    assert.deepEqual(
      { ...graph, bugs: undefined, links: undefined },
      { id: bug, relationship: 'dependencies', depth: 3, is_complete: true, bugs: undefined, links: undefined },
    )
    assert.deepEqual(stepsIn(graph), { [top]: 1, [bug]: 0, [below]: 1, [deeper]: 2 })
    assert.deepEqual(linksIn(graph), [`${top}>${bug}`, `${bug}>${below}`, `${below}>${deeper}`].sort())
    assert.deepEqual(
      graph.bugs.find((it) => it.id === below),
      { id: below, summary: 'Something is wrong', status: 'RESOLVED', resolution: 'FIXED', is_open: false, steps: 1 },
    )
  })

  it('goes as far as depth says: 3 steps without it, at most 9', async () => {
    const make = await bugMaker(world)
    const ids: number[] = []
    for (let made = 0; made < 11; made++) ids.push(await make())
    await chain(world, ids)
    const [start = 0] = ids
    for (const depth of [1, 3, 9])
      assert.equal((await graphOf(world.stan, start, `?depth=${depth}`)).bugs.length, depth + 1)
    assert.equal((await graphOf(world.stan, start)).bugs.length, 4)
    assertRefused(await world.stan.get(`/rest/bug/${start}/graph?depth=10`), 400, 54)
    assertRefused(await world.stan.get(`/rest/bug/${start}/graph?depth=0`), 400, 55)
    assertRefused(await world.stan.get(`/rest/bug/${start}/graph?depth=-1`), 400, 55)
    assertRefused(await world.stan.get(`/rest/bug/${start}/graph?depth=deep`), 400, 52)
  })

  it('does not go to bugs that merely share a dependency', async () => {
    const make = await bugMaker(world)
    const [bug, sibling, shared] = [await make(), await make(), await make()]
    await depend(world, bug, [shared])
    await depend(world, sibling, [shared])
    assert.deepEqual(stepsIn(await graphOf(world.stan, bug)), { [bug]: 0, [shared]: 1 })
  })

  it('shows a bug that is reached in two ways once, with the shorter one', async () => {
    const make = await bugMaker(world)
    const [bug, middle, end] = [await make(), await make(), await make()]
    await depend(world, bug, [middle, end])
    await depend(world, middle, [end])
    const graph = await graphOf(world.stan, bug)
    assert.deepEqual(stepsIn(graph), { [bug]: 0, [middle]: 1, [end]: 1 })
    assert.equal(graph.links.length, 3)
  })

  it('returns the duplicates of a bug, and those of the bug that it duplicates', async () => {
    const make = await bugMaker(world)
    const root = await make()
    const closed = { status: 'RESOLVED', resolution: 'DUPLICATE' }
    const [one, two] = [await make({ ...closed, dupe_of: root }), await make({ ...closed, dupe_of: root })]
    const third = await make({ ...closed, dupe_of: one })
    const graph = await graphOf(world.stan, one, '?relationship=duplicates')
    assert.deepEqual(stepsIn(graph), { [root]: 1, [one]: 0, [two]: 2, [third]: 1 })
    assert.deepEqual(linksIn(graph), [`${one}>${root}`, `${two}>${root}`, `${third}>${one}`].sort())
    assert.deepEqual(stepsIn(await graphOf(world.stan, one)), { [one]: 0 })
  })

  it('finds nothing that the caller does not see, and nothing beyond it', async () => {
    const make = await bugMaker(world)
    const [bug, hidden, beyond] = [await make(), await make({ groups: ['security'] }), await make()]
    await chain(world, [bug, hidden, beyond])
    const duplicate = await make({ status: 'RESOLVED', resolution: 'DUPLICATE', dupe_of: hidden })
    for (const query of ['', '?relationship=duplicates'] as const) {
      assert.deepEqual(stepsIn(await graphOf(world.stan, bug, query)), { [bug]: 0 })
      assert.deepEqual((await graphOf(world.stan, bug, query)).links, [])
    }
    assert.deepEqual(stepsIn(await graphOf(world.stan, duplicate, '?relationship=duplicates')), { [duplicate]: 0 })
    assert.deepEqual(stepsIn(await graphOf(world.sven, bug)), { [bug]: 0, [hidden]: 1, [beyond]: 2 })
  })

  it('refuses bugs that are not there for the caller, and relationships that there are not', async () => {
    const make = await bugMaker(world)
    const [bug, hidden] = [await make(), await make({ groups: ['security'] })]
    assertRefused(await world.stan.get(`/rest/bug/${hidden}/graph`), 401, 102)
    assertRefused(await world.nobody.get('/rest/bug/2000000/graph'), 404, 101)
    assertRefused(await world.nobody.get('/rest/bug/no-such/graph'), 400, 100)
    assertRefused(await world.stan.get(`/rest/bug/${bug}/graph?relationship=regressions`), 400, 53)
    assertRefused(await world.stan.get(`/rest/bug/${bug}/graph?relationship=duplicates&relationship=x`), 400, 53)
  })

  it('stops at 2000 bugs, and says so', async () => {
    const make = await bugMaker(world)
    const bug = await make()
    const [row] = await world.db.query((q) => q.selectFrom('bugs').selectAll().where('id', '=', bug))
    assert.ok(row)
    const { id: _, ...columns } = row
    const made: number[] = []
    for (let block = 0; block < 21; block++) {
      const rows = Array.from({ length: 100 }, () => columns)
      const ids = await world.db.query((q) => q.insertInto('bugs').values(rows).returning('id'))
      made.push(...ids.map(({ id }) => id))
    }
    for (let start = 0; start < made.length; start += 500) await depend(world, bug, made.slice(start, start + 500))
    const graph = await graphOf(world.stan, bug)
    assert.equal(graph.bugs.length, 2000)
    assert.equal(graph.is_complete, false)
    assert.equal(graph.links.length, 1999)
  })

  it('needs as many queries for a step to many bugs as for one to few', async () => {
    const make = await bugMaker(world)
    const [few, many] = [await make(), await make()]
    await depend(world, few, [await make()])
    for (let made = 0; made < 10; made++) await depend(world, many, [await make()])
    const expected = await countQueries(world, () => world.stan.get(`/rest/bug/${few}/graph`))
    assert.equal(await countQueries(world, () => world.stan.get(`/rest/bug/${many}/graph`)), expected)
  })
})
