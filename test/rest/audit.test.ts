import assert from 'node:assert/strict'
import { it } from 'node:test'
import { cast, PASSWORD } from '../support/cast.ts'
import { assertRefused } from '../support/refusal.ts'
import { describeOnEachEngine, itOnOneEngine } from '../support/world.ts'

describeOnEachEngine('GET /rest/audit', (world) => {
  const entries = async (query = '') => (await world.ada.get(`/rest/audit?${query}`)).body.audit
  const newKeyword = async () => {
    const name = world.unique('audited')
    const { body } = await world.ada.post('/rest/keyword', { name, description: 'X' })
    return { id: body.id as number, name }
  }

  it('returns what was changed, by whom and when, the newest first', async () => {
    const { id, name } = await newKeyword()
    await world.ada.put(`/rest/keyword/${id}`, { name: `${name}-new`, description: 'Y' })
    await world.ada.delete(`/rest/keyword/${id}`)
    const found = await entries(`class=Tracker::Keyword&id=${id}`)
    for (const entry of found) {
      assert.deepEqual(Object.keys(entry).sort(), [
        ...['added', 'at', 'class', 'entry', 'field', 'id', 'name', 'removed', 'source', 'who'],
      ])
      assert.deepEqual([entry.who, entry.class, entry.id], [cast.ada.login, 'Tracker::Keyword', id])
      assert.ok(Math.abs(Date.parse(entry.at) - Date.now()) < 10_000)
    }
    assert.deepEqual(
      found.map(({ field, removed, added }) => [field, removed, added]),
      [
        ['__remove__', `${name}-new`, ''],
        ['description', 'X', 'Y'],
        ['name', name, `${name}-new`],
        ['__create__', '', name],
      ],
    )
  })

  itOnOneEngine(world, 'refuses users outside of admin', async () => {
    for (const who of ['stan', 'edna', 'uma', 'greta', 'pam'] as const)
      assertRefused(await world[who].get('/rest/audit'), 401, 304)
    assertRefused(await world.nobody.get('/rest/audit'), 401, 410)
  })

  itOnOneEngine(world, 'needs the scope admin', async () => {
    const { body } = await world.ada.post('/rest/user/1/api_key', { scopes: ['read', 'write'] })
    assertRefused(await world.as({ 'X-TRACKER-API-KEY': body.api_key }).get('/rest/audit'), 401, 304)
  })

  it('returns only entries of the requested classes, in every spelling', async () => {
    const classes = async (query: string) =>
      [...new Set((await entries(`limit=1000&${query}`)).map((it) => it.class))].sort()
    await newKeyword()
    await world.pam.put('/rest/parameters', { whinedays: 8 })
    for (const name of ['Tracker::Keyword', 'Bugzilla::Keyword', 'Keyword'])
      assert.deepEqual(await classes(`class=${name}`), ['Tracker::Keyword'])
    assert.deepEqual(await classes('class=Tracker::Keyword&class=Tracker::Parameter'), [
      'Tracker::Keyword',
      'Tracker::Parameter',
    ])
    for (const name of ['Tracker::Nothing', 'Other::Keyword', '', "'; drop table users; --"])
      assert.deepEqual(await classes(`class=${encodeURIComponent(name)}`), [])
    assert.ok((await classes('')).length >= 4)
  })

  it('returns only entries of one user', async () => {
    await world.uma.post('/rest/user', { email: 'by-uma@lacewing.test' })
    const found = await entries(`who=${cast.uma.login.toUpperCase()}`)
    assert.ok(found.length > 0 && found.every(({ who }) => who === cast.uma.login))
    assert.deepEqual(await entries('who=noone@lacewing.test'), [])
    assertRefused(await world.ada.get('/rest/audit?who=a&who=b'), 400, 53)
  })

  itOnOneEngine(world, 'has null as the user of changes by the installation itself', async () => {
    const found = await entries('class=Tracker::Group&id=1')
    assert.deepEqual(
      found.map(({ who, field, added }) => [who, field, added]),
      [[null, '__create__', 'admin']],
    )
  })

  it('returns only entries about one id, of any size', async () => {
    const { id } = await newKeyword()
    assert.equal((await entries(`class=Keyword&id=${id}`)).length, 1)
    for (const none of ['4711', '2147483648', '9007199254740991', '-5'])
      assert.deepEqual(await entries(`id=${none}`), [])
    for (const wrong of ['x', '1.5', '', '9007199254740993'])
      assertRefused(await world.ada.get(`/rest/audit?id=${wrong}`), 400, 52)
  })

  it('returns only entries since a time', async () => {
    const { id } = await newKeyword()
    const [entry] = await entries(`class=Keyword&id=${id}`)
    assert.equal((await entries(`class=Keyword&id=${id}&since=${entry.at}`)).length, 1)
    assert.deepEqual(await entries('since=2099-01-01'), [])
    assert.ok((await entries('since=2001-01-01T00:00:00Z')).length > 0)
    for (const wrong of ['yesterday', '2026-02-30', ''])
      assertRefused(await world.ada.get(`/rest/audit?since=${wrong}`), 400, 56)
  })

  it('returns only entries before a time, of a field, or with a text in it', async () => {
    const { id, name } = await newKeyword()
    await world.ada.put(`/rest/keyword/${id}`, { description: '100% <b>Größe</b>' })
    const fields = async (query: string) => (await entries(`class=Keyword&id=${id}&${query}`)).map(({ field }) => field)
    assert.deepEqual(await fields('field=description'), ['description'])
    assert.deepEqual(await fields('field=nothing'), [])
    assert.deepEqual(await fields(`text=${encodeURIComponent('0% <b>Grö')}`), ['description'])
    assert.deepEqual(await fields(`text=${name}`), ['__create__'])
    for (const other of ['0_ <b>', "' or 1 = 1 --", '\\'])
      assert.deepEqual(await fields(`text=${encodeURIComponent(other)}`), [], other)
    assert.deepEqual(await fields('until=2001-01-01'), [])
    assert.equal((await fields('until=2099-01-01')).length, 2)
    assertRefused(await world.ada.get('/rest/audit?until=tomorrow'), 400, 56)
  })

  it('names each object as it is called now, and none that is deleted', async () => {
    const { id, name } = await newKeyword()
    const { id: other } = await newKeyword()
    await world.ada.put(`/rest/keyword/${id}`, { name: `${name}-now` })
    await world.ada.delete(`/rest/keyword/${other}`)
    const names = async (query: string) => new Set((await entries(query)).map((entry) => entry.name))
    assert.deepEqual(await names(`class=Keyword&id=${id}`), new Set([`${name}-now`]))
    assert.deepEqual(await names(`class=Keyword&id=${other}`), new Set([null]))
    assert.deepEqual(await names('class=Group&id=1'), new Set(['admin']))
    const { body } = await world.uma.post('/rest/user', { email: 'named@lacewing.test' })
    assert.deepEqual(await names(`class=User&id=${body.id}`), new Set(['named@lacewing.test']))
    assert.deepEqual(await names('class=Parameter'), new Set([null]))
  })

  it('reads on before an entry, and writes everything that matches as a table', async () => {
    for (let count = 0; count < 4; count++) await newKeyword()
    await world.ada.post('/rest/keyword', { name: '=cmd', description: 'A "formula"' })
    const all = await entries('class=Keyword&limit=1000')
    const [, second, third] = all
    assert.deepEqual(await entries(`class=Keyword&limit=1&before=${second?.entry}`), [third])
    assert.equal((await entries('class=Keyword&limit=1&before=9007199254740991')).length, 1)
    assert.deepEqual(await entries('before=-3'), [])
    const { headers, text } = await world.ada.get('/rest/audit?class=Keyword&limit=1&ctype=csv')
    assert.match(headers.get('content-type') ?? '', /^text\/csv/)
    assert.match(headers.get('content-disposition') ?? '', /attachment; filename="audit.csv"/)
    const lines = text.trimEnd().split('\r\n')
    assert.equal(lines[0], '"at","who","class","id","name","field","removed","added"')
    assert.equal(lines.length, all.length + 1)
    assert.ok(lines[1]?.includes(`"'=cmd"`), lines[1])
    assertRefused(await world.uma.get('/rest/audit?ctype=csv'), 401, 304)
  })

  it('answers in pages that neither overlap nor leave anything out', async () => {
    for (let count = 0; count < 5; count++) await newKeyword()
    const all = await entries('class=Keyword&limit=1000')
    const pages = [
      ...(await entries('class=Keyword&limit=3')),
      ...(await entries('class=Keyword&limit=3&offset=3')),
      ...(await entries(`class=Keyword&limit=1000&offset=6`)),
    ]
    assert.deepEqual(pages, all)
    assert.deepEqual(await entries('offset=1000000'), [])
    for (const wrong of ['limit=-1', 'offset=-1', 'limit=x', 'offset=1.5'])
      assertRefused(await world.ada.get(`/rest/audit?${wrong}`), 400, 52)
  })

  it('returns a hundred entries at first, and never more than a thousand', async () => {
    const entry = { user_id: 1, class: 'Parameter', object_id: 0, field: 'useqacontact', removed: '0', added: '1' }
    const at = '2001-01-01T00:00:00Z'
    await world.db.query((q) =>
      q.insertInto('audit_log').values(Array.from({ length: 1040 }, () => ({ ...entry, at }))),
    )
    assert.equal((await entries()).length, 100)
    assert.equal((await entries('limit=0')).length, 1000)
    assert.equal((await entries('limit=5000')).length, 1000)
    assert.ok((await entries('limit=1000&offset=1000')).length >= 40)
  })

  itOnOneEngine(world, 'has nothing of a change that was refused', async () => {
    const before = await entries('limit=1')
    assertRefused(await world.uma.put('/rest/user/5', { full_name: 'X', groups: { add: ['nosuchgroup'] } }), 401, 304)
    assertRefused(await world.ada.put('/rest/group/security', { description: 'X', name: 'admin' }), 400, 801)
    assertRefused(await world.pam.put('/rest/parameters', { whinedays: 2, insidergroup: 'nosuchgroup' }), 400, 53)
    assertRefused(await world.ada.post('/rest/keyword', { name: 'a b', description: 'X' }), 400, 53)
    assert.deepEqual(await entries('limit=1'), before)
  })

  itOnOneEngine(world, 'holds no password, key or token, whatever was done with them', async () => {
    const secrets = ['first-password-1', 'second-password-2']
    const { body } = await world.uma.post('/rest/user', { email: 'secretive@lacewing.test', password: secrets[0] })
    await world.uma.put(`/rest/user/${body.id}`, { password: secrets[1], full_name: 'Secretive' })
    const key = (await world.ada.post(`/rest/user/${body.id}/api_key`, { description: 'A key' })).body
    await world.ada.put(`/rest/user/${body.id}/api_key/${key.id}`, { description: 'A named key' })
    const { token } = (await world.nobody.get(`/rest/login?login=secretive@lacewing.test&password=${secrets[1]}`)).body
    const all = (await world.ada.get('/rest/audit?limit=1000')).text
    assert.ok(all.includes('secretive@lacewing.test') && all.includes('A named key'))
    for (const secret of [...secrets, key.api_key, token, PASSWORD, cast.ada.apiKey, 'argon2'])
      assert.ok(!all.includes(secret), secret)
  })
})
