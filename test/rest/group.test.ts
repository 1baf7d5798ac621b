import assert from 'node:assert/strict'
import { it } from 'node:test'
import { cast } from '../support/cast.ts'
import { countQueries } from '../support/count-queries.ts'
import { assertRefused } from '../support/refusal.ts'
import { itOnPostgres } from '../support/sample.ts'
import { describeOnEachEngine, describeOnOneEngine, itOnce, itOnOneEngine, type World } from '../support/world.ts'

const names = (list: { name: string }[]) => list.map(({ name }) => name)

async function groupOf(world: World, ref: string | number) {
  return (await world.ada.get(`/rest/group/${ref}?include_fields=_all`)).body.groups[0]
}

/** The logins of every user in a group, however they are in it; admins always are. */
async function membersOf(world: World, ref: string | number): Promise<string[]> {
  const { body } = await world.ada.get(`/rest/group/${ref}?membership=1`)
  return names(body.groups[0].membership).filter((login) => login !== cast.ada.login)
}

/** Every entry about a group, the oldest first. */
async function auditOf(world: World, id: number) {
  const { body } = await world.ada.get(`/rest/audit?class=Tracker::Group&id=${id}`)
  return body.audit.reverse()
}

describeOnEachEngine('POST /rest/group', (world) => {
  itOnOneEngine(world, 'makes a group for a member of creategroups', async () => {
    const { status, body } = await world.greta.post('/rest/group', {
      name: 'maintainers',
      description: 'Those who maintain',
      user_regexp: '@maintain\\.test$',
      icon_url: 'https://lacewing.test/icon.png',
      is_active: false,
    })
    assert.equal(status, 201)
    assert.deepEqual(Object.keys(body), ['id'])
    assert.deepEqual(await groupOf(world, body.id), {
      id: body.id,
      name: 'maintainers',
      description: 'Those who maintain',
      is_bug_group: 1,
      is_active: 0,
      user_regexp: '@maintain\\.test$',
      icon_url: 'https://lacewing.test/icon.png',
      is_system: false,
      may_grant: true,
    })
  })

  itOnOneEngine(world, 'makes it active, for bugs, without regexp and icon by default', async () => {
    const { id } = await world.newGroup()
    const { is_active, is_bug_group, user_regexp, icon_url } = await groupOf(world, id)
    assert.deepEqual([is_active, is_bug_group, user_regexp, icon_url], [1, 1, '', null])
    const other = await world.newGroup({ is_bug_group: false })
    assert.equal((await groupOf(world, other.id)).is_bug_group, 0)
  })

  itOnOneEngine(world, 'refuses users outside of creategroups and anonymous callers', async () => {
    const wanted = { name: 'wanted', description: 'Wanted' }
    for (const who of ['stan', 'edna', 'uma', 'pam'] as const)
      assertRefused(await world[who].post('/rest/group', wanted), 401, 304)
    assertRefused(await world.nobody.post('/rest/group', wanted), 401, 410)
    assertRefused(await world.greta.get('/rest/group/wanted'), 404, 51)
  })

  itOnOneEngine(world, 'refuses a group without a name or a description', async () => {
    for (const name of [undefined, null, '', '  '])
      assertRefused(await world.greta.post('/rest/group', { name, description: 'X' }), 400, 800)
    for (const description of [undefined, null, '', '  '])
      assertRefused(await world.greta.post('/rest/group', { name: 'nodescription', description }), 400, 802)
  })

  itOnOneEngine(world, 'refuses a name that is taken, in any letter case and with spaces', async () => {
    for (const name of ['security', 'SECURITY', ' security ', 'Admin'])
      assertRefused(await world.greta.post('/rest/group', { name, description: 'X' }), 400, 801)
  })

  itOnOneEngine(world, 'refuses a name that is a number, too long, or more than one line', async () => {
    for (const name of ['123', 'x'.repeat(256), 'two\nlines', 'tab\tbed', 'line\u2028separated'])
      assertRefused(await world.greta.post('/rest/group', { name, description: 'X' }), 400, 53)
    assert.equal((await world.greta.post('/rest/group', { name: 'y'.repeat(255), description: 'X' })).status, 201)
  })

  itOnOneEngine(world, 'refuses values of the wrong kind', async () => {
    const wanted = { name: 'wrongkind', description: 'X' }
    for (const wrong of [
      { name: ['a', 'b'] },
      { description: {} },
      { is_active: 'perhaps' },
      { icon_url: 'javascript:alert(1)' },
      { icon_url: 'https://a b' },
      { icon_url: `https://a/${'x'.repeat(10_000)}` },
      { description: 'x'.repeat(10_001) },
      { member_groups: ['security'] },
    ])
      assertRefused(await world.greta.post('/rest/group', { ...wanted, ...wrong }), 400, 53)
    assertRefused(await world.greta.post('/rest/group?name=a&name=b', wanted), 400, 53)
    assertRefused(await world.greta.post('/rest/group', { ...wanted, member_groups: { add: ['nosuch'] } }), 404, 51)
    assertRefused(await world.greta.get('/rest/group/wrongkind'), 404, 51)
  })

  for (const [what, user_regexp] of Object.entries({
    'with an open bracket': '(',
    'that looks ahead': '(?=a)b',
    'that refers back': '(a)\\1',
    'that looks behind': '(?<!a)b',
    'that repeats a thousand times a thousand': '((a{1000}){1000})',
    'that is short, and slow to match': '(?:a?){1000}(?:a?){1000}',
    'of more than 2000 characters': 'a'.repeat(2001),
  })) {
    itOnce(world, `refuses a regular expression ${what}`, async () => {
      assertRefused(
        await world.greta.post('/rest/group', { name: 'badregexp', description: 'X', user_regexp }),
        400,
        803,
      )
    })
  }

  itOnPostgres(world, 'lets one of several who want the same name at once have it', async () => {
    const wanted = ['racing', 'RACING', ' racing', 'Racing']
    const replies = await Promise.all(
      wanted.map((name) => world.greta.post('/rest/group', { name, description: 'Fast' })),
    )
    assert.deepEqual(replies.map(({ status, body }) => body.code ?? status).sort(), [201, 801, 801, 801])
  })

  itOnOneEngine(world, 'makes members of admin members and blessers of it, and no other user', async () => {
    const { id, name } = await world.newGroup()
    const { body } = await world.ada.get('/rest/whoami')
    assert.ok(names(body.groups).includes(name))
    assert.deepEqual(await membersOf(world, id), [])
    const admin = await world.newUser()
    await world.ada.put(`/rest/user/${admin.id}`, { groups: { add: ['admin'] } })
    assert.ok(names((await admin.client.get('/rest/whoami')).body.groups).includes(name))
  })

  itOnOneEngine(world, 'writes it into the audit log, grants included', async () => {
    const { body } = await world.greta.post('/rest/group', {
      name: 'loggedgroup',
      description: 'X',
      bless_groups: { add: ['editbugs'] },
    })
    const entries = await auditOf(world, body.id)
    assert.deepEqual(
      entries.map(({ who, field, removed, added }) => [who, field, removed, added]),
      [
        [cast.greta.login, '__create__', '', 'loggedgroup'],
        [cast.greta.login, 'bless_groups', '', 'editbugs'],
      ],
    )
  })
})

describeOnEachEngine('PUT /rest/group/(id_or_name)', (world) => {
  itOnOneEngine(world, 'changes what it is given and returns what changed', async () => {
    const { id, name } = await world.newGroup()
    const { status, body } = await world.ada.put(`/rest/group/${name}`, {
      name: 'renamed',
      description: 'Described anew',
      user_regexp: '^x@',
      is_active: false,
      icon_url: '/icons/x.png',
    })
    assert.equal(status, 200)
    assert.deepEqual(body, {
      groups: [
        {
          id,
          changes: {
            name: { removed: name, added: 'renamed' },
            description: { removed: `The group ${name}`, added: 'Described anew' },
            user_regexp: { removed: '', added: '^x@' },
            is_active: { removed: '1', added: '0' },
            icon_url: { removed: '', added: '/icons/x.png' },
          },
        },
      ],
    })
    assert.equal((await groupOf(world, 'RENAMED')).id, id)
    assert.deepEqual((await world.ada.put(`/rest/group/${id}`, { icon_url: '' })).body.groups[0].changes, {
      icon_url: { removed: '/icons/x.png', added: '' },
    })
  })

  itOnOneEngine(world, 'returns no changes when everything is as it was', async () => {
    const { id, name } = await world.newGroup()
    const same = { name: ` ${name} `, is_active: true, user_regexp: '', member_groups: { add: [name] } }
    assert.deepEqual((await world.ada.put(`/rest/group/${id}`, same)).body, { groups: [{ id, changes: {} }] })
    assert.equal((await auditOf(world, id)).length, 1)
  })

  itOnOneEngine(world, 'refuses users outside of creategroups and anonymous callers', async () => {
    const { id, name } = await world.newGroup()
    for (const who of ['stan', 'uma', 'pam'] as const)
      assertRefused(await world[who].put(`/rest/group/${id}`, { description: 'Mine' }), 401, 304)
    assertRefused(await world.nobody.put(`/rest/group/${id}`, { description: 'Mine' }), 401, 410)
    const blesser = await world.newUser()
    await world.ada.put(`/rest/user/${blesser.id}`, { bless_groups: { add: [name] } })
    assertRefused(await blesser.client.put(`/rest/group/${id}`, { description: 'Mine' }), 401, 304)
  })

  itOnOneEngine(world, 'refuses a group that does not exist, and parameters that it does not know', async () => {
    for (const ref of ['nosuchgroup', '4711', '0', '99999999999'])
      assertRefused(await world.ada.put(`/rest/group/${ref}`, { description: 'X' }), 404, 51)
    const { id } = await world.newGroup()
    for (const unknown of [{ is_bug_group: false }, { is_system: 0 }, { id: 1 }, { hasOwnProperty: 1 }])
      assertRefused(await world.ada.put(`/rest/group/${id}`, { description: 'X', ...unknown }), 400, 32601)
    assert.notEqual((await groupOf(world, id)).description, 'X')
  })

  itOnOneEngine(world, 'holds new values to the rules of the first ones', async () => {
    const { id } = await world.newGroup()
    for (const [wanted, code] of [
      [{ name: ' ' }, 800],
      [{ name: 'SECURITY' }, 801],
      [{ description: '' }, 802],
      [{ user_regexp: '[' }, 803],
      [{ name: '99' }, 53],
      [{ name: 'a\u0007b' }, 53],
      [{ icon_url: 'data:x' }, 53],
    ] as const)
      assertRefused(await world.ada.put(`/rest/group/${id}`, wanted), 400, code)
  })

  itOnOneEngine(world, 'changes the path, ids and names together, each once', async () => {
    const [one, two, three] = [await world.newGroup(), await world.newGroup(), await world.newGroup()]
    const { body } = await world.ada.put(`/rest/group/${one.id}`, {
      ids: [two.id, one.id],
      names: [three.name, two.name.toUpperCase()],
      description: 'All of them',
    })
    assert.deepEqual(body.groups.map(({ id }) => id).sort(), [one.id, two.id, three.id].sort())
    for (const { id } of [one, two, three]) assert.equal((await groupOf(world, id)).description, 'All of them')
  })

  itOnOneEngine(world, 'changes none when one of several cannot be changed', async () => {
    const { id } = await world.newGroup()
    assertRefused(await world.ada.put(`/rest/group/${id}`, { names: ['nosuch'], description: 'X' }), 404, 51)
    assertRefused(await world.ada.put(`/rest/group/${id}`, { names: ['admin'], description: 'X' }), 400, 32000)
    assert.notEqual((await groupOf(world, id)).description, 'X')
    assert.equal((await auditOf(world, id)).length, 1)
  })

  itOnOneEngine(world, 'refuses one name for several, and changes none', async () => {
    const [one, two] = [await world.newGroup(), await world.newGroup()]
    const wanted = { ids: [two.id], name: 'both', description: 'X' }
    assertRefused(await world.ada.put(`/rest/group/${one.id}`, wanted), 400, 32000)
    assert.notEqual((await groupOf(world, one.id)).description, 'X')
    assert.equal((await world.ada.put(`/rest/group/${one.id}`, { ids: [one.id], name: 'both' })).status, 200)
  })

  itOnOneEngine(world, 'leaves name, description and state of a group that ships with the tracker alone', async () => {
    for (const wanted of [{ name: 'root' }, { name: 'ADMIN' }, { description: 'X' }, { is_active: false }])
      assertRefused(await world.ada.put('/rest/group/admin', wanted), 400, 32000)
    const { body } = await world.ada.put('/rest/group/canconfirm', { icon_url: '/c.png', name: 'canconfirm' })
    assert.deepEqual(body.groups[0].changes, { icon_url: { removed: '', added: '/c.png' } })
    const member = await world.newUser({ email: 'confirmer@lacewing.test' })
    await world.ada.put('/rest/group/canconfirm', { user_regexp: '^confirmer@' })
    assert.ok((await membersOf(world, 'canconfirm')).includes(member.login))
  })

  itOnOneEngine(
    world,
    'goes on meaning the group in parameters that name it, and says so in the audit log',
    async () => {
      const { id, name } = await world.newGroup()
      await world.ada.put('/rest/parameters', { insidergroup: name, chartgroup: name })
      await world.ada.put(`/rest/group/${id}`, { name: 'insiders' })
      const { body } = await world.ada.get('/rest/parameters?include_fields=insidergroup,chartgroup,querysharegroup')
      assert.deepEqual(body.parameters, {
        chartgroup: 'insiders',
        insidergroup: 'insiders',
        querysharegroup: 'editbugs',
      })
      const { body: log } = await world.ada.get('/rest/audit?class=Tracker::Parameter&limit=2')
      assert.deepEqual(log.audit.map(({ who, field, removed, added }) => [who, field, removed, added]).sort(), [
        [cast.ada.login, 'chartgroup', name, 'insiders'],
        [cast.ada.login, 'insidergroup', name, 'insiders'],
      ])
      await world.ada.put('/rest/parameters', { insidergroup: '', chartgroup: 'editbugs' })
    },
  )

  itOnOneEngine(world, 'writes every change into the audit log, with who made it', async () => {
    const { id, name } = await world.newGroup()
    const other = await world.newGroup()
    await world.ada.put(`/rest/group/${id}`, {
      name: 'auditedgroup',
      user_regexp: 'a',
      member_groups: { add: [other.name] },
      visible_groups: { add: [other.name] },
    })
    const entries = (await auditOf(world, id)).slice(1)
    assert.deepEqual(entries.map(({ who, field, removed, added }) => [who, field, removed, added]).sort(), [
      [cast.ada.login, 'member_groups', '', other.name],
      [cast.ada.login, 'name', name, 'auditedgroup'],
      [cast.ada.login, 'user_regexp', '', 'a'],
      [cast.ada.login, 'visible_groups', '', other.name],
    ])
  })

  itOnPostgres(world, 'loses no change of two administrators who change the same group at once', async () => {
    const { id } = await world.newGroup()
    const [inner, other] = [await world.newGroup(), await world.newGroup()]
    const replies = await Promise.all([
      world.ada.put(`/rest/group/${id}`, { description: 'From Greta', member_groups: { add: [inner.name] } }),
      world.ada.put(`/rest/group/${id}`, { icon_url: '/ada.png', member_groups: { add: [other.name] } }),
      world.ada.put(`/rest/group/${id}`, { user_regexp: '^ada@' }),
      world.ada.put(`/rest/group/${id}`, { is_active: false }),
    ])
    assert.deepEqual(
      replies.map(({ status }) => status),
      [200, 200, 200, 200],
    )
    const group = await groupOf(world, id)
    assert.deepEqual(
      [group.description, group.icon_url, group.user_regexp, group.is_active],
      ['From Greta', '/ada.png', '^ada@', 0],
    )
    const person = await world.newUser()
    for (const { name } of [inner, other]) {
      await world.ada.put(`/rest/user/${person.id}`, { groups: { set: [name] } })
      assert.deepEqual(await membersOf(world, id), [person.login])
    }
  })

  itOnPostgres(world, 'lets one of two who take the same name at once have it', async () => {
    const [one, two] = [await world.newGroup(), await world.newGroup()]
    const replies = await Promise.all(
      [one, two].map(({ id }) => world.ada.put(`/rest/group/${id}`, { name: 'takentwice' })),
    )
    assert.deepEqual(replies.map(({ status, body }) => body.code ?? status).sort(), [200, 801])
  })
})

describeOnEachEngine('user_regexp', (world) => {
  itOnOneEngine(world, 'makes existing and new users members if their login matches, in any letter case', async () => {
    const old = await world.newUser({ email: 'one@Match.test' })
    const { id, name } = await world.newGroup({ user_regexp: '@MATCH\\.test$' })
    assert.deepEqual(await membersOf(world, id), [old.login])
    const young = await world.newUser({ email: 'two@match.TEST' })
    const other = await world.newUser({ email: 'three@match.test.evil.test' })
    assert.deepEqual((await membersOf(world, id)).sort(), [old.login, young.login])
    assert.ok(names((await young.client.get('/rest/whoami')).body.groups).includes(name))
    assert.ok(!names((await other.client.get('/rest/whoami')).body.groups).includes(name))
  })

  itOnOneEngine(world, 'is asked again when a login changes', async () => {
    const { id } = await world.newGroup({ user_regexp: '@inside\\.test$' })
    const person = await world.newUser({ email: 'a@outside.test' })
    await world.ada.put(`/rest/user/${person.id}`, { email: 'a@inside.test' })
    assert.deepEqual(await membersOf(world, id), ['a@inside.test'])
    await world.ada.put(`/rest/user/${person.id}`, { email: 'a@outside.test' })
    assert.deepEqual(await membersOf(world, id), [])
  })

  itOnOneEngine(world, 'is evaluated again when it changes, and matches no user when it is empty', async () => {
    const { id } = await world.newGroup({ user_regexp: '^first@change\\.test' })
    const first = await world.newUser({ email: 'first@change.test' })
    const second = await world.newUser({ email: 'second@change.test' })
    assert.deepEqual(await membersOf(world, id), [first.login])
    await world.ada.put(`/rest/group/${id}`, { user_regexp: '^second@change' })
    assert.deepEqual(await membersOf(world, id), [second.login])
    await world.ada.put(`/rest/group/${id}`, { user_regexp: ' ' })
    assert.deepEqual(await membersOf(world, id), [])
  })

  itOnOneEngine(world, 'never takes away what a user gave', async () => {
    const { id, name } = await world.newGroup({ user_regexp: '@both\\.test$' })
    const person = await world.newUser({ email: 'given@both.test' })
    await world.ada.put(`/rest/user/${person.id}`, { groups: { add: [name] } })
    await world.ada.put(`/rest/user/${person.id}`, { email: 'given@neither.test' })
    assert.deepEqual(await membersOf(world, id), ['given@neither.test'])
    await world.ada.put(`/rest/group/${id}`, { user_regexp: '^nobody@' })
    assert.deepEqual(await membersOf(world, id), ['given@neither.test'])
    await world.ada.put(`/rest/user/${person.id}`, { groups: { remove: [name] } })
    assert.deepEqual(await membersOf(world, id), [])
  })

  it('is not taken away with what a user gave', async () => {
    const { id, name } = await world.newGroup({ user_regexp: '@stays\\.test$' })
    const person = await world.newUser({ email: 'p@stays.test' })
    await world.ada.put(`/rest/user/${person.id}`, { groups: { add: [name] } })
    await world.ada.put(`/rest/user/${person.id}`, { groups: { set: [] } })
    assert.deepEqual(await membersOf(world, id), [person.login])
  })

  itOnOneEngine(world, 'gives nothing to an address that would have to be cut to match', async () => {
    await world.newGroup({ user_regexp: '@cut\\.test$' })
    const email = `${'a'.repeat(127 - '@cut.test'.length)}@cut.test.evil.test`
    assertRefused(await world.uma.post('/rest/user', { email }), 400, 501)
  })

  itOnOneEngine(world, 'takes no longer for patterns that other engines never finish', async () => {
    const login = `${'a'.repeat(100)}@slow.test`
    await world.newUser({ email: login })
    for (const user_regexp of [
      '^(a+)+$',
      '^(a|aa)+$',
      '(.*)*b!',
      '^(([a-z])+.)+[A-Z]([a-z])+$',
      '(x+x+)+y',
      '(?:a?){500}c',
    ])
      assert.equal(
        (await world.greta.post('/rest/group', { name: world.unique('slow'), description: 'X', user_regexp })).status,
        201,
      )
    await world.newUser({ email: `b${login}` })
  })
})

describeOnOneEngine('Groups within groups', (world) => {
  it('make members of their members, through several steps', async () => {
    const [outer, middle, inner] = [await world.newGroup(), await world.newGroup(), await world.newGroup()]
    await world.ada.put(`/rest/group/${outer.id}`, { member_groups: { add: [middle.name] } })
    await world.ada.put(`/rest/group/${middle.id}`, { member_groups: { add: [inner.id] } })
    const person = await world.newUser()
    await world.ada.put(`/rest/user/${person.id}`, { groups: { add: [inner.name] } })
    const own = async () => names((await person.client.get('/rest/whoami')).body.groups)
    assert.deepEqual(await own(), [outer.name, middle.name, inner.name])
    for (const { id } of [outer, middle, inner]) assert.deepEqual(await membersOf(world, id), [person.login])
    await world.ada.put(`/rest/group/${outer.id}`, { member_groups: { remove: [middle.name] } })
    assert.deepEqual(await own(), [middle.name, inner.name])
    assert.deepEqual(await membersOf(world, outer.id), [])
  })

  it('may form a loop, and all in it share their members', async () => {
    const [one, two, three] = [await world.newGroup(), await world.newGroup(), await world.newGroup()]
    const chain = [
      [one, two],
      [two, three],
      [three, one],
    ] as const
    for (const [group, member] of chain)
      assert.equal(
        (await world.ada.put(`/rest/group/${group.id}`, { member_groups: { add: [member.name] } })).status,
        200,
      )
    const person = await world.newUser()
    await world.ada.put(`/rest/user/${person.id}`, { groups: { add: [two.name] } })
    assert.deepEqual(names((await person.client.get('/rest/whoami')).body.groups), [one.name, two.name, three.name])
    for (const { id } of [one, two, three]) assert.deepEqual(await membersOf(world, id), [person.login])
  })

  it('give the rights of a group that ships with the tracker', async () => {
    const team = await world.newGroup()
    const person = await world.newUser()
    await world.ada.put(`/rest/user/${person.id}`, { groups: { add: [team.name] } })
    assertRefused(await person.client.post('/rest/keyword', { name: 'inherited', description: 'X' }), 401, 304)
    await world.ada.put('/rest/group/editkeywords', { member_groups: { add: [team.name] } })
    assert.equal((await person.client.post('/rest/keyword', { name: 'inherited', description: 'X' })).status, 201)
  })

  it('may decide who is in a group, for all their members', async () => {
    const [blessers, blessed] = [await world.newGroup(), await world.newGroup()]
    const person = await world.newUser()
    await world.ada.put(`/rest/user/${person.id}`, { groups: { add: [blessers.name] } })
    assert.deepEqual((await person.client.get('/rest/group')).body.groups, [])
    await world.ada.put(`/rest/group/${blessed.id}`, { bless_groups: { set: [blessers.name] } })
    assert.deepEqual(names((await person.client.get('/rest/group')).body.groups), [blessed.name])
    assert.deepEqual(await membersOf(world, blessed.id), [])
  })

  it('are added, removed and set, and set wins', async () => {
    const { id } = await world.newGroup()
    const [one, two] = [await world.newGroup(), await world.newGroup()]
    const change = async (member_groups: object) =>
      (await world.ada.put(`/rest/group/${id}`, { member_groups })).body.groups[0].changes
    assert.deepEqual(await change({ add: [two.id, one.name] }), {
      member_groups: { removed: '', added: `${one.name}, ${two.name}` },
    })
    assert.deepEqual(await change({ add: [one.name], remove: [one.name, two.name] }), {
      member_groups: { removed: two.name, added: '' },
    })
    assert.deepEqual(await change({ set: [two.name], add: [one.name], remove: [two.name] }), {
      member_groups: { removed: one.name, added: two.name },
    })
    assert.deepEqual(await change({ set: [] }), { member_groups: { removed: two.name, added: '' } })
    assertRefused(await world.ada.put(`/rest/group/${id}`, { member_groups: { remove: ['nosuch'] } }), 404, 51)
  })

  it('never take their rights from members of admin', async () => {
    const { id, name } = await world.newGroup()
    for (const grants of ['member_groups', 'bless_groups', 'visible_groups']) {
      assert.deepEqual((await world.ada.put(`/rest/group/${id}`, { [grants]: { set: [] } })).body.groups[0].changes, {})
      assertRefused(await world.ada.put(`/rest/group/${id}`, { [grants]: { remove: ['admin'] } }), 400, 32000)
    }
    assert.ok(names((await world.ada.get('/rest/whoami')).body.groups).includes(name))
    assert.deepEqual(
      (await world.ada.put('/rest/group/admin', { member_groups: { set: [] } })).body.groups[0].changes,
      {},
    )
  })
})

describeOnOneEngine('GET /rest/group', (world) => {
  it('returns all groups to creategroups and editusers, by name, when none is named', async () => {
    for (const who of ['greta', 'uma', 'ada'] as const) {
      const all = names((await world[who].get('/rest/group')).body.groups)
      assert.ok(all.length >= 15 && all.includes('admin') && all.includes('security'))
      assert.deepEqual(all, all.toSorted())
    }
  })

  it('shows state, kind and regexp to creategroups only', async () => {
    assert.deepEqual((await world.greta.get('/rest/group/editbugs')).body.groups, [
      {
        id: 8,
        name: 'editbugs',
        description: 'May change every field of a bug',
        is_bug_group: 0,
        is_active: 1,
        user_regexp: '',
      },
    ])
    assert.deepEqual((await world.uma.get('/rest/group/editbugs?include_fields=_all')).body.groups, [
      { id: 8, name: 'editbugs', description: 'May change every field of a bug', is_system: true, may_grant: false },
    ])
  })

  it('returns groups by id and name, each once, in any letter case', async () => {
    const { body } = await world.greta.get('/rest/group?ids=8&ids=9&names=SECURITY&names=editbugs&names=security%20')
    assert.deepEqual(names(body.groups), ['editbugs', 'canconfirm', 'security'])
    assert.deepEqual(names((await world.greta.get('/rest/group/8?names=admin&ids=9')).body.groups).sort(), [
      'admin',
      'canconfirm',
      'editbugs',
    ])
  })

  it('returns only the requested fields', async () => {
    const fields = async (query: string) =>
      Object.keys((await world.greta.get(`/rest/group/editbugs?${query}`)).body.groups[0])
    assert.deepEqual(await fields('include_fields=id,name'), ['id', 'name'])
    assert.deepEqual(await fields('exclude_fields=description,user_regexp'), [
      'id',
      'name',
      'is_bug_group',
      'is_active',
    ])
    assert.deepEqual(await fields('include_fields=name,icon_url'), ['name', 'icon_url'])
    assert.deepEqual(await fields('include_fields=name&membership=1'), ['name'])
    assert.deepEqual(await fields('include_fields=users&membership=1'), ['users'])
    const [first] = (await world.greta.get('/rest/group?include_fields=name')).body.groups
    assert.deepEqual(Object.keys(first), ['name'])
  })

  it('names the missing group to members of creategroups and editusers', async () => {
    for (const who of ['greta', 'uma'] as const) {
      assertRefused(await world[who].get('/rest/group/nosuchgroup'), 404, 51)
      assertRefused(await world[who].get('/rest/group/4711'), 404, 51)
      assertRefused(await world[who].get('/rest/group?names=admin&names=nosuchgroup'), 404, 51)
      assertRefused(await world[who].get('/rest/group?ids=x'), 400, 52)
    }
  })

  it('returns an empty list to those who may bless none, and nothing to anonymous callers', async () => {
    assert.deepEqual((await world.stan.get('/rest/group')).body, { groups: [] })
    assert.deepEqual((await world.sven.get('/rest/group')).body, { groups: [] })
    assertRefused(await world.nobody.get('/rest/group'), 401, 410)
    assertRefused(await world.nobody.get('/rest/group/security'), 401, 410)
  })

  it('refuses a group that one may neither bless nor administer like one that does not exist', async () => {
    for (const who of ['stan', 'sven', 'pam'] as const) {
      const hidden = await world[who].get('/rest/group/security')
      const missing = await world[who].get('/rest/group/nosuchgroup')
      for (const reply of [hidden, missing]) assertRefused(reply, 400, 805)
      assert.equal(hidden.body.message, missing.body.message)
      assertRefused(await world[who].get('/rest/group?ids=8'), 400, 805)
      assertRefused(await world[who].get('/rest/group?ids=4711'), 400, 805)
      assertRefused(await world[who].get('/rest/group/security?membership=1'), 400, 805)
    }
  })

  it('shows a blesser the groups that they may bless, with members when asked, and no others', async () => {
    const { id, client } = await world.newUser()
    await world.ada.put(`/rest/user/${id}`, { bless_groups: { add: ['security'] } })
    const { body } = await client.get('/rest/group?membership=1')
    assert.deepEqual(names(body.groups), ['security'])
    assert.deepEqual(Object.keys(body.groups[0]), ['id', 'name', 'description', 'membership', 'users'])
    assert.deepEqual(names(body.groups[0].membership), [cast.ada.login, cast.sven.login])
    assertRefused(await client.get('/rest/group?names=security&names=editbugs'), 400, 805)
  })

  it('returns members under both names, each with the reason for being disabled under both names', async () => {
    const { id, name } = await world.newGroup()
    const person = await world.newUser({ full_name: 'A Member' })
    await world.ada.put(`/rest/user/${person.id}`, {
      groups: { add: [name] },
      login_denied_text: 'Gone',
      email_enabled: false,
    })
    const group = (await world.uma.get(`/rest/group/${id}?membership=1`)).body.groups[0]
    assert.deepEqual(group.membership, group.users)
    assert.deepEqual(group.membership[1], {
      id: person.id,
      real_name: 'A Member',
      name: person.login,
      email: person.login,
      can_login: false,
      email_enabled: false,
      login_denied_text: 'Gone',
      disabled_text: 'Gone',
    })
    const without = await world.uma.get(`/rest/group/${id}?membership=0`)
    assert.ok(!('membership' in without.body.groups[0]) && !('users' in without.body.groups[0]))
    assertRefused(await world.uma.get(`/rest/group/${id}?membership=perhaps`), 400, 53)
  })
})

describeOnOneEngine('DELETE /rest/group/(id_or_name)', (world) => {
  it('deletes a group that nothing needs, with all that followed from it', async () => {
    const { id, name } = await world.newGroup({ user_regexp: '@deleted\\.test$' })
    const person = await world.newUser({ email: 'p@deleted.test' })
    const outer = await world.newGroup()
    await world.ada.put(`/rest/group/${outer.id}`, { member_groups: { add: [name] } })
    assert.deepEqual((await world.ada.delete(`/rest/group/${name}`)).body, { id, name })
    assertRefused(await world.greta.get(`/rest/group/${id}`), 404, 51)
    assert.deepEqual((await person.client.get('/rest/whoami')).body.groups, [])
    assert.deepEqual(await membersOf(world, outer.id), [])
    const { field, removed, added } = (await auditOf(world, id)).at(-1)
    assert.deepEqual([field, removed, added], ['__remove__', name, ''])
    assert.equal((await world.greta.post('/rest/group', { name, description: 'Again' })).status, 201)
  })

  it('refuses users outside of creategroups, anonymous callers, and groups that do not exist', async () => {
    const { id } = await world.newGroup()
    for (const who of ['stan', 'uma', 'pam'] as const)
      assertRefused(await world[who].delete(`/rest/group/${id}`), 401, 304)
    assertRefused(await world.nobody.delete(`/rest/group/${id}`), 401, 410)
    assertRefused(await world.stan.delete('/rest/group/nosuchgroup'), 401, 304)
    assertRefused(await world.ada.delete('/rest/group/nosuchgroup'), 404, 51)
  })

  it('refuses a group that ships with the tracker', async () => {
    for (const name of ['admin', 'editusers', 'bz_quip_moderators'])
      assertRefused(await world.ada.delete(`/rest/group/${name}`), 400, 32000)
  })

  it('refuses a group that a parameter names, until it does not', async () => {
    const { name } = await world.newGroup()
    await world.withParameters({ insidergroup: name.toUpperCase() }, async () => {
      assertRefused(await world.ada.delete(`/rest/group/${name}`), 400, 32000)
    })
    assert.equal((await world.ada.delete(`/rest/group/${name}`)).status, 200)
  })

  it('refuses a group with people in it until it has none', async () => {
    const { name } = await world.newGroup()
    await world.ada.put(`/rest/user/${cast.stan.login}`, { groups: { add: [name] }, bless_groups: { add: [name] } })
    assertRefused(await world.ada.delete(`/rest/group/${name}`), 400, 32000)
    await world.ada.put(`/rest/user/${cast.stan.login}`, { groups: { remove: [name] } })
    assert.equal((await world.ada.delete(`/rest/group/${name}`)).status, 200)
  })
})

describeOnEachEngine('what a group opens and who is in it', (world) => {
  itOnOneEngine(
    world,
    'lists members with their sources, neighbours, products, flag types and parameters',
    async () => {
      const { ada } = world
      const inner = await world.newGroup({ user_regexp: '^rhea@' })
      const outer = await world.newGroup()
      await ada.put(`/rest/group/${outer.id}`, { member_groups: { add: [inner.name] } })
      await ada.put('/rest/user/stan@lacewing.test', { groups: { add: [outer.name] } })
      const { body } = await world.greta.get(`/rest/group/${outer.id}/members`)
      const sources = body.members.map(({ name, sources }) => [name, sources.map((it) => `${it.kind} ${it.group}`)])
      assert.deepEqual(sources, [
        ['ada@lacewing.test', ['direct admin']],
        ['rhea@lacewing.test', [`regexp ${inner.name}`]],
        ['stan@lacewing.test', [`direct ${outer.name}`]],
      ])
      assert.equal(body.total, 3)
      const { body: page } = await ada.get(`/rest/group/${outer.id}/members?limit=1&offset=1`)
      assert.deepEqual([page.total, names(page.members)], [3, ['rhea@lacewing.test']])
      await ada.put(`/rest/product/TestProduct/group_control/${outer.id}`, { membercontrol: 'Shown', editbugs: true })
      await ada.put('/rest/parameters', { insidergroup: outer.name })
      const { body: uses } = await ada.get(`/rest/group/${outer.id}/uses`)
      assert.deepEqual([uses.members, uses.bugs, uses.parameters], [3, 0, ['insidergroup']])
      assert.deepEqual(uses.member_groups, [
        { name: 'admin', members: 1 },
        { name: inner.name, members: 2 },
      ])
      assert.deepEqual(
        uses.products.map((it) => [it.product, it.membercontrol, it.editbugs]),
        [['TestProduct', 'Shown', true]],
      )
      const { body: least } = await world.greta.get(`/rest/group/${outer.id}/uses`)
      assert.deepEqual(
        [least.products, least.parameters, 'bugs' in least],
        [[], [], false],
        'only what greta reads elsewhere',
      )
      await ada.put('/rest/parameters', { insidergroup: '' })
      assert.deepEqual((await ada.get(`/rest/group/${inner.id}/uses`)).body.belongs_to, [
        { name: outer.name, members: 3 },
      ])
    },
  )

  it('counts members once each by the way they are in, lists them by it, and says what comes through other groups', async () => {
    const { ada, greta } = world
    const inner = await world.newGroup()
    const outer = await world.newGroup({ user_regexp: '^(rhea|stan)@' })
    const far = await world.newGroup({ member_groups: { add: [outer.name] } })
    await ada.put(`/rest/group/${outer.id}`, { member_groups: { add: [inner.name] } })
    for (const login of ['stan', 'sven'])
      await ada.put(`/rest/user/${login}@lacewing.test`, { groups: { add: [inner.name] } })
    for (const login of ['stan', 'uma'])
      await ada.put(`/rest/user/${login}@lacewing.test`, { groups: { add: [outer.name] } })
    const counted = `ids=${inner.id}&ids=${outer.id}&ids=${far.id}&member_counts=1`
    const { body } = await world.uma.get(`/rest/group?${counted}`)
    assert.deepEqual(
      body.groups.map((it) => [it.name, it.member_count, it.direct_member_count, it.inherited_member_count]),
      [
        [inner.name, 3, 2, 1],
        [outer.name, 5, 2, 2],
        [far.name, 5, 0, 5],
      ],
    )
    const cost = (query: string) => countQueries(world, () => ada.get(`/rest/group?${query}`))
    assert.equal(await cost(`ids=${inner.id}&member_counts=1`), await cost(counted))
    const costOfUses = (id: number) => countQueries(world, () => ada.get(`/rest/group/${id}/uses`))
    assert.equal(await costOfUses(far.id), await costOfUses(outer.id), 'whatever groups are next to it')
    const fields = (await greta.get(`/rest/group?${counted}&include_fields=id,member_count`)).body.groups.map(
      Object.keys,
    )
    assert.deepEqual(fields[0], ['id', 'member_count'])
    const { body: all } = await greta.get(`/rest/group/${outer.id}/members`)
    assert.deepEqual([all.total, all.counts], [5, { direct: 2, matched: 1, inherited: 2 }])
    const way = async (name: string) => {
      const { body: some } = await greta.get(`/rest/group/${outer.id}/members?way=${name}`)
      return [some.total, ...names(some.members).map((login) => login.split('@')[0])]
    }
    assert.deepEqual(
      [await way('direct'), await way('matched'), await way('inherited')],
      [
        [2, 'stan', 'uma'],
        [1, 'rhea'],
        [2, 'ada', 'sven'],
      ],
    )
    assertRefused(await greta.get(`/rest/group/${outer.id}/members?way=luck`), 400, 53)
    await ada.put(`/rest/product/TestProduct/group_control/${far.id}`, { editbugs: true })
    const { body: uses } = await ada.get(`/rest/group/${inner.id}/uses`)
    assert.deepEqual(
      uses.through.map((it) => [it.name, it.products.map(({ product, editbugs }) => [product, editbugs])]),
      [
        [far.name, [['TestProduct', true]]],
        [outer.name, []],
      ].toSorted(),
    )
    assert.equal(uses.through_total, 2)
    const { body: least } = await greta.get(`/rest/group/${inner.id}/uses`)
    assert.deepEqual(
      least.through.flatMap((it) => it.products),
      [],
      'only what greta reads elsewhere',
    )
    assertRefused(await world.stan.get(`/rest/group?${counted}`), 400, 805)
  })

  itOnOneEngine(world, 'counts the members of at most a hundred groups at once', async () => {
    const { body } = await world.ada.get('/rest/group?member_counts=1')
    for (let count = body.groups.length; count <= 100; count++) await world.newGroup()
    assertRefused(await world.ada.get('/rest/group?member_counts=1'), 400, 53)
    const { body: admin } = await world.ada.get('/rest/group/admin/uses')
    assert.equal(admin.belongs_to.length, admin.through_total)
    assert.deepEqual(
      [admin.belongs_to.filter((it) => it.members !== undefined).length, admin.through.length],
      [100, 20],
    )
  })

  it('tries a pattern without changing anything', async () => {
    const { ada } = world
    const { id } = await world.newGroup({ user_regexp: '^rhea@' })
    const { body } = await ada.get(`/rest/group/${id}/matching?user_regexp=${encodeURIComponent('^s(tan|ven)@')}`)
    assert.deepEqual(
      [body.matching, body.joining, body.leaving, body.joining_names, body.leaving_names],
      [2, 2, 1, ['sven@lacewing.test', 'stan@lacewing.test'], ['rhea@lacewing.test']],
    )
    assert.deepEqual(await membersOf(world, id), ['rhea@lacewing.test'])
    assertRefused(await ada.get(`/rest/group/${id}/matching?user_regexp=(`), 400, 803)
    assertRefused(await ada.get(`/rest/group/${id}/matching`), 400, 50)
  })

  it('is for members of creategroups, and patterns for those who may set them', async () => {
    const { id } = await world.newGroup()
    for (const what of ['members', 'uses', 'matching?user_regexp=x']) {
      assertRefused(await world.edna.get(`/rest/group/${id}/${what}`), 401, 304)
      assertRefused(await world.nobody.get(`/rest/group/${id}/${what}`), 401, 410)
      assertRefused(await world.ada.get(`/rest/group/nosuchgroup/${what}`), 404, 51)
    }
    assertRefused(await world.greta.get('/rest/group/admin/matching?user_regexp=greta'), 401, 304)
  })
})
