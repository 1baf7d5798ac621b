import assert from 'node:assert/strict'
import { it } from 'node:test'
import { deletePresencesBefore } from '../../src/people/presence/presence-setting-store.ts'
import { secondsAgo, timeNow } from '../../src/platform/time/clock.ts'
import { cast, PASSWORD } from '../support/cast.ts'
import { fileBug, readBug } from '../support/file-bug.ts'
import { changedMeanwhile } from '../support/interleave.ts'
import { newMember } from '../support/new-member.ts'
import { inOneWorld } from '../support/one-world.ts'
import { assertRefused } from '../support/refusal.ts'
import { type Client, itOnOneEngine, type World } from '../support/world.ts'

const describeTogether = inOneWorld()

const open = (who: Client, bug: number, writing = false) => who.put(`/rest/bug/${bug}/presence`, { writing })

async function othersFor(who: Client, bug: number) {
  const { status, body, text } = await open(who, bug)
  assert.equal(status, 200, text)
  return body.users.map(({ name, is_writing }) => (is_writing ? `${name} writes` : name))
}

/** As if the last writes were some seconds older. */
async function letPass(world: World, seconds: number) {
  const rows = await world.db.query((q) =>
    q.selectFrom('bug_presences').select(['bug_id', 'user_id', 'written_at', 'expires_at']),
  )
  const earlier = (time: string) => secondsAgo((Date.now() - Date.parse(time)) / 1000 + seconds)
  for (const { bug_id, user_id, written_at, expires_at } of rows)
    await world.db.query((q) =>
      q
        .updateTable('bug_presences')
        .set({ written_at: earlier(written_at), expires_at: earlier(expires_at) })
        .where('bug_id', '=', bug_id)
        .where('user_id', '=', user_id),
    )
}

/** A new user without rights, and a session of theirs. */
async function withSession(world: World, ...groups: string[]) {
  const user = await world.newUser({ password: PASSWORD })
  if (groups.length > 0) await world.ada.put(`/rest/user/${user.id}`, { groups: { add: groups } })
  const { body } = await world.nobody.get(`/rest/login?login=${user.login}&password=${encodeURIComponent(PASSWORD)}`)
  return { ...user, session: world.as({ 'X-TRACKER-TOKEN': body.token }) }
}

/** Of a product that does not use the group, so that no call does it. */
async function restrict(world: World, bug: number, groupId: number) {
  await world.db.transaction(
    (tx) => tx.query((q) => q.insertInto('bug_groups').values({ bug_id: bug, group_id: groupId })),
    'configuration',
  )
}

const rowsOf = (world: World, bug: number) =>
  world.db.query((q) => q.selectFrom('bug_presences').selectAll().where('bug_id', '=', bug).orderBy('user_id'))

const [edna, rhea, sven] = [cast.edna.login, cast.rhea.login, cast.sven.login]

describeTogether('PUT /rest/bug/(ref)/presence', (world) => {
  itOnOneEngine(
    world,
    'names the others who have the bug open, those who write first, until they leave or a minute is over',
    async () => {
      const bug = await fileBug(world.rhea)
      const { last_change_time, update_token: _ } = await readBug(world.rhea, bug)
      const tag = (await world.rhea.get(`/rest/bug/${bug}`)).headers.get('etag')
      assert.deepEqual(await othersFor(world.rhea, bug), [])
      assert.deepEqual(await othersFor(world.edna, bug), [rhea])
      await open(world.sven, bug, true)
      assert.deepEqual(await othersFor(world.rhea, bug), [`${sven} writes`, edna])
      const { body } = await open(world.edna, bug)
      assert.deepEqual([body.is_shown, body.call_again_in], [true, 20])
      assert.deepEqual(Object.keys(body.users[0] ?? {}), ['id', 'real_name', 'nick', 'name', 'is_writing'])
      assert.equal((await world.edna.delete(`/rest/bug/${bug}/presence`)).status, 200)
      assert.equal((await world.edna.delete(`/rest/bug/${bug}/presence`)).status, 200)
      assert.deepEqual(await othersFor(world.rhea, bug), [`${sven} writes`])
      await letPass(world, 61)
      assert.deepEqual(await othersFor(world.edna, bug), [])
      assert.equal((await readBug(world.rhea, bug)).last_change_time, last_change_time)
      assert.equal((await world.rhea.get(`/rest/bug/${bug}`)).headers.get('etag'), tag)
      assert.deepEqual((await world.rhea.get(`/rest/bug/${bug}/history`)).body.bugs[0]?.history, [])
      await deletePresencesBefore(world.db, timeNow())
      assert.deepEqual(
        (await rowsOf(world, bug)).map(({ user_id }) => user_id),
        [(await world.edna.get('/rest/whoami')).body.id],
      )
    },
  )

  it('writes once in thirty seconds, and a change of what one does once in two', async () => {
    const bug = await fileBug(world.rhea)
    await open(world.edna, bug)
    const writtenAt = async () =>
      (await rowsOf(world, bug)).map(({ is_writing, written_at }) => [is_writing, written_at])
    const first = await writtenAt()
    await open(world.edna, bug, true)
    assert.deepEqual(await writtenAt(), first)
    await letPass(world, 20)
    const second = await writtenAt()
    await open(world.edna, bug)
    assert.deepEqual(await writtenAt(), second)
    await open(world.edna, bug, true)
    assert.equal((await writtenAt())[0]?.[0], 1)
    await letPass(world, 31)
    const third = await writtenAt()
    await open(world.edna, bug, true)
    assert.notDeepEqual(await writtenAt(), third)
    assert.equal((await rowsOf(world, bug))[0]?.is_writing, 1)
  })

  itOnOneEngine(world, 'shows a user on twenty bugs at once, and writes nothing for further pages', async () => {
    const user = await newMember(world)
    const bugs = await Promise.all(Array.from({ length: 22 }, () => fileBug(world.rhea)))
    const [first = 0, last = 0] = [bugs[0], bugs.at(-1)]
    const shown = []
    for (const bug of bugs.slice(0, 21)) shown.push((await open(user.client, bug)).body.is_shown)
    assert.deepEqual(shown, [...Array.from({ length: 20 }, () => true), false])
    const written: string[] = []
    const { transaction } = world.db
    world.db.transaction = ((...args: Parameters<typeof transaction>) => {
      written.push(String(args[1]))
      return transaction.apply(world.db, args)
    }) as typeof transaction
    try {
      assert.equal((await open(user.client, last, true)).body.is_shown, false)
    } finally {
      world.db.transaction = transaction
    }
    assert.deepEqual(written, [])
    assert.deepEqual(await othersFor(world.edna, last), [])
    await user.client.delete(`/rest/bug/${first}/presence`)
    assert.equal((await open(user.client, last)).body.is_shown, true)
  })

  it('is refused for anonymous callers and hidden bugs, which it never shows', async () => {
    const bug = await fileBug(world.sven)
    await restrict(world, bug, (await world.newGroup()).id)
    const open_ = await fileBug(world.rhea)
    assertRefused(await open(world.nobody, open_), 401, 410)
    assertRefused(await world.nobody.delete(`/rest/bug/${open_}/presence`), 401, 410)
    for (const refused of [await open(world.stan, bug), await world.stan.delete(`/rest/bug/${bug}/presence`)])
      assertRefused(refused, 401, 102)
    assertRefused(await open(world.stan, 999_999), 404, 101)
    assert.deepEqual(await rowsOf(world, bug), [])
  })

  it('forgets at once who loses the right, the account or the session, and who hides', async () => {
    const group = await world.newGroup()
    const bug = await fileBug(world.ada, { cc: [rhea], assigned_to: cast.ada.login })
    const [outsider, member] = [await newMember(world), await withSession(world, group.name)]
    const { session } = member
    for (const who of [outsider.client, session, world.rhea]) await open(who, bug)
    const all = [outsider.login, member.login, rhea]
    assert.deepEqual((await othersFor(world.ada, bug)).sort(), all.sort())
    await restrict(world, bug, group.id)
    assert.deepEqual((await othersFor(world.ada, bug)).sort(), [member.login, rhea].sort())
    await world.ada.put(`/rest/bug/${bug}`, { cc: { remove: [rhea] } })
    assert.deepEqual(await othersFor(world.ada, bug), [member.login])
    assert.equal((await session.get('/rest/logout')).status, 200)
    assert.deepEqual(await othersFor(world.ada, bug), [])
    await open(member.client, bug)
    assert.deepEqual(await othersFor(world.ada, bug), [member.login])
    await world.ada.put(`/rest/user/${member.id}`, { login_denied_text: 'Gone' })
    assert.deepEqual(await othersFor(world.ada, bug), [])
    const other = await fileBug(world.rhea)
    await open(world.rhea, other)
    const path = `/rest/user/${rhea}/presence` as const
    assert.deepEqual((await world.rhea.get(path)).body, { is_hidden: false })
    assert.deepEqual((await world.rhea.put(path, { is_hidden: true })).body, { is_hidden: true })
    await open(world.edna, other)
    const { body } = await open(world.rhea, other)
    assert.deepEqual([body.is_shown, body.users.map(({ name }) => name)], [false, [edna]])
    assert.deepEqual(await othersFor(world.edna, other), [])
    await world.rhea.put(path, { is_hidden: false })
    await open(world.rhea, other)
    assert.deepEqual(await othersFor(world.edna, other), [rhea])
  })

  it('leaves nothing of a session that ends, or a user who hides, meanwhile', async () => {
    const bug = await fileBug(world.rhea)
    const { session, ...member } = await withSession(world)
    const late = await changedMeanwhile(
      world,
      () => open(session, bug),
      () => session.get('/rest/logout'),
      'none',
    )
    assertRefused(late, 400, 307)
    const hide = () =>
      world.db.query((q) => q.updateTable('users').set({ hides_presence: 1 }).where('id', '=', member.id))
    const hidden = await changedMeanwhile(world, () => open(member.client, bug), hide, 'none')
    assert.equal(hidden.body.is_shown, false)
    assert.deepEqual(await rowsOf(world, bug), [])
  })

  it('shows nobody whom the caller may not find, no new account, and nothing while it is off', async () => {
    const bug = await fileBug(world.rhea)
    await open(world.rhea, bug)
    const joined = await newMember(world)
    await world.db.query((q) => q.updateTable('users').set({ joined_at: timeNow() }).where('id', '=', joined.id))
    await world.withParameters({ usevisibilitygroups: true, new_account_days: 7 }, async () => {
      assert.deepEqual(await othersFor(world.stan, bug), [])
      assert.equal((await open(joined.client, bug)).body.is_shown, false)
    })
    await world.withParameters({ use_presence: false }, async () => {
      const { body } = await open(world.edna, bug)
      assert.deepEqual(body, { users: [], is_shown: false, call_again_in: null })
    })
    assert.equal((await rowsOf(world, bug)).length, 2)
  })

  itOnOneEngine(world, 'shows a user on twenty bugs, and eight users on a bug', async () => {
    const bug = await fileBug(world.rhea)
    const many = await Promise.all(Array.from({ length: 9 }, () => newMember(world)))
    for (const { client } of many) await open(client, bug)
    assert.equal((await othersFor(world.rhea, bug)).length, 8)
    const collector = await newMember(world)
    const shown: boolean[] = []
    for (let count = 0; count < 21; count++)
      shown.push((await open(collector.client, await fileBug(world.rhea))).body.is_shown)
    assert.deepEqual([shown.filter((it) => it).length, shown.at(-1)], [20, false])
  })

  itOnOneEngine(world, 'refuses what is wrong', async () => {
    const bug = await fileBug(world.rhea)
    assertRefused(await world.edna.put(`/rest/bug/${bug}/presence`, { writing: 'perhaps' }), 400, 53)
    assertRefused(await world.edna.put(`/rest/bug/${bug}/presence`, { user: rhea }), 400, 32601)
    for (const path of [`/rest/user/${edna}/presence`, '/rest/user/999999/presence'] as const) {
      assertRefused(await world.rhea.get(path), 401, 304)
      assertRefused(await world.rhea.put(path, { is_hidden: true }), 401, 304)
      assertRefused(await world.nobody.get(path), 401, 410)
    }
    assertRefused(await world.edna.put(`/rest/user/${edna}/presence`, {}), 400, 50)
    assertRefused(await world.edna.put(`/rest/user/${edna}/presence`, { is_hidden: 'x' }), 400, 53)
  })
})
