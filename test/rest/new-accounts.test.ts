import assert from 'node:assert/strict'
import { it } from 'node:test'
import { fileBug, newBug } from '../support/file-bug.ts'
import { assertRefused } from '../support/refusal.ts'
import { itOnPostgres } from '../support/sample.ts'
import { sure } from '../support/sure.ts'
import { describeOnEachEngine, itOnOneEngine, type Reply, type World } from '../support/world.ts'

/** A user who created their own account that many days ago. */
async function joined(world: World, days = 0) {
  const user = await world.newUser()
  const at = `${new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 19)}Z`
  await world.db.query((q) => q.updateTable('users').set({ joined_at: at }).where('id', '=', user.id))
  return user
}

const FILE = { data: 'aGVsbG8=', file_name: 'a.txt', summary: 'A file', content_type: 'text/plain' }

describeOnEachEngine('The list of new accounts', (world) => {
  it('has the youngest first, what each wrote, and whom the limits apply to', async () => {
    const writer = await joined(world)
    const [quiet, old, chief] = [await world.newUser(), await joined(world, 30), await joined(world)]
    await world.ada.put(`/rest/user/${chief.id}`, { groups: { add: ['admin'] } })
    const created = `${new Date(Date.now() - 30 * 86_400_000).toISOString().slice(0, 19)}Z`
    await world.db.query((q) => q.updateTable('users').set({ created_at: created }).where('id', '=', old.id))
    const bug = await fileBug(writer.client)
    await writer.client.post(`/rest/bug/${bug}/attachment`, FILE)
    await world.ada.post(`/rest/user/${writer.id}/activity/hide`, { login_denied_text: 'Spam' })
    const list = async (query = '') => (await world.ada.get(`/rest/admin/new_accounts?limit=200${query}`)).body
    const { accounts, total } = await list()
    const of = ({ id }: { id: number }) => sure(accounts.find((it) => it.id === id))
    const { created_at, ...found } = of(writer)
    assert.ok(created_at > created)
    assert.deepEqual(found, {
      ...{ id: writer.id, name: writer.login, real_name: of(writer).real_name, can_login: false },
      ...{ is_limited: true, has_hidden: true, bugs: 1, comments: 2, attachments: 1 },
    })
    assert.deepEqual(
      [quiet, chief].map((it) => [of(it).is_limited, of(it).has_hidden, of(it).comments, of(it).can_login]),
      [1, 2].map(() => [false, false, 0, true]),
    )
    assert.equal(total, accounts.length)
    assert.deepEqual(
      accounts,
      [...accounts].sort((a, b) => b.created_at.localeCompare(a.created_at) || b.id - a.id),
    )
    assert.ok(!accounts.some(({ id }) => id === old.id))
    assert.ok((await list('&days=31')).accounts.some(({ id }) => id === old.id))
    const ids = async (query: string) => (await list(query)).accounts.map(({ id }) => id)
    const [yes, no] = [await ids('&has_written=1'), await ids('&has_written=0')]
    assert.deepEqual([yes.includes(writer.id), yes.includes(quiet.id), no.includes(quiet.id)], [true, false, true])
    assert.equal(yes.length + no.length, total)
    const second = (await world.ada.get('/rest/admin/new_accounts?limit=1&offset=1')).body
    assert.deepEqual([second.accounts[0]?.id, second.total], [accounts[1]?.id, total])
  })

  it('is for members of admin', async () => {
    for (const who of [world.stan, world.uma]) assertRefused(await who.get('/rest/admin/new_accounts'), 401, 304)
    assertRefused(await world.nobody.get('/rest/admin/new_accounts'), 401, 410)
    for (const query of ['days=-1', 'limit=-1', 'offset=-1', 'days=x'])
      assertRefused(await world.ada.get(`/rest/admin/new_accounts?${query}`), 400, 52)
  })
})

describeOnEachEngine('A user who has just joined', (world) => {
  itOnOneEngine(world, 'can write only so much per day, also with requests at once', async () => {
    const limits = { new_account_bugs: 2, new_account_comments: 3, new_account_attachments: 1 }
    await world.withParameters(limits, async () => {
      const { client } = await joined(world)
      const bugs = await Promise.all([1, 2, 3, 4].map(() => client.post('/rest/bug', newBug())))
      assert.deepEqual(bugs.map(({ status }) => status).sort(), [200, 200, 429, 429])
      const [bug, other] = bugs.flatMap(({ body }) => body.id ?? []) as [number, number]
      const third = await client.post('/rest/bug', newBug())
      assertRefused(third, 429, 32000)
      assert.deepEqual([third.body.reason, third.body.values], ['new_account_limit', { limit: 'bugs', most: 2 }])

      assert.equal((await client.post(`/rest/bug/${bug}/comment`, { comment: 'One' })).status, 201)
      const both = { ids: [bug, other], comment: { body: 'Two and three' } }
      assert.equal((await client.put(`/rest/bug/${bug}`, both)).status, 200)
      assertRefused(await client.post(`/rest/bug/${bug}/comment`, { comment: 'Four' }), 429, 32000)
      assertRefused(await client.put(`/rest/bug/${bug}`, { comment: { body: 'Four' } }), 429, 32000)
      assert.equal((await client.put(`/rest/bug/${bug}`, { cc: { add: ['stan@lacewing.test'] } })).status, 200)

      assertRefused(await client.post(`/rest/bug/${bug}/attachment`, { ids: [other], ...FILE }), 429, 32000)
      assert.equal((await client.post(`/rest/bug/${bug}/attachment`, FILE)).status, 201)
      assertRefused(await client.post(`/rest/bug/${bug}/attachment`, FILE), 429, 32000)
      const [file] = sure((await client.get(`/rest/bug/${bug}/attachment`)).body.bugs[bug])
      assertRefused(await client.put(`/rest/bug/attachment/${file.id}`, { comment: 'Five' }), 429, 32000)
      await world.withParameters({ new_account_comments: 1 }, async () => {
        const { status } = await client.put(`/rest/bug/${bug}`, { whiteboard: 'No comment, though there are too many' })
        assert.equal(status, 200)
      })
      await world.withParameters({ new_account_comments: 0 }, async () => {
        assert.equal((await client.post(`/rest/bug/${bug}/comment`, { comment: 'Unlimited' })).status, 201)
      })
      const dayAgo = `${new Date(Date.now() - 86_401_000).toISOString().slice(0, 19)}Z`
      await world.db.query((q) => q.updateTable('bugs').set({ created_at: dayAgo }).where('id', '=', other))
      assert.equal((await client.post('/rest/bug', newBug())).status, 200)
      assertRefused(await client.post('/rest/bug', newBug()), 429, 32000)
      assert.equal((await client.put(`/rest/bug/attachment/${file.id}`, { summary: 'Another name' })).status, 200)
    })
  })

  itOnPostgres(
    world,
    'writes exactly as much as the limits allow when it sends ten requests of a kind at once',
    async () => {
      const limits = { new_account_bugs: 5, new_account_comments: 5, new_account_attachments: 5 }
      await world.withParameters(limits, async () => {
        const { client } = await joined(world)
        const [bug, other] = [await fileBug(world.ada), await fileBug(world.ada)]
        const ten = async (send: (number: number) => Promise<Reply>) => {
          const replies = await Promise.all(Array.from({ length: 10 }, (_, number) => send(number)))
          const refused = replies.filter(({ status }) => status === 429)
          assert.deepEqual([refused.length, replies.filter(({ status }) => status < 300).length], [5, 5])
        }
        await ten(() => client.post('/rest/bug', newBug()))
        await ten((number) => {
          const on = number % 2 === 0 ? bug : other
          if (number % 3 > 0) return client.post(`/rest/bug/${on}/comment`, { comment: `Comment ${number}` })
          return client.put(`/rest/bug/${on}`, { comment: { body: `Comment ${number}` } })
        })
        await ten((number) => client.post(`/rest/bug/${number % 2 === 0 ? bug : other}/attachment`, FILE))
      })
    },
  )

  itOnOneEngine(world, 'writes nothing more that day when it has caused more mail than allowed', async () => {
    const { client, id } = await joined(world)
    const day = new Date().toISOString().slice(0, 10)
    const causes = (message_count: number) =>
      world.db.query((q) => q.updateTable('new_account_mails').set({ message_count }).where('user_id', '=', id))
    const write = async () => (await client.post('/rest/bug', newBug())).status
    await world.withParameters({ new_account_mails: 2 }, async () => {
      assert.equal(await write(), 200)
      const row = { user_id: id, on_day: day, message_count: 2 }
      await world.db.query((q) => q.insertInto('new_account_mails').values(row))
      assert.equal(await write(), 200)
      await causes(3)
      assert.equal(await write(), 429)
    })
    await world.withParameters({ new_account_mails: 0 }, async () => assert.equal(await write(), 200))
  })

  itOnOneEngine(world, 'cannot write denied words and links', async () => {
    const denied = { new_account_denied: 'cheap pills\n\nspam.example.com' }
    await world.withParameters(denied, async () => {
      const { client } = await joined(world)
      const bug = await fileBug(client)
      for (const more of [
        { summary: 'CHEAP PILLS here' },
        { url: 'https://spam.example.com/x' },
        { description: 'See Spam.Example.com' },
      ])
        assertRefused(await client.post('/rest/bug', newBug(more)), 400, 32000)
      assertRefused(await client.post(`/rest/bug/${bug}/comment`, { comment: 'cheap pills' }), 400, 32000)
      assertRefused(await client.put(`/rest/bug/${bug}`, { summary: 'cheap pills' }), 400, 32000)
      assertRefused(await client.post(`/rest/bug/${bug}/attachment`, { ...FILE, comment: 'cheap pills' }), 400, 32000)
      for (const hidden of [
        'che\u00adap pi\u200blls',
        'ｃｈｅａｐ ｐｉｌｌｓ',
        'сheap рills',
        'chéap\n pîlls',
        '**cheap** p*il*ls',
        'see spam&#46;example&#x2e;com',
        'https://spam%2eexample.com/',
        'spam[.]example\\.com',
        'spam。example.com',
      ])
        assertRefused(await client.post(`/rest/bug/${bug}/comment`, { comment: hidden }), 400, 32000)
      const { body } = await client.post(`/rest/bug/${bug}/attachment`, FILE)
      const attachment = `/rest/bug/attachment/${body.ids[0]}`
      for (const change of [{ summary: 'cheap pills' }, { file_name: 'spam.example.com' }, { comment: 'cheap pills' }])
        assertRefused(await client.put(attachment, change), 400, 32000)
      for (const change of [
        { whiteboard: 'cheap pills' },
        { alias: 'spam.example.com' },
        { see_also: { add: ['https://spam.example.com/show_bug.cgi?id=1'] } },
      ])
        assertRefused(await client.put(`/rest/bug/${bug}`, change), 400, 32000)
      assertRefused(
        await client.put(`/rest/user/${(await client.get('/rest/whoami')).body.id}`, { full_name: 'Cheap Pills' }),
        400,
        32000,
      )
      const { id } = (await client.get('/rest/whoami')).body
      assert.equal((await world.ada.put(`/rest/user/${id}`, { full_name: 'Cheap Pills' })).status, 200)
      assert.equal((await client.put(`/rest/user/${id}`, { full_name: 'Cheap Pills' })).status, 200)
      await world.withParameters({ allowemailchange: true }, async () => {
        const wanted = { email: 'spam.example.com@lacewing.test', old_password: 'none' }
        assertRefused(await client.put(`/rest/user/${id}`, wanted), 400, 32000)
      })
      assert.equal((await client.post(`/rest/bug/${bug}/comment`, { comment: 'Pills are cheap' })).status, 201)
      const { client: older } = await joined(world, 8)
      assert.equal((await older.post('/rest/bug', newBug({ summary: 'cheap pills' }))).status, 200)
    })
  })

  itOnOneEngine(world, 'is not limited after some days, nor if an administrator made the account', async () => {
    await world.withParameters({ new_account_bugs: 1 }, async () => {
      for (const { client } of [await joined(world, 8), await world.newUser()])
        for (let time = 0; time < 2; time++) await fileBug(client)
    })
  })
})
