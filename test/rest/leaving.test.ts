import assert from 'node:assert/strict'
import { it } from 'node:test'
import { ARCHIVE_TABLES } from '../../src/moving/archive/archive-tables.ts'
import type { Database } from '../../src/platform/database/tables.ts'
import { cast } from '../support/cast.ts'
import { fileBug } from '../support/file-bug.ts'
import { assertRefused } from '../support/refusal.ts'
import { describeOnEachEngine, describeOnOneEngine, itOnOneEngine, type World } from '../support/world.ts'

const LONG_AGO = '2020-01-01T00:00:00Z'

/** A user who was renamed twice, filed and commented, was assigned and copied, and has much of their own. */
async function busyUser(world: World) {
  const first = `${world.unique('leaver')}@lacewing.test`
  const user = await world.newUser({ email: first, full_name: 'Lea Leaver', password: 'a quiet afternoon' })
  const second = `once.${first}`
  await world.ada.put(`/rest/user/${user.id}`, { email: second })
  const login = `lea.${first}`
  await world.ada.put(`/rest/user/${user.id}`, {
    email: login,
    full_name: 'Lea M. Leaver',
    groups: { add: ['editbugs'] },
  })
  const other = await world.newUser({ email: `x${login}` })
  const bug = await fileBug(user.client, { summary: 'Filed by Lea', cc: [other.login] })
  for (const change of [
    { assigned_to: login, cc: { add: [login] }, comment: { body: 'Over to Lea' } },
    { assigned_to: other.login, cc: { remove: [login] } },
  ])
    assert.equal((await world.ada.put(`/rest/bug/${bug}`, change)).status, 200)
  await user.client.put(`/rest/bug/${bug}`, { comment: { body: 'Written by Lea' } })
  await user.client.post('/rest/saved_search', { name: 'Mine', query: 'quicksearch=ALL' })
  const text = `cc:${first},${login} @${login} -@${login} assignee=${login} -${login} cc:${other.login}`
  const about = `assigned_to=${encodeURIComponent(login)}&quicksearch=${encodeURIComponent(text)}`
  await other.client.post('/rest/saved_search', { name: 'About Lea', query: about })
  const tiles = [{ title: 'Of a person', kind: 'count', query: about }]
  for (const { client } of [user, other]) await client.post('/rest/dashboard', { name: 'Team', tiles })
  await world.ada.put('/rest/parameters', { globalwatchers: `${cast.stan.login}, ${login}`, maintainer: login })
  const refused = { attempts: 9, created_at: LONG_AGO, died_at: LONG_AGO, last_fault: `550 5.1.1 <${login}>: unknown` }
  await world.db.query((q) => q.insertInto('jobs').values({ queue: 'mail', lane: '1', payload: '{}', ...refused }))
  const reason = `There is no user named ${login}`
  await world.db.query((q) => q.insertInto('refused_messages').values({ user_id: other.id, reason, at: LONG_AGO }))
  const outage = { since: LONG_AGO, last_at: LONG_AGO, error: `451 <${login}>: later` }
  await world.db.query((q) => q.insertInto('mail_outages').values({ id: 1, ...outage }))
  await world.nobody.post('/rest/account/password', { login: first })
  await world.nobody.get(`/rest/login?login=${login}&password=wrong`)
  return { ...user, login, first, second, other, bug }
}

/** All rows of all tables as text, except what users wrote themselves. */
async function allRows(world: World): Promise<string> {
  const tables = Object.keys(ARCHIVE_TABLES) as (keyof Database)[]
  const rows = await Promise.all(tables.map((table) => world.db.query((q) => q.selectFrom(table).selectAll())))
  return JSON.stringify(rows)
}

const everything = async (world: World, bug: number): Promise<string> =>
  JSON.stringify([
    (await world.ada.get(`/rest/bug/${bug}`)).body,
    (await world.ada.get(`/rest/bug/${bug}/history`)).body,
    (await world.ada.get(`/rest/bug/${bug}/comment`)).body,
    (await world.ada.get('/rest/audit?limit=1000')).body,
  ])

describeOnEachEngine('POST /rest/user/(ref)/anonymise', (world) => {
  it('removes who a user is, everywhere, and keeps what they did', async () => {
    const { id, login, first, second, client, other, bug } = await busyUser(world)
    const before = await everything(world, bug)
    assert.ok(before.includes(`"${login}"`) && before.includes('Lea M. Leaver'))
    const { status, body } = await world.ada.post(`/rest/user/${login}/anonymise`)
    assert.deepEqual([status, body], [201, { id, name: `former-user-${id}` }])
    const after = await everything(world, bug)
    for (const gone of [`"${login}"`, `${first}"`.replace('leaver', '"leaver'), 'Lea M. Leaver', 'Lea Leaver'])
      assert.ok(!after.includes(gone), gone)
    assert.ok(after.includes('Written by Lea') && after.includes(other.login), 'longer names and texts stay')
    const stored = (await allRows(world)).replaceAll(other.login, '').replaceAll(encodeURIComponent(other.login), '')
    for (const gone of [login, first, second, encodeURIComponent(login), 'Lea M. Leaver', 'Lea Leaver'])
      assert.ok(
        !stored.includes(gone),
        `${gone}: ${stored.slice(stored.indexOf(gone) - 200, stored.indexOf(gone) + 100)}`,
      )
    const [about] = (await other.client.get('/rest/saved_search')).body.saved_searches
    assert.ok(about.query.includes(encodeURIComponent(`cc:${other.login}`)), about.query)
    const [board] = (await other.client.get('/rest/dashboard')).body.dashboards
    const { body: read } = await other.client.get(`/rest/dashboard/${board.id}`)
    assert.equal(read.dashboards[0].tiles[0].query, about.query)
    const boards = await world.db.query((q) => q.selectFrom('dashboards').select('user_id'))
    assert.deepEqual(boards, [{ user_id: other.id }])
    const { parameters } = (await world.ada.get('/rest/parameters?include_fields=globalwatchers,maintainer')).body
    assert.deepEqual(parameters, { globalwatchers: cast.stan.login, maintainer: '' })
    const { history } = (await world.ada.get(`/rest/bug/${bug}/history`)).body.bugs[0]
    const assigned = history.flatMap(({ changes }) => changes).filter((it) => it.field_name === 'assigned_to')
    assert.equal(assigned[0].added, `former-user-${id}`)
    assertRefused(await client.get('/rest/whoami'), 400, 306)
    assertRefused(await world.nobody.get(`/rest/login?login=${login}&password=a%20quiet%20afternoon`), 401, 300)
    const user = (await world.ada.get(`/rest/user/${id}`)).body.users[0]
    assert.deepEqual(
      [user.name, user.real_name, user.can_login, user.groups],
      [`former-user-${id}`, 'Former user', false, []],
    )
    const [entry] = (await world.ada.get(`/rest/audit?class=Tracker::User&id=${id}&limit=1`)).body.audit
    assert.deepEqual([entry.who, entry.field], ['ada@lacewing.test', 'anonymised'])
    assert.equal((await world.ada.post('/rest/user', { email: login })).status, 201, 'the address is free again')
  })

  itOnOneEngine(
    world,
    'is for members of admin, and for the user with the password while allowuserdeletion is on',
    async () => {
      const user = await world.newUser({ password: 'a quiet afternoon' })
      const path = `/rest/user/${user.id}/anonymise`
      const own = { old_password: 'a quiet afternoon' }
      assertRefused(await world.nobody.post(path), 401, 410)
      for (const client of [world.stan, world.uma]) assertRefused(await client.post(path), 401, 304)
      assertRefused(await user.client.post(path, own), 401, 304)
      await world.withParameters({ allowuserdeletion: true }, async () => {
        assertRefused(await user.client.post(path), 400, 50)
        assertRefused(await user.client.post(path, { old_password: 'wrong' }), 401, 300)
        assertRefused(await world.stan.post(path, own), 401, 304)
        assert.equal((await user.client.post(path, own)).status, 201)
      })
      assertRefused(await world.ada.post('/rest/user/4711/anonymise'), 404, 51)
    },
  )

  itOnOneEngine(world, 'is refused for the last administrator', async () => {
    assertRefused(await world.ada.post('/rest/user/1/anonymise'), 400, 32000)
    assert.equal((await world.ada.get('/rest/whoami')).status, 200)
  })
})

describeOnOneEngine('GET /rest/user/(ref)/data', (world) => {
  it('returns all that is stored about a user to themselves and to members of admin, without secrets', async () => {
    const { id, login, apiKey, client, bug } = await busyUser(world)
    const refused = { user_id: id, reason: 'the account is disabled', at: LONG_AGO }
    await world.db.query((q) => q.insertInto('refused_messages').values(refused))
    const reply = await client.get(`/rest/user/${login}/data`)
    assert.equal(reply.status, 200)
    assert.equal(reply.headers.get('content-disposition'), `attachment; filename="account-${id}.json"`)
    const { account, comments, bugs_filed, saved_searches, dashboards, api_keys, changes } = reply.body
    assert.deepEqual([account.name, account.real_name, account.email_enabled], [login, 'Lea M. Leaver', true])
    assert.deepEqual(
      comments.map(({ text }) => text),
      ['', 'Written by Lea'],
    )
    assert.deepEqual([bugs_filed[0].id, saved_searches[0].name, api_keys.length], [bug, 'Mine', 1])
    assert.equal(dashboards[0].name, 'Team')
    assert.deepEqual(reply.body.refused_messages, [{ reason: refused.reason, at: LONG_AGO }])
    assert.ok(Array.isArray(changes))
    assert.ok(!reply.text.includes(apiKey) && !/argon2|digest|secret/.test(reply.text))
    await world.ada.put(`/rest/user/${id}`, { email_enabled: false })
    assert.equal((await world.ada.get(`/rest/user/${id}/data`)).body.account.email_enabled, false)
    for (const other of [world.stan, world.uma]) assertRefused(await other.get(`/rest/user/${id}/data`), 401, 304)
    assertRefused(await world.nobody.get(`/rest/user/${id}/data`), 401, 410)
  })
})
