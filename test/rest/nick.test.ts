import assert from 'node:assert/strict'
import { it } from 'node:test'
import { hasNickShape, isReservedNick, nickSkeleton, suggestedNicks } from '../../shared/nicks.ts'
import { findUserIdsByNicks } from '../../src/people/users/nick-store.ts'
import { nicks } from '../../src/platform/database/migrations/0045-nicks.ts'
import { PASSWORD } from '../support/cast.ts'
import { beforeCommit } from '../support/interleave.ts'
import { assertRefused } from '../support/refusal.ts'
import { describeOnEachEngine, itOnOneEngine } from '../support/world.ts'

it('a nick is suggested from the words of a name and never from an address', () => {
  for (const [name, first] of [
    ['Ann Lee [:ann.l]', 'ann.l'],
    ['(:Annie) Lee', 'annie'],
    ['Ann Lee :al', 'al'],
    ['Ann Lee (away until: Monday)', 'ann'],
    ['José-María Núñez', 'jose-maria'],
    ['Łukasz Ørsted', 'lukasz'],
    ['ann@lacewing.test', undefined],
    ['Lee ann@lacewing.test :lee@x.test', 'lee'],
    ['王小明', undefined],
    ['\u0430nn', 'nn'],
    ['Admin Lee', 'admin.lee'],
    ['x'.repeat(5000), `${'x'.repeat(18)}-17`],
    ['<b>Bo</b>', 'bbob'],
    [':'.repeat(300), undefined],
    ['', undefined],
  ] as const)
    assert.equal(suggestedNicks(name, 17)[0], first, name)
  assert.deepEqual(suggestedNicks('Ann Lee', 17), ['ann', 'ann.lee', 'ann-17'])
})

it('a nick has a shape in which no two look alike', () => {
  for (const wrong of [
    '',
    'a',
    '1234',
    'ann.',
    '.ann',
    'an..n',
    'an n',
    'ann@b',
    'änn',
    '\u0430nn',
    'Ann',
    'x'.repeat(31),
  ])
    assert.equal(hasNickShape(wrong), false, wrong)
  for (const right of ['an', '1a', 'ann.lee-2_x', 'x'.repeat(30)]) assert.equal(hasNickShape(right), true, right)
  for (const twin of ['ann-lee', 'ann.1ee', 'annlee']) assert.equal(nickSkeleton(twin), nickSkeleton('ann_lee'))
  for (const word of ['all', 'a11', 'ad-min', 'user-9', 'user9', 'former-user-3', 'us-er'])
    assert.ok(isReservedNick(word), word)
})

describeOnEachEngine('the nick of an account', (world) => {
  const whoami = async (user: { client: typeof world.ada }) => (await user.client.get('/rest/whoami')).body.nick

  itOnOneEngine(
    world,
    'comes from the name, is unique, and can be changed by its owner and administrators',
    async () => {
      const [one, two, third] = [
        await world.newUser({ full_name: 'Nicola Brown' }),
        await world.newUser({ full_name: 'Nicola Brown' }),
        await world.newUser({ full_name: 'Nicola Brown' }),
      ]
      assert.deepEqual(await Promise.all([one, two, third].map(whoami)), [
        'nicola',
        'nicola.brown',
        `nicola-${third.id}`,
      ])
      const nameless = await world.newUser({ full_name: 'nameless@lacewing.test' })
      assert.equal(await whoami(nameless), `user-${nameless.id}`)
      const { body } = await one.client.put(`/rest/user/${one.id}`, { nick: '@Nic.B' })
      assert.deepEqual(body.users[0].changes, { nick: { removed: 'nicola', added: 'nic.b' } })
      assert.equal((await world.stan.get(`/rest/user/${one.id}`)).body.users[0].nick, 'nic.b')
      for (const taken of ['nic-b', 'nicb', 'nicola', 'NICO1A', 'nicola_brown']) {
        const refused = await third.client.put(`/rest/user/${third.id}`, { nick: taken })
        assertRefused(refused, 400, 500)
        assert.deepEqual([refused.body.reason, refused.body.field], ['nick_taken', 'nick'])
      }
      for (const wrong of ['', 'a', '17', 'a b', 'аnn', 'all', `user-${one.id}`, 'n'.repeat(31), 'x@y', '<i>'])
        assertRefused(await third.client.put(`/rest/user/${third.id}`, { nick: wrong }), 400, 53)
      assertRefused(await third.client.put(`/rest/user/${one.id}`, { nick: 'mine' }), 401, 304)
      assertRefused(await world.nobody.put(`/rest/user/${one.id}`, { nick: 'mine' }), 401, 410)
      assertRefused(await world.ada.put(`/rest/user/${one.id}`, { nick: 'mine', ids: [two.id] }), 400, 32000)
      assert.equal((await world.uma.put(`/rest/user/${third.id}`, { nick: 'colin' })).status, 200)
      assert.equal(await whoami(third), 'colin')
      await third.client.put(`/rest/user/${third.id}`, { nick: `user-${third.id}` })
      assert.equal(await whoami(third), `user-${third.id}`)
    },
  )

  it('leads on when it is changed, up to ten, and its owner chooses at most five in 30 days', async () => {
    const user = await world.newUser({ full_name: 'Olga Old' })
    for (const nick of ['olga1', 'olga2', 'olga3', 'olga4', 'olga5'])
      assert.equal((await user.client.put(`/rest/user/${user.id}`, { nick })).status, 200)
    const refused = await user.client.put(`/rest/user/${user.id}`, { nick: 'olga6' })
    assertRefused(refused, 400, 32000)
    assert.equal(refused.body.reason, 'nick_changed_too_often')
    const found = await findUserIdsByNicks(world.db, [
      'olga',
      'OLGA2',
      `user-${user.id}`,
      'user-99999',
      'nobody-has-it',
    ])
    assert.deepEqual(
      [...found],
      [
        ['olga', user.id],
        ['OLGA2', user.id],
        [`user-${user.id}`, user.id],
      ],
    )
    for (let n = 6; n < 16; n++) await world.ada.put(`/rest/user/${user.id}`, { nick: `olga${n}` })
    const kept = await world.db.query((q) => q.selectFrom('user_nicks').select('nick').where('user_id', '=', user.id))
    assert.equal(kept.length, 10)
    const { body } = await world.stan.get('/rest/user/suggest?match=@olga1')
    assert.deepEqual(
      body.users.map((it: { nick: string }) => it.nick),
      ['olga15'],
    )
  })

  it('is not told to be free or taken by a change that is refused for something else', async () => {
    const user = await world.newUser({ password: PASSWORD })
    await world.withParameters({ allowemailchange: true }, async () => {
      const change = (nick: string | undefined, email: string) =>
        user.client.put(`/rest/user/${user.id}`, { nick, email, old_password: PASSWORD })
      for (let n = 0; n < 5; n++) assert.equal((await change(undefined, `new${n}@lacewing.test`)).status, 200)
      const reasons = []
      for (const nick of ['edna', 'nobody-has-it']) reasons.push((await change(nick, 'new6@lacewing.test')).body.reason)
      assert.deepEqual(reasons, ['email_changed_too_often', 'email_changed_too_often'])
    })
  })

  it('is given to one of two accounts that take it at once', async () => {
    const [one, two] = [await world.newUser(), await world.newUser()]
    const take =
      ({ id }: { id: number }, nick: string) =>
      () =>
        world.ada.put(`/rest/user/${id}`, { nick })
    const replies = await beforeCommit(world, 'user_nicks', take(one, 'rac.er'), take(two, 'racer'))
    assert.deepEqual(replies.map(({ status }) => status).sort(), [200, 400])
    assert.deepEqual(
      replies.flatMap(({ status, body }) => (status === 400 ? [body.reason] : [])),
      ['nick_taken'],
    )
  })

  it('is gone with the account that is made anonymous, and free', async () => {
    const [leaver, other] = [await world.newUser({ full_name: 'Gone Girl' }), await world.newUser()]
    await leaver.client.put(`/rest/user/${leaver.id}`, { nick: 'gonegirl' })
    await world.ada.post(`/rest/user/${leaver.id}/anonymise`, {})
    assert.equal((await world.ada.get(`/rest/user/${leaver.id}`)).body.users[0].nick, `user-${leaver.id}`)
    const { body } = await world.ada.get(`/rest/audit?class=Tracker::User&id=${leaver.id}`)
    assert.doesNotMatch(JSON.stringify(body), /gonegirl/)
    assert.equal((await other.client.put(`/rest/user/${other.id}`, { nick: 'gonegirl' })).status, 200)
  })

  it('is found by its beginning, by users who are logged in and see the account', async () => {
    const user = await world.newUser({ full_name: 'Zed Zebra [:zedzeb]' })
    const ask = async (who: typeof world.ada, match: string) =>
      (await who.get(`/rest/user/suggest?match=${encodeURIComponent(match)}`)).body
    for (const match of ['@zed', ':ZEDZ', '@zedzeb', 'dzeb', '@zed-zeb'])
      assert.deepEqual(
        (await ask(world.stan, match)).users.map(({ id }: { id: number }) => id),
        [user.id],
        match,
      )
    for (const match of ['@eb', '@z', '@zedzebx', '@zed%', '@zed_'])
      assert.deepEqual((await ask(world.stan, match)).users, [], match)
    assertRefused(await world.nobody.get('/rest/user/suggest?match=@zed'), 401, 410)
    await world.withParameters({ usevisibilitygroups: true }, async () => {
      assert.deepEqual((await ask(world.stan, '@zed')).users, [])
      assert.deepEqual((await ask(world.stan, '@zedzeb')).users, [])
    })
    await world.ada.put(`/rest/user/${user.id}`, { login_denied_text: 'Left' })
    assert.deepEqual((await ask(world.stan, '@zedzeb')).users, [])
  })

  it('is given to existing accounts in parts, each another one', async () => {
    const names = Array.from({ length: 2500 }, (_, i) => ['Max Muster', 'Ida Ohm', '', 'Li'][i % 4] ?? '')
    const made = names.map((real_name, i) => ({
      ...{ login: `bulk${i}@x.test`, login_key: `bulk${i}@x.test`, real_name, real_name_key: real_name.toLowerCase() },
      ...{ password_hash: null, disabled_text: '', email_enabled: 1 as const, created_at: '2026-01-01T00:00:00Z' },
    }))
    await world.db.transaction(async (tx) => {
      for (let at = 0; at < made.length; at += 500)
        await tx.query((q) => q.insertInto('users').values(made.slice(at, at + 500)))
      await nicks.fill(tx)
    }, 'configuration')
    const rows = await world.db.query((q) =>
      q.selectFrom('users').select(['nick', 'real_name']).where('login', 'like', 'bulk%'),
    )
    const given = rows.filter(({ real_name }) => real_name !== '')
    assert.ok(given.every(({ nick }) => nick !== null && hasNickShape(nick)))
    assert.equal(new Set(given.map(({ nick }) => nickSkeleton(nick ?? ''))).size, 1875)
    assert.ok(rows.every(({ nick, real_name }) => real_name !== '' || nick === null))
  })
})
