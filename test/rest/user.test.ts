import assert from 'node:assert/strict'
import { it } from 'node:test'
import { cast } from '../support/cast.ts'
import { inOneWorld } from '../support/one-world.ts'
import { assertRefused } from '../support/refusal.ts'
import { itOnPostgres } from '../support/sample.ts'
import { itOnce, itOnOneEngine, type World } from '../support/world.ts'

const describeTogether = inOneWorld()

const names = (list: { name: string }[]) => list.map(({ name }) => name)

/** The names of the groups that a user is in, as editusers sees them. */
async function groupsOf(world: World, id: number): Promise<string[]> {
  const { body } = await world.ada.get(`/rest/user/${id}?include_fields=groups`)
  return names(body.users[0].groups)
}

async function userOf(world: World, id: number) {
  const { body } = await world.ada.get(`/rest/user/${id}`)
  return body.users[0]
}

/** Every entry about a user, the oldest first. */
async function auditOf(world: World, id: number) {
  const { body } = await world.ada.get(`/rest/audit?class=Tracker::User&id=${id}`)
  return body.audit.reverse()
}

async function tokenOf(world: World, login: string, password: string): Promise<string> {
  const { body } = await world.nobody.get(`/rest/login?login=${encodeURIComponent(login)}&password=${password}`)
  return body.token
}

describeTogether('POST /rest/user', (world) => {
  itOnOneEngine(world, 'makes an account for a member of editusers', async () => {
    const { status, body } = await world.uma.post('/rest/user', {
      email: 'newcomer@lacewing.test',
      full_name: 'New Comer',
      password: 'plainwords1',
    })
    assert.equal(status, 201)
    assert.deepEqual(Object.keys(body), ['id'])
    const user = await userOf(world, body.id)
    assert.deepEqual(
      [user.name, user.email, user.real_name, user.can_login, user.email_enabled, user.login_denied_text, user.groups],
      ['newcomer@lacewing.test', 'newcomer@lacewing.test', 'New Comer', true, true, '', []],
    )
    assert.notEqual(await tokenOf(world, 'newcomer@lacewing.test', 'plainwords1'), undefined)
  })

  itOnOneEngine(world, 'refuses users outside of editusers and anonymous callers', async () => {
    const wanted = { email: 'wanted@lacewing.test' }
    for (const who of ['stan', 'edna', 'greta', 'pam'] as const)
      assertRefused(await world[who].post('/rest/user', wanted), 401, 304)
    assertRefused(await world.nobody.post('/rest/user', wanted), 401, 410)
    assertRefused(await world.nobody.get('/rest/user/wanted@lacewing.test'), 404, 51)
  })

  itOnOneEngine(world, 'needs only an address', async () => {
    const { status, body } = await world.uma.post('/rest/user', { email: 'bare@lacewing.test' })
    assert.equal(status, 201)
    assert.equal((await userOf(world, body.id)).real_name, '')
    assertRefused(await world.uma.post('/rest/user', { full_name: 'No Address' }), 400, 50)
    assertRefused(await world.uma.post('/rest/user', { email: '' }), 400, 50)
    assertRefused(await world.uma.post('/rest/user', { email: '  ' }), 400, 50)
    assertRefused(await world.uma.post('/rest/user', { email: null }), 400, 50)
  })

  itOnOneEngine(world, 'ignores parameters that it does not know, as clients of Bugzilla send some', async () => {
    const { status, body } = await world.uma.post('/rest/user', {
      email: 'py@lacewing.test',
      name: 'Py',
      id: 1,
      groups: 5,
    })
    assert.equal(status, 201)
    assert.equal((await userOf(world, body.id)).real_name, '')
  })

  itOnOneEngine(world, 'gives no login to an account whose password is blank or missing', async () => {
    for (const password of ['', '   ', undefined]) {
      const email = `${world.unique('nopass')}@lacewing.test`
      assert.equal((await world.uma.post('/rest/user', { email, password })).status, 201)
      for (const tried of ['', '%20', '*', 'null', 'undefined'])
        assert.notEqual((await world.nobody.get(`/rest/login?login=${email}&password=${tried}`)).status, 200)
    }
  })

  itOnOneEngine(world, 'cuts spaces around the password, the address and the name', async () => {
    const email = 'blanks@lacewing.test'
    const { body } = await world.uma.post('/rest/user', {
      email: `\t ${email} \n`,
      full_name: '  In\tthe\nmiddle ',
      password: '  secret word  ',
    })
    assert.equal((await userOf(world, body.id)).name, email)
    assert.equal((await userOf(world, body.id)).real_name, 'In the middle')
    assert.notEqual(await tokenOf(world, email, 'secret word'), undefined)
    assert.notEqual(await tokenOf(world, email, ' secret word '), undefined)
  })

  for (const [what, email] of Object.entries({
    'without an @': 'nobody',
    'without a domain': 'some@',
    'with two @': 'a@b@lacewing.test',
    'with a blank inside': 'some one@lacewing.test',
    'with a line break inside': 'a\nb@lacewing.test',
    'with angle brackets': '<a@lacewing.test>',
    'with a comma': 'a,b@lacewing.test',
    'with LDAP signs': '*)(uid=*@lacewing.test',
    'with a Cyrillic look-alike': '\u0430da@lacewing.test',
    'with full-width letters': '\uff41da@lacewing.test',
    'with a Kelvin sign': '\u212ain@lacewing.test',
    'with a dotless i': 'm\u0131na@lacewing.test',
    'with an invisible joiner': 'a\u200dda@lacewing.test',
    'with a combining accent': 'ada\u0301@lacewing.test',
    'with a mark that turns the direction': 'ada\u202e@lacewing.test',
    'with an emoji': '\u{1f41b}@lacewing.test',
    'of 128 characters': `${'a'.repeat(128 - '@lacewing.test'.length)}@lacewing.test`,
    'that is a number': '12345',
  })) {
    itOnce(world, `refuses an address ${what}`, async () => {
      assertRefused(await world.uma.post('/rest/user', { email }), 400, 501)
    })
  }

  itOnOneEngine(world, 'says the form of an address in a sentence with one full stop', async () => {
    const { body } = await world.uma.post('/rest/user', { email: 'dee' })
    assert.match(body.message, /^“dee” cannot be a login name: .+[^.]\.$/)
  })

  itOnOneEngine(world, 'keeps an address of 127 characters whole', async () => {
    const email = `${'a'.repeat(127 - '@lacewing.test'.length)}@lacewing.test`
    const { body } = await world.uma.post('/rest/user', { email })
    assert.equal((await userOf(world, body.id)).name, email)
  })

  itOnOneEngine(world, 'refuses an address that is taken, in any letter case and with spaces', async () => {
    for (const email of [
      cast.stan.login,
      cast.stan.login.toUpperCase(),
      ` ${cast.stan.login} `,
      'Stan@Lacewing.Test\n',
      `\u00a0${cast.stan.login}\ufeff`,
    ])
      assertRefused(await world.uma.post('/rest/user', { email }), 400, 500)
  })

  itOnOneEngine(world, 'refuses lists and objects where text belongs, however they are sent', async () => {
    assertRefused(await world.uma.post('/rest/user', { email: ['a@lacewing.test'] }), 400, 53)
    assertRefused(await world.uma.post('/rest/user', { email: { a: 'b@lacewing.test' } }), 400, 53)
    assertRefused(await world.uma.post('/rest/user?email=a@lacewing.test&email=b@lacewing.test'), 400, 53)
    assertRefused(await world.uma.post('/rest/user', { email: 'c@lacewing.test', full_name: ['x', 'y'] }), 400, 53)
    const reply = await world.uma.post('/rest/user', { email: 'd@lacewing.test', password: ['hunter22', 'hunter23'] })
    assertRefused(reply, 400, 53)
    assert.ok(!reply.text.includes('hunter2'))
  })

  itOnOneEngine(world, 'takes from the query string what the body says too', async () => {
    const { body } = await world.uma.post('/rest/user?email=query@lacewing.test', { email: 'body@lacewing.test' })
    assert.equal((await userOf(world, body.id)).name, 'query@lacewing.test')
    assertRefused(await world.nobody.get('/rest/user/body@lacewing.test'), 404, 51)
  })

  itOnOneEngine(world, 'takes any password of six characters for another user', async () => {
    for (const password of ['123456', 'password1', 'plain12'])
      assert.equal(
        (await world.uma.post('/rest/user', { email: `plain${password}@lacewing.test`, password })).status,
        201,
      )
    assertRefused(await world.uma.post('/rest/user', { email: 'short@lacewing.test', password: 'five5' }), 400, 502)
    assertRefused(await world.uma.post('/rest/user', { email: 'short@lacewing.test', password: ' five5 ' }), 400, 502)
    assert.equal(
      (await world.uma.post('/rest/user', { email: 'short@lacewing.test', password: 'six six six' })).status,
      201,
    )
  })

  itOnOneEngine(world, 'refuses a password that would take a minute to read', async () => {
    assertRefused(
      await world.uma.post('/rest/user', { email: 'long@lacewing.test', password: 'a'.repeat(1001) }),
      400,
      53,
    )
  })

  for (const [complexity, { weak, strong }] of Object.entries({
    mixed_letters: { weak: ['lowercase', 'UPPERCASE', '12345678'], strong: 'mixedCase' },
    letters_numbers: { weak: ['mixedCase', 'lower123', 'UPPER123'], strong: 'mixedCase1' },
    letters_numbers_specialchars: { weak: ['mixedCase1', 'letters!', '1234567!'], strong: 'letters1!' },
  })) {
    itOnce(world, `refuses what password_complexity ${complexity} does not allow`, async () => {
      await world.withParameters({ password_complexity: complexity }, async () => {
        const email = `${complexity}@lacewing.test`
        for (const password of weak) assertRefused(await world.uma.post('/rest/user', { email, password }), 400, 305)
        assertRefused(await world.uma.post('/rest/user', { email, password: 'a1B!' }), 400, 502)
        assert.equal((await world.uma.post('/rest/user', { email, password: strong })).status, 201)
        assertRefused(await world.uma.put(`/rest/user/${email}`, { password: weak[0] }), 400, 305)
      })
    })
  }

  itOnOneEngine(world, 'holds the address against emailregexp, and adds emailsuffix to it', async () => {
    await world.withParameters({ emailregexp: '^[a-z]+$', emailsuffix: '@staff.test' }, async () => {
      assertRefused(await world.uma.post('/rest/user', { email: 'full@staff.test' }), 400, 501)
      assertRefused(await world.uma.post('/rest/user', { email: 'a'.repeat(120) }), 400, 501)
      const { body } = await world.uma.post('/rest/user', { email: 'shorty' })
      const user = await userOf(world, body.id)
      assert.deepEqual([user.name, user.email], ['shorty', 'shorty@staff.test'])
    })
  })

  itOnOneEngine(world, 'refuses a real name of more than 255 characters', async () => {
    const email = 'longname@lacewing.test'
    assertRefused(await world.uma.post('/rest/user', { email, full_name: 'x'.repeat(256) }), 400, 53)
    assert.equal((await world.uma.post('/rest/user', { email, full_name: 'é'.repeat(255) })).status, 201)
  })

  it('gives a name to one of several concurrent requests, and refuses the others', async () => {
    const wanted = ['race@lacewing.test', 'RACE@lacewing.test', 'race@lacewing.test ', 'Race@Lacewing.test']
    const replies = await Promise.all(wanted.map((email) => world.uma.post('/rest/user', { email })))
    assert.deepEqual(replies.map(({ status, body }) => body.code ?? status).sort(), [201, 500, 500, 500])
  })

  itOnOneEngine(world, 'writes who made the account into the audit log, and not its password', async () => {
    const { body } = await world.uma.post('/rest/user', { email: 'logged@lacewing.test', password: 'verysecret2' })
    const [entry, ...more] = await auditOf(world, body.id)
    assert.deepEqual(more, [])
    assert.deepEqual(
      [entry.who, entry.class, entry.field, entry.removed, entry.added],
      [cast.uma.login, 'Tracker::User', '__create__', '', 'logged@lacewing.test'],
    )
    const all = await world.ada.get('/rest/audit?limit=1000')
    assert.ok(!all.text.includes('verysecret2'))
  })
})

describeTogether('PUT /rest/user/(id_or_name)', (world) => {
  itOnOneEngine(world, 'changes what it is given and returns what changed', async () => {
    const { id, login } = await world.newUser({ full_name: 'Before' })
    const { status, body } = await world.uma.put(`/rest/user/${login}`, {
      full_name: 'After',
      email: 'moved@lacewing.test',
      email_enabled: false,
      login_denied_text: 'Left us',
    })
    assert.equal(status, 200)
    assert.deepEqual(body, {
      users: [
        {
          id,
          changes: {
            email: { removed: login, added: 'moved@lacewing.test' },
            full_name: { removed: 'Before', added: 'After' },
            login_denied_text: { removed: '', added: 'Left us' },
            email_enabled: { removed: '1', added: '0' },
            // Bugzilla's names.
            is_enabled: { removed: '1', added: '0' },
            disable_mail: { removed: '0', added: '1' },
          },
        },
      ],
    })
    const user = await userOf(world, id)
    assert.deepEqual(
      [user.name, user.real_name, user.email_enabled, user.login_denied_text, user.can_login],
      ['moved@lacewing.test', 'After', false, 'Left us', false],
    )
  })

  itOnOneEngine(world, 'returns no changes when everything is as it was', async () => {
    const { id, login } = await world.newUser()
    const same = {
      full_name: ' Somebody ',
      email: login,
      email_enabled: true,
      login_denied_text: '',
      groups: { add: [] },
    }
    assert.deepEqual((await world.uma.put(`/rest/user/${id}`, same)).body, { users: [{ id, changes: {} }] })
    assert.deepEqual((await world.uma.put(`/rest/user/${id}`, {})).body, { users: [{ id, changes: {} }] })
    assert.equal((await auditOf(world, id)).length, 1)
  })

  itOnOneEngine(world, 'refuses users outside of editusers and anonymous callers', async () => {
    for (const who of ['stan', 'edna', 'greta', 'pam'] as const)
      assertRefused(await world[who].put(`/rest/user/${cast.rhea.login}`, { full_name: 'Me' }), 401, 304)
    assertRefused(await world.nobody.put(`/rest/user/${cast.stan.login}`, { full_name: 'Me' }), 401, 410)
    assert.equal((await userOf(world, 5)).real_name, cast.stan.realName)
  })

  itOnOneEngine(world, 'refuses an account that does not exist, by name or id', async () => {
    for (const ref of ['noone@lacewing.test', '99999', '0', '99999999999999999999'])
      assertRefused(await world.uma.put(`/rest/user/${ref}`, { full_name: 'X' }), 404, 51)
  })

  itOnOneEngine(world, 'refuses parameters that it does not know', async () => {
    const { id } = await world.newUser()
    for (const unknown of [{ real_name: 'X' }, { id: 5 }, { can_login: false }, { toString: 1 }, { constructor: 1 }])
      assertRefused(await world.uma.put(`/rest/user/${id}`, { full_name: 'X', ...unknown }), 400, 32601)
    assertRefused(await world.uma.put(`/rest/user/${id}?loginn=x`, { full_name: 'X' }), 400, 32601)
    assert.equal((await userOf(world, id)).real_name, 'Somebody')
  })

  itOnOneEngine(world, 'takes the field selection that every call may carry', async () => {
    const { id } = await world.newUser()
    const { status } = await world.uma.put(`/rest/user/${id}?include_fields=id`, {
      full_name: 'Y',
      exclude_fields: 'x',
    })
    assert.equal(status, 200)
  })

  itOnOneEngine(world, 'refuses values of the wrong kind', async () => {
    const { id } = await world.newUser()
    for (const wrong of [
      { full_name: ['a'] },
      { email: ['a@lacewing.test', 'b@lacewing.test'] },
      { email_enabled: 'perhaps' },
      { groups: ['editbugs'] },
      { groups: 'editbugs' },
      { groups: { add: 'editbugs' } },
      { groups: { ad: ['editbugs'] } },
      { bless_groups: { set: {} } },
    ])
      assertRefused(await world.uma.put(`/rest/user/${id}`, wrong), 400, 53)
    assertRefused(await world.uma.put(`/rest/user/${id}`, { groups: { add: [{}] } }), 400, 58)
    assertRefused(await world.uma.put(`/rest/user/${id}`, { ids: ['x'] }), 400, 52)
    assertRefused(await world.uma.put(`/rest/user/${id}`, { ids: [{}] }), 400, 58)
    assert.deepEqual(await groupsOf(world, id), [])
  })

  itOnOneEngine(world, 'holds a new address to the rules of a first one', async () => {
    const { id } = await world.newUser()
    assertRefused(await world.uma.put(`/rest/user/${id}`, { email: cast.ada.login.toUpperCase() }), 400, 500)
    assertRefused(await world.uma.put(`/rest/user/${id}`, { email: '\u0430da@lacewing.test' }), 400, 501)
    assertRefused(await world.uma.put(`/rest/user/${id}`, { email: `${'a'.repeat(120)}@lacewing.test` }), 400, 501)
    assertRefused(await world.uma.put(`/rest/user/${id}`, { email: ' ' }), 400, 50)
    assertRefused(await world.uma.put(`/rest/user/${id}`, { password: 'five5' }), 400, 502)
    assertRefused(await world.uma.put(`/rest/user/${id}`, { full_name: 'x'.repeat(256) }), 400, 53)
  })

  itOnOneEngine(world, 'lets the letter case of an address change', async () => {
    const { id, login } = await world.newUser()
    const { body } = await world.uma.put(`/rest/user/${id}`, { email: login.toUpperCase() })
    assert.deepEqual(body.users[0].changes, { email: { removed: login, added: login.toUpperCase() } })
  })

  itOnOneEngine(world, 'keeps the id when the login changes', async () => {
    const { id, login } = await world.newUser()
    await world.uma.put(`/rest/user/${login}`, { email: 'keeps-id@lacewing.test' })
    const { body } = await world.nobody.get('/rest/user/keeps-id@lacewing.test')
    assert.equal(body.users[0].id, id)
    assertRefused(await world.nobody.get(`/rest/user/${login}`), 404, 51)
  })

  itOnOneEngine(world, 'never reveals a password, neither in the response nor in the audit log', async () => {
    const { id, login } = await world.newUser()
    const reply = await world.uma.put(`/rest/user/${id}`, { password: 'verysecret1' })
    const untold = { removed: '********', added: '********' }
    assert.deepEqual(reply.body.users[0].changes, { password: untold, cryptpassword: untold })
    const entries = await auditOf(world, id)
    assert.deepEqual(
      entries.map(({ field }) => field),
      ['__create__', 'password'],
    )
    assert.ok(!JSON.stringify(entries).includes('verysecret1'))
    assert.notEqual(await tokenOf(world, login, 'verysecret1'), undefined)
  })

  itOnOneEngine(world, 'takes the password away when the new one is blank', async () => {
    const { id, login } = await world.newUser({ password: 'plainwords1' })
    await world.uma.put(`/rest/user/${id}`, { password: ' ' })
    assertRefused(await world.nobody.get(`/rest/login?login=${login}&password=plainwords1`), 401, 300)
  })

  for (const [what, change] of Object.entries({
    'the login': { email: 'elsewhere@lacewing.test' },
    'the password': { password: 'plainwords2' },
    'the reason for being disabled': { login_denied_text: 'Gone' },
  })) {
    itOnOneEngine(world, `logs the user out everywhere when ${what} changes`, async () => {
      const { id, login } = await world.newUser({ password: 'plainwords1' })
      const tokens = [await tokenOf(world, login, 'plainwords1'), await tokenOf(world, login, 'plainwords1')]
      const other = await tokenOf(world, cast.stan.login, 'correct horse')
      await world.uma.put(`/rest/user/${id}`, change)
      for (const token of tokens) assertRefused(await world.nobody.get(`/rest/whoami?token=${token}`), 400, 307)
      assert.equal((await world.nobody.get(`/rest/whoami?token=${other}`)).status, 200)
      if ('email' in change) await world.uma.put(`/rest/user/${id}`, { email: login })
    })
  }

  itOnOneEngine(world, 'leaves the user logged in when nothing of that changes', async () => {
    const { id, login } = await world.newUser({ password: 'plainwords1' })
    const token = await tokenOf(world, login, 'plainwords1')
    await world.ada.put(`/rest/user/${id}`, { full_name: 'Other', email_enabled: false, groups: { add: ['editbugs'] } })
    await world.uma.put(`/rest/user/${id}`, { email: login, login_denied_text: '' })
    assert.equal((await world.nobody.get(`/rest/whoami?token=${token}`)).status, 200)
  })

  itOnOneEngine(world, 'shuts a disabled account out and lets it in again, keys included', async () => {
    const { id, login, client } = await world.newUser({ password: 'plainwords1' })
    await world.uma.put(`/rest/user/${id}`, { login_denied_text: 'On leave' })
    assertRefused(await client.get('/rest/whoami'), 401, 301)
    assertRefused(await world.nobody.get(`/rest/login?login=${login}&password=plainwords1`), 401, 301)
    await world.uma.put(`/rest/user/${id}`, { login_denied_text: '' })
    assert.equal((await client.get('/rest/whoami')).status, 200)
  })

  itOnOneEngine(world, 'changes the path, ids and names together, each once', async () => {
    const [one, two, three] = [await world.newUser(), await world.newUser(), await world.newUser()]
    const { body } = await world.uma.put(`/rest/user/${one.id}`, {
      ids: [two.id, one.id],
      names: [three.login, two.login.toUpperCase()],
      full_name: 'All of them',
    })
    const ids = body.users.map((user) => user.id)
    assert.deepEqual(ids.sort(), [one.id, two.id, three.id].sort())
    for (const { id } of [one, two, three]) assert.equal((await userOf(world, id)).real_name, 'All of them')
  })

  itOnOneEngine(world, 'changes no user when one of several cannot be changed', async () => {
    const [one, two] = [await world.newUser(), await world.newUser()]
    const wanted = { names: [two.login, 'noone@lacewing.test'], full_name: 'X', groups: { add: ['editbugs'] } }
    assertRefused(await world.uma.put(`/rest/user/${one.id}`, wanted), 404, 51)
    const unknownGroup = { names: [two.login], full_name: 'X', groups: { add: ['editbugs', 'nosuchgroup'] } }
    assertRefused(await world.uma.put(`/rest/user/${one.id}`, unknownGroup), 401, 304)
    for (const { id } of [one, two]) {
      assert.equal((await userOf(world, id)).real_name, 'Somebody')
      assert.deepEqual(await groupsOf(world, id), [])
      assert.equal((await auditOf(world, id)).length, 1)
    }
  })

  itOnOneEngine(world, 'refuses one address for several, and changes none', async () => {
    const [one, two] = [await world.newUser(), await world.newUser()]
    const wanted = { ids: [two.id], email: 'same@lacewing.test', full_name: 'X' }
    assertRefused(await world.uma.put(`/rest/user/${one.id}`, wanted), 400, 32000)
    assert.equal((await userOf(world, one.id)).real_name, 'Somebody')
    const oneAlone = { ids: [one.id], names: [one.login], email: 'same@lacewing.test' }
    assert.equal((await world.uma.put(`/rest/user/${one.id}`, oneAlone)).status, 200)
  })

  itOnOneEngine(world, 'adds, removes and sets groups by name or id, and returns names', async () => {
    const { id } = await world.newUser()
    const change = async (groups: object) => (await world.ada.put(`/rest/user/${id}`, { groups })).body.users[0].changes
    assert.deepEqual(await change({ add: ['security', 9, '6'] }), {
      groups: { removed: '', added: 'canconfirm, editcomponents, security' },
    })
    assert.deepEqual(await change({ add: [' SECURITY '], remove: [' editcomponents', 'editkeywords'] }), {
      groups: { removed: 'editcomponents', added: '' },
    })
    assert.deepEqual(await change({ add: ['security'], remove: ['security'] }), {})
    assert.deepEqual(await change({ set: ['editkeywords', 'security'], add: ['editbugs'], remove: ['security'] }), {
      groups: { removed: 'canconfirm', added: 'editkeywords' },
    })
    assert.deepEqual((await groupsOf(world, id)).sort(), ['editkeywords', 'security'])
    assert.deepEqual(await change({ set: [] }), { groups: { removed: 'editkeywords, security', added: '' } })
    assert.deepEqual(await groupsOf(world, id), [])
  })

  itOnOneEngine(
    world,
    'refuses a group that does not exist, wherever it is named, unless set makes it irrelevant',
    async () => {
      const { id } = await world.newUser()
      for (const part of ['add', 'remove', 'set'])
        for (const ref of ['nosuchgroup', 4711, ''])
          assertRefused(await world.ada.put(`/rest/user/${id}`, { groups: { [part]: [ref] } }), 401, 304)
      assertRefused(await world.ada.put(`/rest/user/${id}`, { bless_groups: { add: ['nosuchgroup'] } }), 401, 304)
      const { status } = await world.ada.put(`/rest/user/${id}`, {
        groups: { set: ['editbugs'], add: ['nosuchgroup'] },
      })
      assert.equal(status, 200)
    },
  )

  itOnOneEngine(world, 'gives and takes the right to bless, apart from membership', async () => {
    const { id, client } = await world.newUser()
    const { body } = await world.ada.put(`/rest/user/${id}`, { bless_groups: { add: ['security'] } })
    assert.deepEqual(body.users[0].changes, { bless_groups: { removed: '', added: 'security' } })
    assert.deepEqual(await groupsOf(world, id), [])
    assert.deepEqual(names((await client.get('/rest/group')).body.groups), ['security'])
    await world.ada.put(`/rest/user/${id}`, { bless_groups: { set: ['editbugs'] } })
    assert.deepEqual(names((await client.get('/rest/group')).body.groups), ['editbugs'])
    await world.ada.put(`/rest/user/${id}`, { bless_groups: { remove: ['editbugs'] } })
    assert.deepEqual((await client.get('/rest/group')).body.groups, [])
  })

  itOnOneEngine(
    world,
    'gives a right that takes effect with the next request, and takes it away likewise',
    async () => {
      const { id, client } = await world.newUser()
      assertRefused(await client.post('/rest/keyword', { name: 'mine', description: 'Mine' }), 401, 304)
      await world.ada.put(`/rest/user/${id}`, { groups: { add: ['editkeywords'] } })
      assert.equal((await client.post('/rest/keyword', { name: 'mine', description: 'Mine' })).status, 201)
      await world.ada.put(`/rest/user/${id}`, { groups: { remove: ['editkeywords'] } })
      assertRefused(await client.post('/rest/keyword', { name: 'mine2', description: 'Mine' }), 401, 304)
    },
  )

  itOnOneEngine(world, 'writes every change into the audit log, with who made it', async () => {
    const { id, login } = await world.newUser()
    await world.ada.put(`/rest/user/${id}`, {
      full_name: 'Audited',
      email: 'audited@lacewing.test',
      email_enabled: false,
      login_denied_text: 'Why',
      groups: { add: ['editbugs'] },
      bless_groups: { add: ['security'] },
    })
    const entries = (await auditOf(world, id)).slice(1)
    assert.deepEqual(entries.map(({ who, field, removed, added }) => [who, field, removed, added]).sort(), [
      [cast.ada.login, 'bless_groups', '', 'security'],
      [cast.ada.login, 'email', login, 'audited@lacewing.test'],
      [cast.ada.login, 'email_enabled', '1', '0'],
      [cast.ada.login, 'full_name', 'Somebody', 'Audited'],
      [cast.ada.login, 'groups', '', 'editbugs'],
      [cast.ada.login, 'login_denied_text', '', 'Why'],
    ])
  })

  itOnPostgres(world, 'loses no change of two administrators who change the same account at once', async () => {
    const { id } = await world.newUser()
    const replies = await Promise.all([
      world.ada.put(`/rest/user/${id}`, { full_name: 'From Uma', groups: { add: ['security'] } }),
      world.ada.put(`/rest/user/${id}`, { email_enabled: false, groups: { add: ['editbugs'] } }),
      world.ada.put(`/rest/user/${id}`, { login_denied_text: 'From Ada' }),
      world.ada.put(`/rest/user/${id}`, { bless_groups: { add: ['canconfirm'] } }),
    ])
    assert.deepEqual(
      replies.map(({ status }) => status),
      [200, 200, 200, 200],
    )
    const user = await userOf(world, id)
    assert.deepEqual([user.real_name, user.email_enabled, user.login_denied_text], ['From Uma', false, 'From Ada'])
    assert.deepEqual((await groupsOf(world, id)).filter((name) => ['security', 'editbugs'].includes(name)).sort(), [
      'editbugs',
      'security',
    ])
  })

  itOnPostgres(world, 'lets one of two who take the same address at once have it', async () => {
    const [one, two] = [await world.newUser(), await world.newUser()]
    const replies = await Promise.all(
      [one, two].map(({ id }) => world.uma.put(`/rest/user/${id}`, { email: 'taken-twice@lacewing.test' })),
    )
    assert.deepEqual(replies.map(({ status, body }) => body.code ?? status).sort(), [200, 500])
  })
})

describeTogether('GET /rest/user', (world) => {
  const getUsers = (who: 'nobody' | 'stan' | 'uma' | 'edna' | 'sven' | 'ada' | 'greta', query: string) =>
    world[who].get(`/rest/user?${query}`)

  itOnOneEngine(world, 'shows an anonymous caller four fields of people whose login is known', async () => {
    const seen = { id: 3, name: cast.edna.login, real_name: cast.edna.realName, nick: 'edna' }
    assert.deepEqual((await getUsers('nobody', `names=${cast.edna.login}`)).body, { users: [seen] })
    assert.deepEqual((await world.nobody.get(`/rest/user/${cast.edna.login}`)).body, { users: [seen] })
    assert.deepEqual((await world.nobody.get('/rest/user/EDNA@lacewing.test%20')).body, { users: [seen] })
  })

  itOnOneEngine(world, 'refuses an anonymous caller who asks by id or by matching', async () => {
    assertRefused(await getUsers('nobody', 'ids=3'), 401, 505)
    assertRefused(await getUsers('nobody', 'match=edna'), 401, 505)
    assertRefused(await world.nobody.get('/rest/user/3'), 401, 505)
    assertRefused(await world.nobody.get('/rest/user/4711'), 401, 505)
    assertRefused(await getUsers('nobody', `names=${cast.edna.login}&match=sven`), 401, 505)
  })

  itOnOneEngine(
    world,
    'shows someone who is logged in also address, state and the groups that they may bless',
    async () => {
      const { body } = await world.stan.get('/rest/user/3')
      assert.deepEqual(body.users, [
        {
          id: 3,
          name: cast.edna.login,
          real_name: cast.edna.realName,
          nick: 'edna',
          email: cast.edna.login,
          can_login: true,
          groups: [],
        },
      ])
      const blesser = await world.newUser()
      await world.ada.put(`/rest/user/${blesser.id}`, { bless_groups: { add: ['editbugs', 'security'] } })
      const seen = await blesser.client.get('/rest/user/3')
      assert.deepEqual(seen.body.users[0].groups, [
        { id: 8, name: 'editbugs', description: 'May change every field of a bug' },
      ])
    },
  )

  itOnOneEngine(
    world,
    'shows all groups on one’s own account and to editusers, those through another group included',
    async () => {
      const all = ['editbugs', 'canconfirm', 'bz_canusewhines']
      assert.deepEqual(names((await world.edna.get('/rest/user/3')).body.users[0].groups), all)
      assert.deepEqual(names((await world.uma.get('/rest/user/3')).body.users[0].groups), all)
    },
  )

  itOnOneEngine(
    world,
    'shows saved searches and reports on one’s own account only, whatever rights one has',
    async () => {
      const own = (await world.edna.get('/rest/user/3')).body.users[0]
      assert.deepEqual([own.saved_searches, own.saved_reports], [[], []])
      for (const who of ['uma', 'ada', 'stan'] as const) {
        const seen = (await world[who].get('/rest/user/3?include_fields=_all')).body.users[0]
        assert.ok(!('saved_searches' in seen) && !('saved_reports' in seen))
      }
    },
  )

  itOnOneEngine(
    world,
    'shows mail and the reason for being disabled to editusers only, the own account included',
    async () => {
      const { id, login, client } = await world.newUser()
      assert.ok(!('email_enabled' in (await client.get(`/rest/user/${id}`)).body.users[0]))
      await world.ada.put(`/rest/user/${id}`, { login_denied_text: 'Spammer', email_enabled: false })
      const seen = (await world.uma.get(`/rest/user/${login}`)).body.users[0]
      assert.deepEqual([seen.can_login, seen.email_enabled, seen.login_denied_text], [false, false, 'Spammer'])
      const reply = await world.stan.get(`/rest/user/${login}?include_fields=_all,login_denied_text,email_enabled`)
      assert.equal(reply.body.users[0].can_login, false)
      assert.ok(!reply.text.includes('Spammer') && !reply.text.includes('email_enabled'))
    },
  )

  itOnOneEngine(world, 'returns only the requested fields, to every user', async () => {
    const fields = async (who: 'nobody' | 'stan' | 'uma', query: string) =>
      Object.keys((await world[who].get(`/rest/user/${cast.edna.login}?${query}`)).body.users[0])
    assert.deepEqual(await fields('nobody', 'include_fields=name,email'), ['name'])
    assert.deepEqual(await fields('stan', 'include_fields=name&include_fields=email'), ['name', 'email'])
    assert.deepEqual(await fields('uma', 'include_fields=id'), ['id'])
    assert.deepEqual(await fields('uma', 'include_fields=login_denied_text'), ['login_denied_text'])
    assert.deepEqual(await fields('uma', 'exclude_fields=login_denied_text,email_enabled,groups'), [
      'id',
      'name',
      'real_name',
      'nick',
      'email',
      'can_login',
    ])
    assert.deepEqual(await fields('stan', 'include_fields=ID,nonsense'), [])
    assert.deepEqual(await fields('stan', 'include_fields=id,name&exclude_fields=name'), ['id'])
    const parts = await world.edna.get('/rest/user/3?include_fields=groups.name&exclude_fields=id')
    assert.deepEqual(parts.body.users, [
      { groups: [{ name: 'editbugs' }, { name: 'canconfirm' }, { name: 'bz_canusewhines' }] },
    ])
    const without = await world.edna.get('/rest/user/3?include_fields=groups&exclude_fields=groups.description')
    assert.deepEqual(without.body.users[0].groups[0], { id: 8, name: 'editbugs' })
  })

  it('returns ids and names together, each person once', async () => {
    const { body } = await getUsers('stan', `ids=3&ids=4&ids=3&names=${cast.edna.login}&names=${cast.ada.login}`)
    assert.deepEqual(
      body.users.map(({ id }) => id),
      [3, 4, 1],
    )
    const more = await world.stan.get(`/rest/user/3?ids=4&names=${cast.ada.login}`)
    assert.deepEqual(
      more.body.users.map(({ id }) => id),
      [3, 4, 1],
    )
  })

  itOnOneEngine(world, 'skips an id that does not exist, and refuses a name that does not exist', async () => {
    assert.deepEqual((await world.stan.get('/rest/user/4711')).body, { users: [] })
    assert.deepEqual((await getUsers('stan', 'ids=4711&ids=9007199254740991&ids=-1&ids=0')).body, { users: [] })
    for (const who of ['nobody', 'stan', 'ada'] as const) {
      assertRefused(await world[who].get('/rest/user/noone@lacewing.test'), 404, 51)
      assertRefused(await getUsers(who, `names=noone@lacewing.test&names=${cast.stan.login}`), 404, 51)
    }
  })

  itOnOneEngine(world, 'refuses a question without ids, names and match, and ids that are no numbers', async () => {
    assertRefused(await getUsers('stan', ''), 400, 50)
    assertRefused(await getUsers('stan', 'limit=5&include_disabled=1'), 400, 50)
    for (const ids of ['3,4', 'x', '1.5', '', '0x10', '9007199254740993'])
      assertRefused(await getUsers('stan', `ids=${ids}`), 400, 52)
  })

  it('finds by any part of the login or the real name, in any letter case', async () => {
    const found = async (query: string) => names((await getUsers('stan', query)).body.users)
    assert.deepEqual(await found('match=dna'), [cast.edna.login])
    assert.deepEqual(await found('match=EDITOR'), [cast.edna.login])
    assert.deepEqual(await found('match=%20editor%20'), [cast.edna.login])
    assert.deepEqual(await found('match=editor&match=secur'), [cast.edna.login, cast.sven.login])
    assert.deepEqual(await found('match=editor&match=edna'), [cast.edna.login])
    assert.deepEqual(await found('match=nothingatall'), [])
    const { login } = await world.newUser({ full_name: 'Émile Zola' })
    assert.deepEqual(await found(`match=${encodeURIComponent('ÉMILE')}`), [login])
    assert.deepEqual(await found(`match=${encodeURIComponent('e\u0301mile')}`), [login])
  })

  it('takes signs that patterns use for what they are', async () => {
    await world.newUser({ full_name: '100% a_b c\\d' })
    const found = async (text: string) =>
      (await getUsers('stan', `match=${encodeURIComponent(text)}`)).body.users.length
    for (const text of ['100%', 'a_b', 'c\\d', '% a', '_b c\\']) assert.equal(await found(text), 1, text)
    for (const text of ['1%%', 'a__', 'ed_a', '%%%', '___', "' or 1=1 --"]) assert.equal(await found(text), 0, text)
    assert.equal(await found('_'.repeat(9000)), 0)
    assert.equal(await found(`${'*a'.repeat(5000)}`), 0)
  })

  it('reads a * as anything, and then the text as a whole', async () => {
    const found = async (text: string) =>
      names((await getUsers('stan', `match=${encodeURIComponent(text)}`)).body.users)
    assert.deepEqual(await found('ed*a@*'), [cast.edna.login])
    assert.deepEqual(await found('Edna*'), [cast.edna.login])
    assert.deepEqual(await found('*Security'), [cast.sven.login])
    assert.deepEqual(await found('dna*'), [])
    assert.ok((await found('*')).includes(cast.ada.login))
    assert.ok((await found('***')).includes(cast.ada.login))
  })

  it('finds no user by fewer than three characters, unless they are a whole login', async () => {
    for (const text of ['', 'a', 'ed', '%20e%20', 'é'])
      assert.deepEqual((await getUsers('stan', `match=${text}`)).body, { users: [] }, text)
    await world.withParameters({ emailregexp: '.*' }, async () => {
      const { login } = await world.newUser({ email: 'xy' })
      assert.deepEqual(names((await getUsers('stan', 'match=XY')).body.users), [login])
    })
  })

  it('caps each match with limit, and that with maxusermatches', async () => {
    const count = async (query: string) => (await getUsers('stan', `${query}&match=lacewing`)).body.users.length
    assert.equal(await count('limit=2'), 2)
    assert.ok((await count('limit=0')) >= 8)
    assert.equal((await getUsers('stan', 'limit=1&match=editor&match=secur')).body.users.length, 2)
    await world.withParameters({ maxusermatches: 3 }, async () => {
      assert.equal(await count('limit=2'), 2)
      assert.equal(await count('limit=5'), 3)
      assert.equal(await count('limit=0'), 3)
      assert.equal(await count(''), 3)
    })
    await world.withParameters({ maxusermatches: 0 }, async () => {
      assert.equal(await count('limit=2'), 2)
      assert.ok((await count('')) >= 8)
    })
    for (const limit of ['x', '-1', '1.5', ''])
      assertRefused(await getUsers('stan', `match=lacewing&limit=${limit}`), 400, 52)
  })

  itOnOneEngine(world, 'does not cap ids and names', async () => {
    assert.equal((await getUsers('stan', `limit=1&ids=3&ids=4&names=${cast.ada.login}`)).body.users.length, 3)
  })

  it('leaves disabled people out of a match, unless asked for or named whole', async () => {
    const { id, login } = await world.newUser({ full_name: 'Gone Person' })
    await world.ada.put(`/rest/user/${id}`, { login_denied_text: 'Gone' })
    const found = async (query: string) => names((await getUsers('stan', query)).body.users)
    assert.deepEqual(await found('match=Gone%20Person'), [])
    assert.deepEqual(await found('match=Gone%20Person&include_disabled=0'), [])
    assert.deepEqual(await found('match=Gone%20Person&include_disabled=1'), [login])
    assert.deepEqual(await found(`match=${login.toUpperCase()}`), [login])
    assert.deepEqual(await found(`names=${login}`), [login])
    assert.deepEqual(await found(`ids=${id}`), [login])
    assertRefused(await getUsers('stan', 'match=gone&include_disabled=perhaps'), 400, 53)
  })

  it('restricts to members of a group that the caller is in, however they are in it', async () => {
    const group = await world.newGroup({ user_regexp: '^regexp-member@' })
    const inner = await world.newGroup()
    await world.ada.put(`/rest/group/${group.id}`, { member_groups: { add: [inner.name] } })
    const through = await world.newUser()
    await world.ada.put(`/rest/user/${through.id}`, { groups: { add: [inner.name] } })
    const byRegexp = await world.newUser({ email: 'regexp-member@lacewing.test' })
    await world.ada.put('/rest/user/3', { groups: { add: [group.name] } })
    const found = async (query: string) => names((await getUsers('edna', query)).body.users).sort()
    const everybody = [cast.ada.login, cast.edna.login, through.login, byRegexp.login].sort()
    assert.deepEqual(await found(`match=lacewing&groups=${group.name}`), everybody)
    assert.deepEqual(await found(`match=lacewing&group_ids=${group.id}`), everybody)
    assert.deepEqual(await found(`ids=3&ids=5&names=${cast.stan.login}&groups=${group.name.toUpperCase()}`), [
      cast.edna.login,
    ])
    assert.deepEqual(await found(`match=lacewing&limit=1&groups=${group.name}&groups=editbugs`), [cast.ada.login])
    await world.ada.put('/rest/user/3', { groups: { remove: [group.name] } })
    assertRefused(await getUsers('edna', `match=lacewing&groups=${group.name}`), 400, 804)
  })

  it('treats a group that the caller is not in like one that does not exist', async () => {
    const [hidden, missing] = [
      await getUsers('stan', 'match=lacewing&groups=security'),
      await getUsers('stan', 'match=lacewing&groups=nosuchgroup'),
    ]
    for (const reply of [hidden, missing]) assertRefused(reply, 400, 804)
    assert.equal(hidden.body.message.replace('security', ''), missing.body.message.replace('nosuchgroup', ''))
    const security = (await world.ada.get('/rest/group/security')).body.groups[0].id
    assertRefused(await getUsers('stan', `match=lacewing&group_ids=${security}`), 400, 804)
    assertRefused(await getUsers('stan', 'match=lacewing&group_ids=4711'), 400, 804)
    assertRefused(await getUsers('nobody', `names=${cast.stan.login}&groups=security`), 400, 804)
  })

  it('names the missing group to users who may see all groups', async () => {
    assertRefused(await getUsers('uma', 'match=lacewing&group_ids=4711'), 404, 51)
    assertRefused(await getUsers('greta', 'match=lacewing&group_ids=4711'), 404, 51)
    assertRefused(await getUsers('uma', 'match=lacewing&groups=security'), 400, 804)
    assertRefused(await getUsers('stan', 'match=lacewing&group_ids=x'), 400, 52)
  })

  it('cuts addresses at the @ for anonymous callers while webservice_email_filter is on', async () => {
    await world.withParameters({ webservice_email_filter: true }, async () => {
      const seen = (await getUsers('nobody', `names=${cast.edna.login}`)).body.users
      assert.deepEqual(seen, [{ id: 3, name: 'edna', real_name: cast.edna.realName, nick: 'edna' }])
      assert.equal((await getUsers('stan', `names=${cast.edna.login}`)).body.users[0].name, cast.edna.login)
    })
  })
})

describeTogether('usevisibilitygroups', (world) => {
  /** A watcher who sees the members of one group, a member of it, one through another group, and another user. */
  async function scene() {
    const [seen, inner] = [await world.newGroup(), await world.newGroup()]
    const watchers = await world.newGroup()
    await world.ada.put(`/rest/group/${seen.id}`, {
      member_groups: { add: [inner.name] },
      visible_groups: { add: [watchers.name] },
    })
    const word = world.unique('crowd')
    const person = async (...groups: string[]) => {
      const user = await world.newUser({ full_name: `${word} of people` })
      if (groups.length > 0) await world.ada.put(`/rest/user/${user.id}`, { groups: { add: groups } })
      return user
    }
    return {
      word,
      seenGroup: seen,
      watchers,
      watcher: await person(watchers.name),
      member: await person(seen.name),
      through: await person(inner.name),
      other: await person(),
    }
  }

  it('leaves hidden people out of a match and of suggestions', async () => {
    const { word, watcher, member, through, other } = await scene()
    await world.withParameters({ usevisibilitygroups: 1 }, async () => {
      const visible = [watcher.login, member.login, through.login].sort()
      for (const path of ['user?match=', 'user/suggest?match='] as const)
        assert.deepEqual(names((await watcher.client.get(`/rest/${path}${word}`)).body.users).sort(), visible)
      assert.deepEqual((await watcher.client.get(`/rest/user?match=${other.login}`)).body.users, [])
      assert.deepEqual((await watcher.client.get(`/rest/user?match=${other.login}&include_disabled=1`)).body.users, [])
      assert.deepEqual((await watcher.client.get(`/rest/user?match=${other.login.slice(0, -2)}*`)).body.users, [])
    })
    assert.equal((await watcher.client.get(`/rest/user?match=${word}`)).body.users.length, 4)
  })

  itOnOneEngine(world, 'refuses the id of a hidden person like an id that does not exist', async () => {
    const { watcher, member, through, other } = await scene()
    await world.withParameters({ usevisibilitygroups: 1 }, async () => {
      for (const { id } of [watcher, member, through])
        assert.equal((await watcher.client.get(`/rest/user/${id}`)).body.users.length, 1)
      const hidden = await watcher.client.get(`/rest/user/${other.id}`)
      const missing = await watcher.client.get('/rest/user/4711')
      for (const reply of [hidden, missing]) assertRefused(reply, 401, 304)
      assert.equal(hidden.body.message.replace(String(other.id), ''), missing.body.message.replace('4711', ''))
      assertRefused(await watcher.client.get(`/rest/user?ids=${member.id}&ids=${other.id}`), 401, 304)
    })
  })

  it('finds members of a group that one is in among the people that one sees through another', async () => {
    const { word, watchers, watcher, member } = await scene()
    await world.ada.put(`/rest/user/${member.id}`, { groups: { add: [watchers.name] } })
    await world.withParameters({ usevisibilitygroups: 1 }, async () => {
      const { body } = await watcher.client.get(`/rest/user?match=${word}&groups=${watchers.name}`)
      assert.deepEqual(names(body.users).sort(), [watcher.login, member.login].sort())
    })
  })

  itOnOneEngine(world, 'hides no user from editusers', async () => {
    const { word, other } = await scene()
    await world.withParameters({ usevisibilitygroups: 1 }, async () => {
      assert.equal((await world.uma.get(`/rest/user?match=${word}`)).body.users.length, 4)
      assert.equal((await world.uma.get(`/rest/user/${other.id}`)).body.users.length, 1)
      assert.deepEqual((await world.uma.get('/rest/user/4711')).body.users, [])
    })
  })

  itOnOneEngine(world, 'takes away the blessing of groups that one does not see', async () => {
    const { watcher, seenGroup } = await scene()
    await world.ada.put(`/rest/user/${watcher.id}`, { bless_groups: { add: [seenGroup.name, 'security'] } })
    const blessable = async () => names((await watcher.client.get('/rest/group')).body.groups)
    assert.deepEqual((await blessable()).sort(), [seenGroup.name, 'security'])
    await world.withParameters({ usevisibilitygroups: 1 }, async () => {
      assert.deepEqual(await blessable(), [seenGroup.name])
      assertRefused(await watcher.client.get('/rest/group/security'), 400, 805)
    })
  })
})

describeTogether('GET /rest/user/suggest', (world) => {
  const suggested = async (match: string) =>
    names((await world.stan.get(`/rest/user/suggest?match=${encodeURIComponent(match)}`)).body.users)

  it('returns people by part of login or name, without their addresses', async () => {
    const { body } = await world.stan.get('/rest/user/suggest?match=editor')
    assert.deepEqual(body, { users: [{ id: 3, name: cast.edna.login, real_name: cast.edna.realName, nick: 'edna' }] })
  })

  it('refuses anonymous callers, and a question without text', async () => {
    assertRefused(await world.nobody.get('/rest/user/suggest?match=editor'), 401, 410)
    assertRefused(await world.stan.get('/rest/user/suggest'), 400, 50)
    assertRefused(await world.stan.get('/rest/user/suggest?match='), 400, 50)
    assertRefused(await world.stan.get('/rest/user/suggest?match=editor&match=secur'), 400, 53)
  })

  itOnOneEngine(world, 'suggests no user for fewer than three characters', async () => {
    for (const text of ['ed', ' e ', '*', '***', 'e*d']) assert.deepEqual(await suggested(text), [], text)
  })

  it('suggests no user who is disabled, not even by the whole login', async () => {
    const { id, login } = await world.newUser({ full_name: 'Vanished' })
    assert.deepEqual(await suggested('vanished'), [login])
    await world.ada.put(`/rest/user/${id}`, { login_denied_text: 'Gone' })
    assert.deepEqual(await suggested('vanished'), [])
    assert.deepEqual(await suggested(login), [])
  })

  it('suggests who is named exactly first, then names that begin with the text, then the others', async () => {
    const part = await world.newUser({ full_name: 'The quartz' })
    const begin = await world.newUser({ full_name: 'Quartzite' })
    const exact = await world.newUser({ full_name: 'Quartz' })
    assert.deepEqual(await suggested('quartz'), [exact.login, begin.login, part.login])
    const { users } = (await world.ada.get('/rest/user?match=quartz')).body
    assert.deepEqual(names(users), names(users).sort(), 'a match is in the order of logins')
    const { login } = await world.newUser({ full_name: 'Quartz_z' })
    assert.deepEqual(await suggested('Quartz_'), [login], 'a sign of LIKE is no wildcard')
    assert.deepEqual(await suggested('q*artz'), [exact.login])
  })

  it('suggests at most 25, those who were here lately first', { timeout: 60_000 }, async () => {
    for (let count = 0; count < 26; count++)
      await world.ada.post('/rest/user', { email: `many-${count}@lacewing.test`, full_name: 'Many of us' })
    const late = await world.newUser({ full_name: 'Many of us' })
    assert.equal((await suggested('many of us')).length, 25)
    assert.equal((await late.client.get('/rest/whoami')).status, 200)
    // When a user was last seen is gathered and written every few seconds.
    const until = Date.now() + 20_000
    while ((await suggested('many of us'))[0] !== late.login && Date.now() < until)
      await new Promise((resolve) => setTimeout(resolve, 200))
    assert.equal((await suggested('many of us'))[0], late.login)
  })
})

describeTogether.onOneEngine('GET /rest/whoami', (world) => {
  it('returns the caller, with all groups and the scopes of the credentials', async () => {
    const { body } = await world.edna.get('/rest/whoami')
    assert.deepEqual(body, {
      id: 3,
      name: cast.edna.login,
      real_name: cast.edna.realName,
      nick: 'edna',
      email: cast.edna.login,
      groups: [
        { id: 8, name: 'editbugs', description: 'May change every field of a bug' },
        { id: 9, name: 'canconfirm', description: 'May confirm a bug, or mark it as a duplicate' },
        { id: 11, name: 'bz_canusewhines', description: 'May schedule reports for themselves' },
      ],
      login_source: 'api_key',
      scopes: ['admin', 'read', 'write'],
      administers_products: false,
      chooses_members: false,
    })
  })

  it('returns the kind of credentials', async () => {
    const token = await tokenOf(world, cast.stan.login, 'correct horse')
    assert.equal((await world.nobody.get(`/rest/whoami?token=${token}`)).body.login_source, 'token')
    const credentials = `login=${cast.stan.login}&password=correct%20horse`
    assert.equal((await world.nobody.get(`/rest/whoami?${credentials}`)).body.login_source, 'password')
  })

  it('refuses anonymous callers', async () => {
    assertRefused(await world.nobody.get('/rest/whoami'), 401, 410)
  })
})
