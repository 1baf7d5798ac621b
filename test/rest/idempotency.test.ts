import assert from 'node:assert/strict'
import { it } from 'node:test'
import pg from 'pg'
import { isInTransaction } from '../../src/platform/database/transactions/transaction-watch.ts'
import { passwordWork } from '../../src/platform/secrets/passwords.ts'
import { newBug } from '../support/file-bug.ts'
import { assertRefused } from '../support/refusal.ts'
import { itOnPostgres, randomCases } from '../support/sample.ts'
import { describeOnEachEngine, itOnOneEngine } from '../support/world.ts'

describeOnEachEngine('Idempotency-Key on POST', (world) => {
  const keyed = (key: string) => ({ 'Idempotency-Key': key })
  const keyword = () => ({ name: world.unique('once'), description: 'Made once' })
  const named = async (name: string) => {
    const { body } = await world.nobody.get('/rest/keyword')
    return body.keywords.filter((it: { name: string }) => it.name === name).length
  }

  itOnOneEngine(world, 'returns the first answer again and does nothing', async () => {
    const wanted = keyword()
    const first = await world.ada.post('/rest/keyword', wanted, keyed('again'))
    const second = await world.ada.post('/rest/keyword', wanted, keyed('again'))
    assert.equal(first.status, 201)
    assert.equal(second.status, 201)
    assert.deepEqual(second.body, first.body)
    assert.equal(first.headers.get('idempotent-replayed'), null)
    assert.equal(second.headers.get('idempotent-replayed'), 'true')
    assert.equal(await named(wanted.name), 1)
  })

  itOnOneEngine(world, 'refuses the same key with another body', async () => {
    await world.ada.post('/rest/keyword', keyword(), keyed('other-body'))
    const other = keyword()
    assertRefused(await world.ada.post('/rest/keyword', other, keyed('other-body')), 422, 32000)
    assert.equal(await named(other.name), 0)
  })

  itOnOneEngine(world, 'refuses the same key at another address', async () => {
    const wanted = keyword()
    await world.ada.post('/rest/keyword', wanted, keyed('other-path'))
    assertRefused(await world.ada.post('/rest/group', wanted, keyed('other-path')), 422, 32000)
  })

  itOnOneEngine(world, 'keeps the keys of people apart', async () => {
    const person = await world.newUser()
    await world.ada.put(`/rest/user/${person.id}`, { groups: { add: ['editkeywords'] } })
    const [hers, his] = [keyword(), keyword()]
    assert.equal((await world.ada.post('/rest/keyword', hers, keyed('shared'))).status, 201)
    assert.equal((await person.client.post('/rest/keyword', his, keyed('shared'))).status, 201)
    assert.equal(await named(his.name), 1)
  })

  itOnOneEngine(world, 'tries again what was refused', async () => {
    const wanted = keyword()
    assertRefused(await world.ada.post('/rest/keyword', { ...wanted, description: '' }, keyed('refused')), 400, 50)
    assert.equal((await world.ada.post('/rest/keyword', wanted, keyed('refused'))).status, 201)
  })

  it('carries out one of many that come at once', async () => {
    const wanted = keyword()
    const replies = await Promise.all(
      Array.from({ length: 12 }, () => world.ada.post('/rest/keyword', wanted, keyed('at-once'))),
    )
    assert.deepEqual([...new Set(replies.map((reply) => reply.status))], [201])
    assert.equal(new Set(replies.map((reply) => reply.body.id)).size, 1)
    assert.equal(replies.filter((reply) => reply.headers.get('idempotent-replayed') === null).length, 1)
  })

  itOnOneEngine(world, 'forgets after a day', async () => {
    const wanted = keyword()
    await world.ada.post('/rest/keyword', wanted, keyed('yesterday'))
    await world.db.query((q) => q.updateTable('idempotent_replies').set({ at: '2020-01-01T00:00:00Z' }))
    assertRefused(await world.ada.post('/rest/keyword', wanted, keyed('yesterday')), 400, 32000)
  })

  itOnOneEngine(world, 'refuses a key that is too long or holds other characters', async () => {
    assertRefused(await world.ada.post('/rest/keyword', keyword(), keyed('x'.repeat(256))), 400, 53)
    assertRefused(await world.ada.post('/rest/keyword', keyword(), keyed('caf\u00e9')), 400, 53)
  })

  itOnOneEngine(world, 'keeps no secret that can be read from the database', async () => {
    const make = () => world.ada.post('/rest/user/ada@lacewing.test/api_key', { description: 'x' }, keyed('new-key'))
    const { api_key } = (await make()).body
    assert.equal((await make()).body.api_key, api_key)
    const rows = await world.db.query((q) => q.selectFrom('idempotent_replies').selectAll())
    assert.ok(rows.length > 0)
    assert.ok(!JSON.stringify(rows).includes(api_key))
    assert.ok(!JSON.stringify(rows).includes('new-key'))
  })

  itOnOneEngine(world, 'means nothing on other methods', async () => {
    const wanted = keyword()
    await world.ada.post('/rest/keyword', wanted)
    const put = (description: string) => world.ada.put(`/rest/keyword/${wanted.name}`, { description }, keyed('put'))
    assert.equal((await put('One')).status, 200)
    assert.equal((await put('Two')).status, 200)
  })

  itOnOneEngine(world, 'hashes the password of a new account outside of the transaction', async () => {
    const derivations = { count: passwordWork.derivations, inTransaction: 0 }
    Object.defineProperty(passwordWork, 'derivations', {
      configurable: true,
      get: () => derivations.count,
      set(count: number) {
        derivations.count = count
        if (isInTransaction()) derivations.inTransaction++
      },
    })
    const before = derivations.count
    const wanted = { email: `${world.unique('hashed')}@lacewing.test`, password: 'plainwords1' }
    const { status } = await world.ada.post('/rest/user', wanted, { 'Idempotency-Key': world.unique('hashed') })
    Object.defineProperty(passwordWork, 'derivations', { value: derivations.count, writable: true })
    assert.deepEqual([status, derivations.count - before, derivations.inTransaction], [201, 1, 0])
  })

  // On SQLite no other transaction can be under way.
  if (world.engine === 'postgres') {
    it('keeps no login and no new key of the same user waiting', async () => {
      const password = 'a quiet afternoon'
      const person = await world.newUser({ password })
      const underWay = new pg.Client(world.databaseUrl)
      await underWay.connect()
      try {
        const claim = `insert into idempotent_replies values (${person.id}, 'under way', '', 0, '', '2100-01-01T00:00:00Z')`
        await underWay.query(`begin; ${claim}`)
        const login = new URLSearchParams({ login: person.login, password })
        assert.equal((await world.nobody.get(`/rest/login?${login}`)).status, 200)
        const made = await person.client.post(`/rest/user/${person.id}/api_key`, {}, keyed('beside'))
        assert.equal(made.status, 201, made.text)
      } finally {
        await underWay.end()
      }
    })
  }

  itOnPostgres(world, 'files many bugs at once right after the catalogue has changed', async () => {
    for (let round = 0; round < randomCases(1); round++) {
      const changed = await world.ada.post('/rest/component', {
        product: 'TestProduct',
        name: world.unique('component'),
        description: 'New',
        default_assignee: 'ada@lacewing.test',
      })
      assert.equal(changed.status, 201, changed.text)
      const replies = await Promise.all(
        Array.from({ length: 20 }, () => world.ada.post('/rest/bug', newBug(), keyed(world.unique('bug')))),
      )
      assert.deepEqual([...new Set(replies.map((reply) => reply.status))], [200])
      assert.equal(new Set(replies.map((reply) => reply.body.id)).size, 20)
    }
  })
})
