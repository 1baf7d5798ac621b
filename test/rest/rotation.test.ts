import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type Rotation, turnsFrom } from '../../src/catalogue/rotations/rotation.ts'
import { cast } from '../support/cast.ts'
import { fileBug } from '../support/file-bug.ts'
import { newProduct } from '../support/new-product.ts'
import { assertRefused } from '../support/refusal.ts'
import { describeOnEachEngine, itOnce, itOnOneEngine } from '../support/world.ts'

const DAY = 86_400_000
const inDays = (days: number) => `${new Date(Date.now() + days * DAY).toISOString().slice(0, 19)}Z`

describe('the turns of a rotation', () => {
  const member = (id: number) => ({ id, login: `user${id}`, real_name: '', nick: null })
  const rotation: Rotation = {
    id: 1,
    name: 'Team',
    period: 'week',
    starts_at: '2026-10-19T07:00:00Z',
    time_zone: 'Europe/Berlin',
    members: [member(1), member(2), member(3)],
  }
  const ids = (at: string, isThere = (_: { id: number }, __: number) => true) =>
    turnsFrom(rotation, Date.parse(at), 4, isThere).map((turn) => turn.member?.id)

  it('begin at the same hour by the clock when summer time ends', () => {
    const [first, second] = turnsFrom(rotation, Date.parse('2026-10-25T12:00:00Z'), 2, () => true)
    assert.deepEqual([first?.from, first?.until], ['2026-10-19T07:00:00Z', '2026-10-26T08:00:00Z'])
    assert.equal(second?.until, '2026-11-02T08:00:00Z')
    assert.deepEqual(ids('2026-10-26T07:59:59Z'), [1, 2, 3, 1])
    assert.deepEqual(ids('2026-10-26T08:00:00Z'), [2, 3, 1, 2])
    assert.deepEqual(ids('2025-01-01T00:00:00Z'), [1, 2, 3, 1])
  })

  it('skip whoever is not there, also when nobody is', () => {
    assert.deepEqual(
      ids('2026-10-20T00:00:00Z', ({ id }) => id !== 1),
      [2, 2, 3, 2],
    )
    assert.deepEqual(
      ids('2026-10-20T00:00:00Z', ({ id }, at) => id !== 2 || at > Date.parse('2026-11-01T00:00:00Z')),
      [1, 3, 3, 1],
    )
    assert.deepEqual(
      ids('2026-10-20T00:00:00Z', () => false),
      [undefined, undefined, undefined, undefined],
    )
    assert.equal(turnsFrom({ ...rotation, members: [] }, 0, 1, () => true)[0]?.member, undefined)
  })
})

describeOnEachEngine('rotations and triage owners', (world) => {
  async function newRotation(users: (number | string)[], more: object = {}) {
    const name = world.unique('Rotation')
    const wanted = { name, users, start: inDays(-1), ...more }
    const { status, text, body } = await world.ada.post('/rest/rotation', wanted)
    assert.equal(status, 201, text)
    return { name, id: body.id }
  }

  itOnOneEngine(world, 'are created, read, changed and deleted, and skip who is away or disabled', async () => {
    const [ann, bob] = [await world.newUser(), await world.newUser()]
    const { name } = await newRotation([ann.login, bob.id], { time_zone: 'Europe/Berlin', period: 'day' })
    const path = `/rest/rotation/${encodeURIComponent(name)}` as '/rest/rotation/x'
    const current = async () => {
      const { body, text } = await ann.client.get(path)
      assert.equal(body.rotations[0].turns.length, 4, text)
      return body.rotations[0].turns[0].person?.id ?? null
    }
    await world.ada.put(path, { period: 'week' })
    assert.equal(await current(), ann.id)
    const { body } = await ann.client.post('/rest/absence', { from: inDays(-1), until: inDays(1) })
    assert.equal(await current(), bob.id)
    await world.ada.put(`/rest/user/${bob.id}`, { login_denied_text: 'Left' })
    assert.equal(await current(), null)
    await ann.client.delete(`/rest/absence/${body.id}`)
    assert.equal(await current(), ann.id)
    assert.ok(!(await ann.client.get('/rest/rotation')).body.rotations.some((it) => it.name !== name))
    for (const client of [world.rhea, world.stan]) assertRefused(await client.get(path), 404, 51)
    for (const verb of ['put', 'delete'] as const) assertRefused(await ann.client[verb](path, {}), 401, 304)
    const changes = (await world.ada.put(path, { users: [ann.id], name: ` ${name} ` })).body.rotations[0].changes
    assert.deepEqual(changes, { users: { removed: `${ann.login}, ${bob.login}`, added: ann.login } })
    await world.ada.post(`/rest/user/${ann.id}/anonymise`)
    assert.equal((await world.ada.get(path)).body.rotations[0].turns[0].person, null)
    assert.equal((await world.ada.delete(path)).status, 200)
    assertRefused(await world.ada.get(path), 404, 51)
  })

  itOnOneEngine(world, 'triage the bugs of components: a user, or whoever has the turn', async () => {
    const [ann, bob] = [await world.newUser(), await world.newUser()]
    const { name: product } = await newProduct(world)
    const { name } = await newRotation([ann.id, bob.id])
    const component = async (more: object) => {
      const wanted = {
        product,
        name: world.unique('Part'),
        description: 'd',
        default_assignee: cast.edna.login,
        ...more,
      }
      const { body, text, status } = await world.ada.post('/rest/component', wanted)
      assert.equal(status, 201, text)
      return { id: body.id, name: wanted.name }
    }
    const [owned, shared, other] = [
      await component({ triage_owner: bob.login }),
      await component({ triage_rotation: name }),
      await component({}),
    ]
    const read = async (id: number) => {
      const { triage_owner, triage_rotation } = (await world.rhea.get(`/rest/component/${id}`)).body.components[0]
      return [triage_owner, triage_rotation]
    }
    assert.deepEqual(await read(owned.id), [bob.login, ''])
    assert.deepEqual(await read(shared.id), [ann.login, name])
    assert.deepEqual(await read(other.id), ['', ''])
    const bugs = []
    for (const part of [owned, shared, other])
      bugs.push(await fileBug(world.edna, { product, component: part.name, version: '1.0' }))
    const owners = async (query = `product=${product}`) => {
      const fields = 'include_fields=id,triage_owner,triage_owner_detail.id'
      const { body, text } = await world.rhea.get(`/rest/bug?${query}&${fields}&order=bug_id`)
      assert.ok(body.bugs, text)
      return body.bugs.map((bug) => [bug.id, bug.triage_owner, bug.triage_owner_detail?.id])
    }
    const [one, two, three] = bugs
    const all = [
      [one, bob.login, bob.id],
      [two, ann.login, ann.id],
      [three, '', undefined],
    ]
    assert.deepEqual(await owners(), all)
    assert.deepEqual(await owners(`product=${product}&triage_owner=${ann.login}`), [all[1]])
    assert.deepEqual(await owners(`product=${product}&quicksearch=triage_owner:${bob.login}`), [all[0]])
    assert.deepEqual(await owners(`product=${product}&f1=triage_owner&o1=isempty`), [all[2]])
    const own = await ann.client.get(`/rest/bug?product=${product}&f1=triage_owner&o1=equals&v1=%25user%25`)
    assert.deepEqual(
      own.body.bugs?.map(({ id }) => id),
      [two],
    )
    assert.equal(own.body.bugs?.[0]?.triage_owner, undefined)
    const sorted = await world.rhea.get(`/rest/bug?product=${product}&order=triage_owner DESC&include_fields=id`)
    assert.equal(sorted.body.bugs?.at(-1)?.id, three)
    await ann.client.post('/rest/absence', { from: inDays(-1), until: inDays(1) })
    assert.deepEqual(await owners(`product=${product}&triage_owner=${bob.login}`), [all[0], [two, bob.login, bob.id]])
    const listed = (await world.rhea.get(`/rest/product/${product}`)).body.products[0].components
    assert.equal(listed.find(({ id }) => id === shared.id)?.triage_owner, bob.login)
    const report = async (query: string) =>
      JSON.parse((await world.rhea.get(`/rest/bmo/triage_owners?product=${product}${query}`)).text)[product] as Record<
        string,
        { triage_owner: string; bug_counts: { total: number } }
      >
    assert.equal((await report(''))[shared.name]?.bug_counts.total, 1)
    assert.deepEqual(Object.keys(await report(`&owner=${bob.login}`)).sort(), [owned.name, shared.name].sort())
    await world.ada.put(`/rest/component/${shared.id}`, { triage_owner: ann.login })
    assert.deepEqual(await read(shared.id), [ann.login, ''])
    await world.ada.put(`/rest/component/${owned.id}`, { triage_rotation: name })
    assert.deepEqual(await read(owned.id), [bob.login, name])
    assertRefused(await world.ada.delete(`/rest/rotation/${encodeURIComponent(name)}`), 400, 32000)
    await world.ada.put(`/rest/component/${owned.id}`, { triage_rotation: '' })
    assert.deepEqual(await read(owned.id), ['', ''])
  })

  itOnce(world, 'refuse what cannot be', async () => {
    const { id } = await world.newUser()
    const { name } = await newRotation([id])
    for (const [wrong, code] of [
      [{ name }, 32000],
      [{ name: '' }, 50],
      [{ name: 'x'.repeat(65) }, 53],
      [{ period: 'month' }, 53],
      [{ time_zone: 'Europe/Atlantis' }, 53],
      [{ start: 'soon' }, 56],
      [{ start: '1990-01-01' }, 53],
      [{ users: [] }, 50],
      [{ users: [id, String(id)] }, 53],
      [{ users: [999_999] }, 51],
      [{ users: Array.from({ length: 51 }, () => id) }, 53],
      [{ colour: 'red' }, 32601],
    ] as const) {
      const reply = await world.ada.post('/rest/rotation', { name: world.unique('R'), users: [id], ...wrong })
      assert.equal(reply.body.code, code, `${JSON.stringify(wrong)}: ${reply.text}`)
    }
    assertRefused(await world.edna.post('/rest/rotation', { name: 'x', users: [id] }), 401, 304)
    assertRefused(await world.nobody.get('/rest/rotation'), 401, 410)
    const wanted = { triage_owner: cast.edna.login, triage_rotation: name }
    assert.equal((await world.ada.put('/rest/component/1', wanted)).body.code, 53)
    assert.equal((await world.ada.put('/rest/component/1', { triage_rotation: 'none' })).body.code, 51)
    assert.equal((await world.ada.put('/rest/component/1', { triage_owner: 'nobody-here' })).body.code, 51)
  })
})
