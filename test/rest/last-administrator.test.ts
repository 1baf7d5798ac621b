import assert from 'node:assert/strict'
import { it } from 'node:test'
import { cast } from '../support/cast.ts'
import { assertRefused } from '../support/refusal.ts'
import { itOnPostgres, randomCases } from '../support/sample.ts'
import { describeOnEachEngine, itOnOneEngine, type World } from '../support/world.ts'

/** A second administrator, who is a member of admin only in the given way. */
async function administrator(world: World) {
  const user = await world.newUser()
  await world.ada.put(`/rest/user/${user.id}`, { groups: { add: ['admin'] } })
  return user
}

async function isAdministrator(world: World, id: number) {
  const { body } = await world.uma.get(`/rest/user/${id}`)
  const [{ groups, can_login }] = body.users
  return can_login && groups.some(({ name }: { name: string }) => name === 'admin')
}

describeOnEachEngine('The last administrator', (world) => {
  itOnOneEngine(world, 'can neither leave admin nor be disabled', async () => {
    for (const wanted of [
      { groups: { remove: ['admin'] } },
      { groups: { set: ['editusers'] } },
      { login_denied_text: 'Gone' },
    ])
      assertRefused(await world.ada.put('/rest/user/1', wanted), 400, 32000)
    assert.ok(await isAdministrator(world, 1))
    const { body } = await world.ada.put('/rest/user/1', { full_name: 'Still here' })
    assert.deepEqual(Object.keys(body.users[0].changes), ['full_name'])
  })

  itOnOneEngine(world, 'does not count a disabled member of admin', async () => {
    const other = await administrator(world)
    await world.ada.put(`/rest/user/${other.id}`, { login_denied_text: 'On leave' })
    assertRefused(await world.ada.put('/rest/user/1', { groups: { remove: ['admin'] } }), 400, 32000)
    await world.ada.put(`/rest/user/${other.id}`, { groups: { remove: ['admin'] } })
  })

  itOnOneEngine(world, 'may leave once there is another', async () => {
    const other = await administrator(world)
    assert.equal((await world.ada.put('/rest/user/1', { groups: { remove: ['admin'] } })).status, 200)
    assertRefused(await other.client.put(`/rest/user/${other.id}`, { login_denied_text: 'Gone' }), 400, 32000)
    assert.equal((await other.client.put('/rest/user/1', { groups: { add: ['admin'] } })).status, 200)
    assert.equal((await world.ada.put(`/rest/user/${other.id}`, { groups: { remove: ['admin'] } })).status, 200)
  })

  itOnOneEngine(world, 'cannot be removed together with the others in one call', async () => {
    const other = await administrator(world)
    const wanted = { ids: [other.id], groups: { remove: ['admin'] } }
    assertRefused(await world.ada.put('/rest/user/1', wanted), 400, 32000)
    assert.ok(await isAdministrator(world, 1))
    assert.ok(await isAdministrator(world, other.id))
    await world.ada.put(`/rest/user/${other.id}`, { groups: { remove: ['admin'] } })
  })

  it('is also one who is in admin through another group, or by its regexp', async () => {
    const bosses = await world.newGroup({ user_regexp: '^boss' })
    const boss = await world.newUser({ email: 'boss@lacewing.test' })
    await world.ada.put('/rest/group/admin', { member_groups: { add: [bosses.name] } })
    assert.ok(await isAdministrator(world, boss.id))
    assert.equal((await boss.client.put('/rest/user/1', { groups: { remove: ['admin'] } })).status, 200)

    for (const wanted of [{ email: 'clerk@lacewing.test' }, { login_denied_text: 'Gone' }])
      assertRefused(await boss.client.put(`/rest/user/${boss.id}`, wanted), 400, 32000)
    assertRefused(await boss.client.put('/rest/group/admin', { member_groups: { remove: [bosses.name] } }), 400, 32000)
    assertRefused(await boss.client.put('/rest/group/admin', { member_groups: { set: [] } }), 400, 32000)
    for (const user_regexp of ['', '^clerk'])
      assertRefused(await boss.client.put(`/rest/group/${bosses.name}`, { user_regexp }), 400, 32000)
    assertRefused(await boss.client.delete(`/rest/group/${bosses.name}`), 400, 32000)
    assert.ok(await isAdministrator(world, boss.id))

    assert.equal((await boss.client.put('/rest/user/1', { groups: { add: ['admin'] } })).status, 200)
    assert.equal((await world.ada.delete(`/rest/group/${bosses.name}`)).status, 200)
    assert.ok(!(await isAdministrator(world, boss.id)))
  })

  itOnPostgres(world, 'stays when two administrators remove each other at the same time', async () => {
    for (let round = 0; round < randomCases(2); round++) {
      const other = await administrator(world)
      const leaves = { groups: { remove: ['admin'] } }
      const replies = await Promise.all([
        world.ada.put(`/rest/user/${other.id}`, leaves),
        other.client.put('/rest/user/1', leaves),
        world.ada.put('/rest/user/1', { login_denied_text: 'Gone', ids: [other.id] }),
      ])
      assert.equal(replies.filter(({ status }) => status === 200).length, 1, JSON.stringify(replies))
      const left = (await isAdministrator(world, 1)) ? world.ada : other.client
      await left.put('/rest/user/1', { groups: { add: ['admin'] } })
      if (left !== world.ada) await world.ada.put(`/rest/user/${other.id}`, leaves)
    }
  })

  it('stays when another one is on the way out in a transaction that has not ended', async () => {
    const other = await administrator(world)
    const removed = await world.db.transaction(async (tx) => {
      await tx.query((q) => q.deleteFrom('user_group_grants').where('user_id', '=', other.id))
      const request = world.ada.put('/rest/user/1', { login_denied_text: 'Gone' })
      await new Promise((resolve) => setTimeout(resolve, 100))
      return { request }
    }, 'configuration')
    assertRefused(await removed.request, 400, 32000)
    assert.equal((await world.ada.get('/rest/whoami')).body.name, cast.ada.login)
  })
})
