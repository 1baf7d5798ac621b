import assert from 'node:assert/strict'
import { it } from 'node:test'
import { cast } from '../support/cast.ts'
import { changeBug } from '../support/change-bug.ts'
import { fileBug } from '../support/file-bug.ts'
import { type Client, describeOnEachEngine, type Reply } from '../support/world.ts'

const MISSING = 'nobody-has-this@lacewing.test'

/** The same answer about a user and about a login that does not exist, but for the login. */
async function alike(ask: (login: string) => Promise<Reply>, login: string) {
  const [one, other] = [await ask(login), await ask(MISSING)]
  assert.equal(one.text.replaceAll(login, '?'), other.text.replaceAll(MISSING, '?'))
  assert.equal(one.status, other.status)
  return one
}

describeOnEachEngine('who has an account', (world) => {
  const searches = (login: string) =>
    ['priority', 'longdesc', 'creation_ts', 'everconfirmed'].flatMap((field) => [
      `/rest/bug?f1=${field}&o1=changedby&v1=${encodeURIComponent(login)}&include_fields=id`,
      `/rest/report?x_axis_field=status&f1=${field}&o1=changedby&v1=${encodeURIComponent(login)}`,
    ])

  async function assertAlike(client: Client, login: string) {
    for (const place of searches('').keys())
      assert.equal((await alike((it) => client.get(searches(it)[place] ?? ''), login)).status, 200)
  }

  it('is not revealed to anonymous callers by searches for changes', async () => {
    const { login } = await world.newUser()
    await assertAlike(world.nobody, login)
    await world.withParameters({ webservice_email_filter: 1 }, () => assertAlike(world.nobody, login))
  })

  it('is not revealed by them to users who do not see all users', async () => {
    const { login } = await world.newUser()
    const ask = (client: Client, it: string) =>
      client.get(`/rest/bug?f1=priority&o1=changedby&v1=${encodeURIComponent(it)}`)
    assert.equal((await ask(world.stan, MISSING)).body.code, 504)
    await world.withParameters({ usevisibilitygroups: 1 }, async () => {
      await assertAlike(world.stan, login)
      assert.equal((await ask(world.uma, MISSING)).body.code, 504)
    })
  })

  it('is found by anonymous callers by as much of a login as they are shown', async () => {
    const id = await fileBug(world.edna)
    await changeBug(world.edna, id, { priority: 'High' })
    const found = async (login: string) => {
      const { body } = await world.nobody.get(
        `/rest/bug?f1=priority&o1=changedby&v1=${encodeURIComponent(login)}&f2=bug_id&o2=equals&v2=${id}&include_fields=id`,
      )
      return body.bugs.map((bug) => bug.id)
    }
    assert.deepEqual(await found(cast.edna.login), [id])
    await world.withParameters({ webservice_email_filter: 1 }, async () => {
      assert.deepEqual(await found(cast.edna.login), [])
      assert.deepEqual(await found('Edna'), [id])
    })
  })

  it('is not revealed to anonymous callers by login name if users are hidden', async () => {
    const { login } = await world.newUser()
    const asks = [
      (it: string) => world.nobody.get(`/rest/user?names=${it}`),
      (it: string) => world.nobody.get(`/rest/user/${it}`),
      (it: string) => world.nobody.get(`/rest/user?names=${it}&names=${cast.edna.login}`),
      (it: string) => world.nobody.get(`/rest/user?names=${cast.edna.login}&names=${it}`),
    ]
    assert.equal((await asks[0]?.(login))?.body.users.length, 1)
    await world.withParameters({ usevisibilitygroups: 1 }, async () => {
      for (const ask of asks) assert.equal((await alike(ask, login)).status, 404)
      const { body } = await world.stan.get(`/rest/user?names=${login}`)
      assert.equal(body.users.length, 1)
    })
  })
})
