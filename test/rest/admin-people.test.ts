import assert from 'node:assert/strict'
import { it } from 'node:test'
import { cast } from '../support/cast.ts'
import { changedMeanwhile } from '../support/interleave.ts'
import { newMember } from '../support/new-member.ts'
import { assertRefused } from '../support/refusal.ts'
import { describeOnEachEngine, itOnOneEngine } from '../support/world.ts'

describeOnEachEngine('GET /rest/admin/people', (world) => {
  const find = async (query: string, who = world.ada) => (await who.get(`/rest/admin/people?${query}`)).body
  const names = async (query: string) => (await find(query)).people.map(({ name }) => name)

  it('finds accounts by part of a name or by id, also disabled ones', async () => {
    const tag = world.unique('people').toLowerCase()
    const one = await world.newUser({ email: `${tag}@lacewing.test`, full_name: 'Größe 100%' })
    const { body } = await world.uma.post('/rest/user', { email: `other@${tag}.test`, full_name: `X_${tag}` })
    await world.ada.put(`/rest/user/${body.id}`, { login_denied_text: 'Left.' })
    assert.deepEqual(new Set(await names(`text=${tag.toUpperCase()}`)), new Set([one.login, `other@${tag}.test`]))
    assert.deepEqual(await names(`text=${encodeURIComponent(' grÖSSE 100% ')}`), [])
    assert.deepEqual(await names(`text=${encodeURIComponent('GRÖßE 100%')}`), [one.login])
    assert.ok((await names(`text=${body.id}`)).includes(`other@${tag}.test`))
    assert.deepEqual(await names(`text=${tag}&is_enabled=1`), [one.login])
    const { total, people } = await find(`text=${tag}&is_enabled=0`)
    assert.equal(total, 1)
    const [disabled] = people
    assert.deepEqual([disabled?.can_login, disabled?.login_denied_text], [false, 'Left.'])
    for (const none of ['%', '_%', "' or 1 = 1 --", '99999999999999'])
      assert.deepEqual(await names(`text=${encodeURIComponent(`${tag}${none}`)}`), [], none)
  })

  it('says of each group whether it was given by hand', async () => {
    const outer = await world.newGroup()
    const inner = await world.newGroup()
    const member = await newMember(world, inner.name)
    await world.ada.put(`/rest/group/${outer.name}`, { user_regexp: `^${cast.stan.login}$` })
    const sources = async (login: string) =>
      new Map((await find(`text=${login}`)).people[0].groups.map((group) => [group.name, group.source] as const))
    assert.equal((await sources(member.login)).get(inner.name), 'direct')
    assert.equal((await sources(cast.stan.login)).get(outer.name), 'regexp')
    assert.equal((await sources(cast.ada.login)).get(inner.name), 'group')
    const members = await names(`group=${inner.name.toUpperCase()}`)
    assert.deepEqual(members.sort(), [cast.ada.login, member.login])
    assertRefused(await world.ada.get('/rest/admin/people?group=nosuchgroup'), 404, 51)
  })

  it('tells only members of admin who has a second factor', async () => {
    const { id, login } = await world.newUser()
    await world.db.query((q) => q.updateTable('users').set({ has_factor: 1 }).where('id', '=', id))
    assert.deepEqual(
      (await find(`text=${login}`)).people.map(({ has_factor }) => has_factor),
      [true],
    )
    assert.ok((await names('has_factor=1&limit=200')).includes(login))
    assert.ok(!(await names('has_factor=0&limit=200')).includes(login))
    assert.deepEqual(
      (await find(`text=${login}`, world.uma)).people.map(({ has_factor }) => has_factor),
      [null],
    )
    assertRefused(await world.uma.get('/rest/admin/people?has_factor=1'), 401, 304)
  })

  it('answers in pages, those who were seen last first', async () => {
    const tag = world.unique('paged').toLowerCase()
    const days = ['2001-01-02', null, '2001-01-03']
    for (const [place, day] of days.entries()) {
      const { id } = await world.newUser({ email: `${place}${tag}@lacewing.test` })
      await world.db.query((q) => q.updateTable('users').set({ last_seen_on: day }).where('id', '=', id))
    }
    const { total, people } = await find(`text=${tag}&limit=2`)
    assert.equal(total, 3)
    assert.deepEqual(
      people.map(({ last_seen }) => last_seen),
      ['2001-01-03', '2001-01-02'],
    )
    assert.deepEqual(await names(`text=${tag}&limit=2&offset=2`), [`1${tag}@lacewing.test`])
    const [meant] = people.slice(-1)
    await world.newUser({ email: `other${meant?.id}@lacewing.test` })
    await world.db.query((q) =>
      q.updateTable('users').set({ last_seen_on: '2030-01-01' }).where('login_key', 'like', 'other%'),
    )
    for (const text of [meant?.id, meant?.name.toUpperCase()])
      assert.deepEqual(await names(`text=${text}&limit=1`), [meant?.name], 'the one that is meant comes first')
    for (const wrong of ['limit=-1', 'offset=-1', 'limit=x'])
      assertRefused(await world.ada.get(`/rest/admin/people?${wrong}`), 400, 52)
  })

  itOnOneEngine(world, 'refuses users outside of editusers', async () => {
    for (const who of ['stan', 'edna', 'greta', 'pam'] as const)
      assertRefused(await world[who].get('/rest/admin/people'), 401, 304)
    assertRefused(await world.nobody.get('/rest/admin/people'), 401, 410)
  })
})

describeOnEachEngine('POST /rest/admin/people', (world) => {
  const invite = (people: unknown, more: object = {}, who = world.ada) =>
    who.post('/rest/admin/people', { people, ...more })
  const resultsOf = (body: { people: { address: string; result: string }[] }) =>
    body.people.map(({ address, result }) => [address, result])

  it('says of each entry what would become of it, then invites the new ones into the groups', async () => {
    const group = await world.newGroup()
    const [one, two] = [world.unique('one'), world.unique('two')].map((name) => `${name}@lacewing.test`.toLowerCase())
    const people = [
      `"Novak, Nina" <${one}>`,
      ` ${two} `,
      String(two).toUpperCase(),
      cast.stan.login,
      'nobody',
      'x <y@lacewing.test> z',
      'Ünï <ünï@lacewing.test>',
      '<>',
    ]
    const rest = [
      [String(two).toUpperCase(), 'repeated'],
      [cast.stan.login, 'has_account'],
      ['nobody', 'malformed'],
      ['x <y@lacewing.test> z', 'malformed'],
      ['ünï@lacewing.test', 'malformed'],
      ['<>', 'malformed'],
    ]
    const plan = await invite(people, { groups: [group.name], dry_run: true })
    assert.deepEqual(resultsOf(plan.body), [[one, 'new'], [two, 'new'], ...rest])
    assert.equal((await world.ada.get(`/rest/admin/people?text=${one}`)).body.total, 0)
    const done = await invite(people, { groups: [group.name] })
    assert.deepEqual(resultsOf(done.body), [[one, 'invited'], [two, 'invited'], ...rest])
    const [account] = (await world.ada.get(`/rest/admin/people?text=${one}`)).body.people
    assert.deepEqual(
      [account?.id, account?.real_name, account?.groups.map(({ name }) => name).includes(group.name)],
      [done.body.people[0]?.id, 'Novak, Nina', true],
    )
    const { audit } = (await world.ada.get(`/rest/audit?class=Tracker::User&id=${account?.id}`)).body
    assert.deepEqual(
      audit.map(({ field, added, who }) => [field, added, who]),
      [
        ['groups', group.name, cast.ada.login],
        ['__create__', one, cast.ada.login],
      ],
    )
    const links = await world.db.query((q) =>
      q
        .selectFrom('account_links')
        .select('kind')
        .where('user_id', '=', account?.id ?? 0),
    )
    assert.deepEqual(links, [{ kind: 'invite' }])
    assert.ok((await invite([one])).body.people.every(({ result }) => result === 'has_account'))
    const { groups } = (await world.ada.get(`/rest/user/${cast.stan.login}`)).body.users[0]
    assert.ok(!groups.some(({ name }) => name === group.name))
  })

  itOnOneEngine(world, 'names addresses that this installation does not allow', async () => {
    await world.withParameters({ emailregexp: '@lacewing\\.test$' }, async () => {
      const { body } = await invite(['who@elsewhere.test', 'nowhere'], { dry_run: true })
      assert.deepEqual(resultsOf(body), [
        ['who@elsewhere.test', 'not_allowed'],
        ['nowhere', 'malformed'],
      ])
    })
  })

  it('refuses groups that the caller may not give, and invites nobody then', async () => {
    const address = `${world.unique('refused')}@lacewing.test`
    for (const groups of [['admin'], ['nosuchgroup']])
      for (const dry_run of [true, false])
        assertRefused(await invite([address], { groups, dry_run }, world.uma), 401, 304)
    assert.equal((await world.ada.get(`/rest/admin/people?text=${address}`)).body.total, 0)
    assert.equal((await invite([address], { groups: ['editusers'] }, world.uma)).status, 200)
  })

  it('takes exactly the groups of which GET /rest/group says that the caller may give them', async () => {
    const own = world.unique('own')
    await world.ada.post('/rest/group', { name: own, description: '<b>Own' })
    await world.ada.put(`/rest/user/${cast.uma.login}`, { bless_groups: { add: [own] } })
    const { groups } = (await world.uma.get('/rest/group?include_fields=name,is_system,may_grant')).body
    const given = groups.filter(({ may_grant }) => may_grant).map(({ name }) => name)
    assert.deepEqual(
      [own, 'editusers', 'admin', 'security'].map((name) => given.includes(name)),
      [true, true, false, false],
    )
    assert.deepEqual(
      [own, 'admin'].map((name) => groups.find((it) => it.name === name)?.is_system),
      [false, true],
    )
    for (const { name, may_grant } of groups) {
      const { status } = await invite(['x@lacewing.test'], { groups: [name], dry_run: true }, world.uma)
      assert.equal(status, may_grant ? 200 : 401, name)
    }
    const [plain] = (await world.uma.get('/rest/group?names=admin')).body.groups
    assert.deepEqual(Object.keys(plain ?? {}), ['id', 'name', 'description'])
    assert.deepEqual((await world.stan.get('/rest/group?include_fields=_all')).body.groups, [])
  })

  it('refuses users outside of editusers, limited keys, too many people and none', async () => {
    const address = `${world.unique('refused')}@lacewing.test`
    for (const who of [world.stan, world.greta]) assertRefused(await invite([address], {}, who), 401, 304)
    assertRefused(await invite([address], {}, world.nobody), 401, 410)
    assertRefused(await invite(Array.from({ length: 101 }, (_, place) => `${place}${address}`)), 400, 53)
    assertRefused(await world.ada.post('/rest/admin/people', {}), 400, 50)
    assert.deepEqual((await invite([])).body.people, [])
    const wanted = { description: 'Reads and administers', scopes: ['read', 'admin'] }
    const { body } = await world.ada.post(`/rest/user/${cast.ada.login}/api_key`, wanted)
    const limited = world.as({ 'X-TRACKER-API-KEY': body.api_key })
    assertRefused(await invite([address], {}, limited), 401, 304)
  })

  it('drops the account that somebody else has made in between', async () => {
    const address = `${world.unique('raced')}@lacewing.test`
    const make = () => world.ada.post('/rest/user', { email: address })
    const reply = await changedMeanwhile(world, () => invite([address]), make, 'configuration')
    assert.deepEqual(
      reply.body.people.map(({ result }) => result),
      ['has_account'],
    )
  })
})
