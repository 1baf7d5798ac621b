import assert from 'node:assert/strict'
import { it } from 'node:test'
import { cast } from '../support/cast.ts'
import { newHiddenProduct, newProduct } from '../support/new-product.ts'
import { inOneWorld } from '../support/one-world.ts'
import { assertRefused, outcomesOf } from '../support/refusal.ts'
import type { Client, World } from '../support/world.ts'
import { itOnOneEngine } from '../support/world.ts'

const describeTogether = inOneWorld()

const LIMITS = { votesperuser: 4, maxvotesperbug: 3, votestoconfirm: 0 }

async function votingProduct(world: World, limits: Partial<typeof LIMITS> = {}) {
  const product = await newProduct(world)
  const { status, text } = await world.ada.put(`/rest/product/${product.id}`, { ...LIMITS, ...limits })
  assert.equal(status, 200, text)
  return product
}

async function bugIn(by: Client, product: string, more: object = {}): Promise<number> {
  const bug = { product, component: 'Core', version: '1.0', summary: 'A lamp flickers', ...more }
  const { body, text } = await by.post('/rest/bug', bug)
  assert.ok(body.id, text)
  return body.id
}

const vote = (by: Client, bug: number, votes: unknown) => by.put(`/rest/bug/${bug}/votes`, { votes })
const sumOf = async (by: Client, bug: number) => (await by.get(`/rest/bug/${bug}?include_fields=votes`)).body.bugs[0]

describeTogether('Votes', (world) => {
  itOnOneEngine(world, 'are set, changed and taken back, and change neither history nor time of the bug', async () => {
    const { name } = await votingProduct(world)
    const bug = await bugIn(world.rhea, name)
    const before = (await world.rhea.get(`/rest/bug/${bug}?include_fields=last_change_time`)).body
    assert.deepEqual((await vote(world.stan, bug, 2)).body, { votes: [{ bug_id: bug, votes: 2, bug_votes: 2 }] })
    assert.deepEqual((await vote(world.rhea, bug, 1)).body.votes[0], { bug_id: bug, votes: 1, bug_votes: 3 })
    const { body } = await world.stan.get(`/rest/bug/${bug}/votes`)
    assert.deepEqual(
      body.voters.map((it) => [it.name, it.votes]),
      [
        [cast.stan.login, 2],
        [cast.rhea.login, 1],
      ],
    )
    assert.deepEqual([body.votes, body.voter_count, body.own], [3, 2, { votes: 2, used: 2, most: 3 }])
    const nobody = (await world.nobody.get(`/rest/bug/${bug}/votes?limit=1`)).body
    assert.deepEqual([nobody.own, nobody.voters.map((it) => it.name)], [undefined, [cast.stan.login]])
    await vote(world.stan, bug, 0)
    assert.deepEqual(await sumOf(world.nobody, bug), { votes: 1 })
    const after = (await world.rhea.get(`/rest/bug/${bug}?include_fields=last_change_time`)).body
    assert.deepEqual(after, before)
    assert.deepEqual((await world.rhea.get(`/rest/bug/${bug}/history`)).body.bugs[0]?.history, [])
  })

  it('are found, sorted, counted and listed', async () => {
    const { name } = await votingProduct(world)
    const [none, one, three] = [
      await bugIn(world.rhea, name),
      await bugIn(world.rhea, name),
      await bugIn(world.rhea, name),
    ]
    await vote(world.stan, one, 1)
    await vote(world.stan, three, 3)
    const found = async (query: string) =>
      (await world.rhea.get(`/rest/bug?product=${name}&include_fields=id,votes&${query}`)).body.bugs?.map(
        ({ id }) => id,
      )
    assert.deepEqual(await found('order=votes DESC,bug_id'), [three, one, none])
    assert.deepEqual(await found('votes=1&order=bug_id'), [one, three])
    assert.deepEqual(await found('f1=votes&o1=equals&v1=3'), [three])
    const quick = await world.rhea.get(`/rest/bug?quicksearch=${encodeURIComponent(`product:${name} votes:3`)}`)
    assert.deepEqual(
      quick.body.bugs?.map((bug) => [bug.id, bug.votes]),
      [[three, 3]],
    )
    const report = await world.rhea.get(`/rest/report?x_axis_field=votes&product=${name}`)
    assert.deepEqual(report.body.x_values, ['0', '1', '3'])
  })

  it('stay within the limits of the product, also when they are moved from bug to bug', async () => {
    const { name } = await votingProduct(world)
    const [one, two] = [await bugIn(world.rhea, name), await bugIn(world.rhea, name)]
    for (const wrong of [-1, 4, 2 ** 31, 2 ** 60, 1.5, 'many', null, [1], {}, true])
      assert.equal((await vote(world.stan, one, wrong)).status, 400, String(wrong))
    assert.equal((await vote(world.stan, one, 3)).status, 200)
    assertRefused(await vote(world.stan, two, 2), 400, 32000)
    const set = (votes: unknown) => world.stan.put(`/rest/user/${cast.stan.login}/votes`, { votes })
    const moved = [
      { bug: two, votes: 3 },
      { bug: one, votes: 1 },
    ]
    assert.equal((await set(moved)).status, 200)
    assertRefused(
      await set([
        { bug: one, votes: 0 },
        { bug: 999_999, votes: 1 },
      ]),
      404,
      101,
    )
    assert.deepEqual([await sumOf(world.stan, one), await sumOf(world.stan, two)], [{ votes: 1 }, { votes: 3 }])
    for (const wrong of [{}, 1, 'x', [1], [{}], [{ bug: one }], [{ bug: {}, votes: 1 }], [{ bug: one, votes: 'x' }]])
      assert.equal((await set(wrong)).status, 400, JSON.stringify(wrong))
    const plain = await bugIn(world.rhea, (await newProduct(world)).name)
    assertRefused(await vote(world.stan, plain, 1), 400, 32000)
    assert.equal((await vote(world.nobody, one, 1)).body.code, 410)
    assertRefused(await world.stan.put(`/rest/user/${cast.rhea.login}/votes`, { votes: [] }), 401, 304)
  })

  it('stay within the limits when they are given at once', async () => {
    const { name } = await votingProduct(world, { votesperuser: 5, maxvotesperbug: 1 })
    const bugs = await Promise.all(Array.from({ length: 20 }, () => bugIn(world.rhea, name)))
    const outcomes = outcomesOf(await Promise.all(bugs.map((bug) => vote(world.stan, bug, 1))))
    assert.equal(outcomes.filter((outcome) => outcome === 'done').length, 5, String(outcomes))
    const { body } = await world.stan.get(`/rest/user/${cast.stan.login}/votes`)
    assert.equal(body.bugs.filter((bug) => bug.product === name).length, 5)
    assert.equal(body.products?.find((it) => it.product === name)?.used, 5)
    // Many at once for one bug: none is lost.
    const [one = 0] = bugs
    await Promise.all([world.rhea, world.edna, world.sven, world.uma, world.greta].map((by) => vote(by, one, 1)))
    const sum = await world.stan.get(`/rest/bug/${one}/votes`)
    assert.equal(sum.body.votes, sum.body.voters.length)
    assert.ok(sum.body.votes >= 5)
  })

  it('are hidden with their bugs', async () => {
    const hidden = await newHiddenProduct(world)
    await world.ada.put(`/rest/product/${hidden.id}`, LIMITS)
    const bug = await bugIn(world.sven, hidden.name)
    assert.equal((await vote(world.sven, bug, 1)).status, 200)
    assertRefused(await vote(world.stan, bug, 1), 401, 102)
    assertRefused(await world.stan.get(`/rest/bug/${bug}/votes`), 401, 102)
    const listed = async (by: Client) =>
      (await by.get(`/rest/user/${cast.sven.login}/votes`)).body.bugs.map(({ bug_id }) => bug_id)
    assert.ok((await listed(world.sven)).includes(bug))
    assert.ok(!(await listed(world.stan)).includes(bug))
    assert.equal((await world.stan.get(`/rest/user/${cast.sven.login}/votes`)).body.products, undefined)
  })

  itOnOneEngine(world, 'confirm a bug when the last one is given, also by a user without rights', async () => {
    const { name } = await votingProduct(world, { votestoconfirm: 2, maxvotesperbug: 1 })
    const bug = await bugIn(world.rhea, name)
    const state = async () => (await world.rhea.get(`/rest/bug/${bug}?include_fields=status,is_confirmed`)).body.bugs[0]
    await vote(world.rhea, bug, 1)
    assert.deepEqual(await state(), { status: 'UNCONFIRMED', is_confirmed: false })
    await Promise.all([vote(world.stan, bug, 1), vote(world.uma, bug, 1)])
    assert.deepEqual(await state(), { status: 'CONFIRMED', is_confirmed: true })
    const history = (await world.rhea.get(`/rest/bug/${bug}/history`)).body.bugs[0]?.history ?? []
    assert.equal(history.length, 1)
    assert.deepEqual(history[0]?.changes, [
      { field_name: 'status', removed: 'UNCONFIRMED', added: 'CONFIRMED' },
      { field_name: 'is_confirmed', removed: '0', added: '1' },
    ])
    const comments = (await world.rhea.get(`/rest/bug/${bug}/comment`)).body.bugs[bug]?.comments ?? []
    assert.deepEqual(
      comments.slice(1).map(({ text }) => text),
      ['This bug was confirmed by popular vote.'],
    )
  })

  itOnOneEngine(world, 'confirm bugs when the product needs fewer', async () => {
    const product = await votingProduct(world, { votestoconfirm: 9 })
    const bug = await bugIn(world.rhea, product.name)
    await vote(world.rhea, bug, 2)
    await world.ada.put(`/rest/product/${product.id}`, { votestoconfirm: 2 })
    assert.equal((await world.rhea.get(`/rest/bug/${bug}`)).body.bugs[0]?.status, 'CONFIRMED')
  })

  itOnOneEngine(world, 'are cut when a bug moves, and when a product allows fewer', async () => {
    const product = await votingProduct(world)
    const other = await votingProduct(world, { votesperuser: 3, maxvotesperbug: 2 })
    const [one, two] = [await bugIn(world.rhea, product.name), await bugIn(world.rhea, product.name)]
    const there = await bugIn(world.rhea, other.name)
    await vote(world.stan, one, 3)
    await vote(world.rhea, one, 1)
    await vote(world.stan, two, 1)
    await vote(world.stan, there, 2)
    const moved = { product: other.name, component: 'Core', version: '1.0' }
    assert.equal((await world.edna.put(`/rest/bug/${one}`, moved)).status, 200)
    assert.deepEqual(await sumOf(world.stan, one), { votes: 2 }, 'one of stan, who has three, and one of rhea')
    await world.ada.put(`/rest/product/${other.id}`, { votesperuser: 1 })
    const sums = [await sumOf(world.stan, one), await sumOf(world.stan, there)]
    assert.equal(
      sums.reduce((sum, it) => sum + (it?.votes ?? 0), 0),
      2,
    )
    await world.ada.put(`/rest/product/${product.id}`, { votesperuser: 0 })
    assert.deepEqual(await sumOf(world.stan, two), { votes: 0 })
    for (const wrong of [{ votesperuser: -1 }, { maxvotesperbug: 10_001 }, { votestoconfirm: 'x' }])
      assert.equal((await world.ada.put(`/rest/product/${product.id}`, wrong)).status, 400)
    assertRefused(await world.stan.put(`/rest/product/${product.id}`, LIMITS), 401, 304)
  })

  it('are kept by a copy of the product as limits, and not as votes', async () => {
    const product = await votingProduct(world, { votestoconfirm: 7 })
    const name = world.unique('Copy')
    const { body, text } = await world.ada.post(`/rest/product/${product.id}/copy`, { name })
    assert.ok(body.id, text)
    const fields = 'votesperuser,maxvotesperbug,votestoconfirm'
    const copy = await world.ada.get(`/rest/product/${body.id}?include_fields=${fields}`)
    assert.deepEqual(copy.body.products, [{ ...LIMITS, votestoconfirm: 7 }])
  })
})
