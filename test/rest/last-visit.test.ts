import assert from 'node:assert/strict'
import { it } from 'node:test'
import { secondsAgo } from '../../src/platform/time/clock.ts'
import { insertBug } from '../support/bug-rows.ts'
import { cast } from '../support/cast.ts'
import { countQueries } from '../support/count-queries.ts'
import { newProduct } from '../support/new-product.ts'
import { assertRefused } from '../support/refusal.ts'
import { describeOnOneEngine, type World } from '../support/world.ts'

const PATH = '/rest/bug_user_last_visit'

async function newBugs(world: World, count: number, more: { groups?: string[]; creator?: string } = {}) {
  const { name } = await newProduct(world)
  const ids: number[] = []
  for (let made = 0; made < count; made++)
    ids.push(await insertBug(world, { product: name, component: 'Core', assigned_to: cast.ada.login, ...more }))
  return ids
}

/** Lets a visit have happened before. */
async function backdate(world: World, login: string, bugId: number, at: string) {
  await world.db.query((q) =>
    q
      .updateTable('last_visits')
      .set({ at })
      .where('bug_id', '=', bugId)
      .where('user_id', 'in', q.selectFrom('users').select('id').where('login', '=', login)),
  )
}

function idsIn(body: readonly { id: number }[]): number[] {
  return body.map((visit) => visit.id)
}

describeOnOneEngine('POST /rest/bug_user_last_visit', (world) => {
  it('notes the visit of every user who sees the bug, and returns its time', async () => {
    const [bug] = await newBugs(world, 1)
    const since = secondsAgo(0)
    const { status, body } = await world.stan.post(`${PATH}/${bug}`)
    assert.equal(status, 200)
    assert.deepEqual(Object.keys(body[0]), ['id', 'last_visit_ts'])
    assert.equal(body[0].id, bug)
    assert.ok(body[0].last_visit_ts >= since && body[0].last_visit_ts <= secondsAgo(-1), body[0].last_visit_ts)
    assert.deepEqual((await world.stan.get(`${PATH}/${bug}`)).body, body)
  })

  it('notes visits to the bugs of path and ids, each once', async () => {
    const [one, two, three] = await newBugs(world, 3)
    const both = await world.edna.post(`${PATH}/${one}`, { ids: [two, one] })
    assert.deepEqual(idsIn(both.body), [one, two])
    const listed = await world.edna.post(PATH, { ids: [three, String(two)] })
    assert.deepEqual(idsIn(listed.body), [three, two])
    assert.deepEqual(idsIn((await world.edna.get(`${PATH}?ids=${three}`)).body), [three])
    assert.deepEqual(idsIn((await world.edna.get(`${PATH}/${two}?ids=${three}&ids=${one}`)).body), [two, three, one])
  })

  it('moves the time of an earlier visit', async () => {
    const [bug = 0] = await newBugs(world, 1)
    await world.edna.post(`${PATH}/${bug}`)
    await backdate(world, cast.edna.login, bug, secondsAgo(3600))
    const again = await world.edna.post(`${PATH}/${bug}`)
    assert.deepEqual((await world.edna.get(`${PATH}/${bug}`)).body, again.body)
  })

  it('forgets visits that are older than last_visit_keep_days', async () => {
    const [old = 0, recent = 0] = await newBugs(world, 2)
    const { client, login } = await world.newUser()
    await client.post(PATH, { ids: [old, recent] })
    await backdate(world, login, old, secondsAgo(11 * 86_400))
    await backdate(world, login, recent, secondsAgo(9 * 86_400))
    assert.deepEqual(idsIn((await client.get(PATH)).body), [recent])
    assert.deepEqual(idsIn((await client.get(`${PATH}/${old}`)).body), [])
    await client.post(`${PATH}/${recent}`)
    const left = await world.db.query((q) =>
      q.selectFrom('last_visits').select('bug_id').where('bug_id', 'in', [old, recent]),
    )
    assert.deepEqual(
      left.map(({ bug_id }) => bug_id),
      [recent],
    )
    await world.withParameters({ last_visit_keep_days: 1 }, async () => {
      await backdate(world, login, recent, secondsAgo(2 * 86_400))
      assert.deepEqual((await client.get(PATH)).body, [])
    })
  })

  it('refuses anonymous callers with 410', async () => {
    const [bug] = await newBugs(world, 1)
    assertRefused(await world.nobody.post(`${PATH}/${bug}`), 401, 410)
    assertRefused(await world.nobody.post(PATH, { ids: [bug] }), 401, 410)
  })

  it('refuses bugs that are not there for the caller, and then notes none', async () => {
    const [seen] = await newBugs(world, 1)
    const [hidden] = await newBugs(world, 1, { groups: ['security'] })
    assertRefused(await world.stan.post(PATH, { ids: [seen, hidden] }), 401, 102)
    assertRefused(await world.stan.post(PATH, { ids: [seen, 2_000_000] }), 404, 101)
    assertRefused(await world.stan.post(PATH, { ids: [seen, 99_999_999_999] }), 404, 101)
    assertRefused(await world.stan.post(`${PATH}/no-such-alias`), 400, 100)
    assert.deepEqual((await world.stan.get(`${PATH}/${seen}`)).body, [])
    assert.equal((await world.sven.post(`${PATH}/${hidden}`)).status, 200)
  })

  it('refuses ids that are missing or nested', async () => {
    assertRefused(await world.stan.post(PATH), 400, 50)
    assertRefused(await world.stan.post(PATH, { ids: null }), 400, 50)
    assertRefused(await world.stan.post(PATH, { ids: [[1]] }), 400, 58)
    assertRefused(await world.stan.post(PATH, { ids: { id: 1 } }), 400, 58)
    assert.deepEqual((await world.stan.post(PATH, { ids: [] })).body, [])
  })

  it('needs as many queries for many bugs as for one', async () => {
    const bugs = await newBugs(world, 12)
    const one = await countQueries(world, () => world.edna.post(PATH, { ids: bugs.slice(0, 1) }))
    const many = await countQueries(world, () => world.edna.post(PATH, { ids: bugs }))
    assert.equal(many, one)
  })
})

describeOnOneEngine('GET /rest/bug_user_last_visit', (world) => {
  it('returns the 20 newest visits of the caller, the latest first', async () => {
    const bugs = await newBugs(world, 22)
    const { client, login } = await world.newUser()
    await client.post(PATH, { ids: bugs })
    await backdate(world, login, bugs[0] as number, secondsAgo(50))
    await backdate(world, login, bugs[1] as number, secondsAgo(60))
    await backdate(world, login, bugs[21] as number, secondsAgo(10))
    const expected = [...bugs.slice(2, 21).reverse(), bugs[21]]
    assert.deepEqual(idsIn((await client.get(PATH)).body), expected)
    assert.deepEqual((await world.pam.get(PATH)).body, [])
  })

  it('returns the requested fields', async () => {
    const [bug] = await newBugs(world, 1)
    await world.greta.post(`${PATH}/${bug}`)
    assert.deepEqual((await world.greta.get(`${PATH}/${bug}?include_fields=id`)).body, [{ id: bug }])
  })

  it('leaves out bugs that the caller no longer sees, and those that never were', async () => {
    const [bug = 0] = await newBugs(world, 1)
    const { client } = await world.newUser()
    await client.post(`${PATH}/${bug}`)
    const security = await world.db.query((q) => q.selectFrom('groups').select('id').where('name', '=', 'security'))
    await world.db.query((q) => q.insertInto('bug_groups').values({ bug_id: bug, group_id: security[0]?.id ?? 0 }))
    assert.deepEqual((await client.get(PATH)).body, [])
    assert.deepEqual((await client.get(`${PATH}/${bug}`)).body, [])
    assert.deepEqual((await client.get(`${PATH}/2000000?ids=no-such-alias`)).body, [])
  })

  it('refuses anonymous callers with 410', async () => {
    assertRefused(await world.nobody.get(PATH), 401, 410)
    assertRefused(await world.nobody.get(`${PATH}/1`), 401, 410)
  })
})
