import assert from 'node:assert/strict'
import { it } from 'node:test'
import { cast } from '../support/cast.ts'
import { inOneWorld } from '../support/one-world.ts'
import { assertRefused } from '../support/refusal.ts'
import { itOnce, itOnOneEngine } from '../support/world.ts'

const describeTogether = inOneWorld()

const URL_HERE = 'https://hooks.example.com/here'
const EVERYTHING = [
  'bug.create',
  'bug.update',
  'bug.delete',
  'comment.create',
  'comment.update',
  'attachment.create',
  'attachment.update',
]
const secretOf = (byte: number, length = 32) => `whsec_${Buffer.alloc(length, byte).toString('base64')}`

describeTogether.onOneEngine('POST /rest/webhook', (world) => {
  it('creates a webhook for everything, and shows its secret once', async () => {
    const { client, login } = await world.newUser()
    const { status, body, text } = await client.post('/rest/webhook', { url: URL_HERE })
    assert.equal(status, 201)
    const { id, secret, creation_time, ...rest } = body
    assert.match(secret, /^whsec_[A-Za-z0-9+/]{43}=$/)
    assert.ok(Math.abs(Date.parse(creation_time) - Date.now()) < 10_000)
    assert.deepEqual(rest, {
      owner: login,
      url: URL_HERE,
      events: EVERYTHING,
      product: null,
      component: null,
      is_active: true,
      state: 'active',
      failing_since: null,
      last_fault: null,
      last_delivery_time: null,
      waiting: 0,
      next_try_time: null,
      expires_at: null,
    })
    assert.ok(text.includes(secret))
    for (const path of ['/rest/webhook', `/rest/webhook/${id}`] as const) {
      const read = await client.get(path)
      const { secret: _, ...shown } = body
      assert.deepEqual(read.body.webhooks, [shown])
    }
  })

  it('takes a secret of the owner’s, some events, a product and a component', async () => {
    const { client } = await world.newUser()
    const { body } = await client.post('/rest/webhook', {
      url: 'http://hooks.example.com:8080/a?b=c',
      secret: secretOf(1, 24),
      events: ['comment.create', 'bug.create', 'comment.create'],
      product: 'testproduct',
      component: 'TESTCOMPONENT',
      is_active: false,
    })
    assert.equal(body.secret, secretOf(1, 24))
    assert.deepEqual(
      [body.events, body.product, body.component, body.state],
      [['bug.create', 'comment.create'], 'TestProduct', 'TestComponent', 'off'],
    )
  })

  for (const url of [
    'ftp://example.com/',
    'file:///etc/passwd',
    'javascript:alert(1)',
    'example.com',
    'https://',
    'https://user:swordfish@example.com/',
    'https://user@example.com/',
    'https://example.com/#part',
    'https://exa mple.com/',
    'https://example.com/\nX: y',
    `https://example.com/${'a'.repeat(2000)}`,
  ])
    itOnce(world, `refuses the address ${JSON.stringify(url.slice(0, 50))}`, async () => {
      const reply = await world.stan.post('/rest/webhook', { url })
      assertRefused(reply, 400, 53)
      assert.ok(!reply.text.includes('swordfish'))
    })

  it('refuses a missing address, unknown events, and secrets of another form', async () => {
    assertRefused(await world.stan.post('/rest/webhook'), 400, 50)
    assertRefused(await world.stan.post('/rest/webhook', { url: URL_HERE, events: ['bug.destroy'] }), 400, 53)
    assertRefused(await world.stan.post('/rest/webhook', { url: URL_HERE, events: [] }), 400, 53)
    const reply = await world.stan.post('/rest/webhook', { url: URL_HERE, secret: 'swordfish' })
    assertRefused(reply, 400, 53)
    assert.ok(!reply.text.includes('swordfish'))
  })

  it('refuses products that the caller may not see like products that do not exist', async () => {
    const { name: group } = await world.newGroup()
    const product = world.unique('Hidden')
    await world.ada.post('/rest/product', { name: product, description: 'd', version: '1', is_open: true })
    await world.ada.put(`/rest/product/${product}/group_control/${group}`, {
      membercontrol: 'Mandatory',
      othercontrol: 'Mandatory',
      entry: true,
    })
    for (const name of [product, 'No such product'])
      assertRefused(await world.stan.post('/rest/webhook', { url: URL_HERE, product: name }), 401, 106)
    assertRefused(await world.stan.post('/rest/webhook', { url: URL_HERE, component: 'TestComponent' }), 400, 50)
    const unknown = { url: URL_HERE, product: 'TestProduct', component: 'None' }
    assertRefused(await world.stan.post('/rest/webhook', unknown), 400, 105)
  })

  it('is for those who are logged in, and for the group that webhookgroup names', async () => {
    assertRefused(await world.nobody.post('/rest/webhook', { url: URL_HERE }), 401, 410)
    await world.withParameters({ webhookgroup: 'editbugs' }, async () => {
      assertRefused(await world.stan.post('/rest/webhook', { url: URL_HERE }), 401, 304)
      assert.equal((await world.edna.post('/rest/webhook', { url: URL_HERE })).status, 201)
    })
  })

  it('makes hooks that read no more and no longer than the key in use', async () => {
    const { id, client } = await world.newUser()
    const keyWith = async (wanted: object) => {
      const { body } = await client.post(`/rest/user/${id}/api_key`, wanted)
      return world.as({ 'X-TRACKER-API-KEY': body.api_key })
    }
    const blind = await keyWith({ scopes: ['write'] })
    assertRefused(await blind.post('/rest/webhook', { url: URL_HERE }), 401, 304)
    const ending = await keyWith({ expires_at: '2100-01-01T00:00:00Z' })
    const { body } = await ending.post('/rest/webhook', { url: URL_HERE })
    assert.equal(body.expires_at, '2100-01-01T00:00:00Z')
    const lasting = await client.post('/rest/webhook', { url: URL_HERE })
    assertRefused(await ending.put(`/rest/webhook/${lasting.body.id}`, { url: `${URL_HERE}/else` }), 401, 304)
    assert.equal((await ending.put(`/rest/webhook/${body.id}`, { url: `${URL_HERE}/else` })).status, 200)
    assert.equal((await client.put(`/rest/webhook/${body.id}`, { url: URL_HERE })).status, 200)
  })

  it('lets no user have more than fifty', async () => {
    const { client } = await world.newUser()
    for (let count = 0; count < 50; count++)
      assert.equal((await client.post('/rest/webhook', { url: URL_HERE })).status, 201)
    assertRefused(await client.post('/rest/webhook', { url: URL_HERE }), 400, 32000)
  })
})

describeTogether.onOneEngine('GET /rest/webhook', (world) => {
  it('returns only the caller’s own, and all of them to members of admin', async () => {
    const owner = await world.newUser()
    const { body } = await owner.client.post('/rest/webhook', { url: URL_HERE })
    assert.deepEqual((await world.stan.get('/rest/webhook')).body, { webhooks: [], may_create: true })
    for (const path of [
      `/rest/webhook/${body.id}`,
      '/rest/webhook/4711',
      '/rest/webhook/x',
      `/rest/webhook/${body.id}/delivery`,
    ])
      assertRefused(await world.stan.get(path), 404, 51)
    assertRefused(await world.stan.get(`/rest/webhook?user=${owner.login}`), 401, 304)
    assertRefused(await world.nobody.get('/rest/webhook'), 401, 410)
    assertRefused(await world.nobody.get(`/rest/webhook/${body.id}`), 401, 410)
    const all = await world.ada.get(`/rest/webhook?user=${owner.login}`)
    assert.deepEqual(
      all.body.webhooks.map((hook) => hook.id),
      [body.id],
    )
    assert.ok(!all.text.includes(body.secret))
    assertRefused(await world.ada.get('/rest/webhook?user=noone@lacewing.test'), 404, 51)
  })

  it('returns the requested fields', async () => {
    const { client } = await world.newUser()
    await client.post('/rest/webhook', { url: URL_HERE })
    const { body } = await client.get('/rest/webhook?include_fields=url,state')
    assert.deepEqual(body.webhooks, [{ url: URL_HERE, state: 'active' }])
  })
})

describeTogether('PUT /rest/webhook/(id)', (world) => {
  itOnOneEngine(world, 'changes what is named, and returns it', async () => {
    const { client } = await world.newUser()
    const { body } = await client.post('/rest/webhook', {
      url: URL_HERE,
      product: 'TestProduct',
      component: 'TestComponent',
    })
    const changed = await client.put(`/rest/webhook/${body.id}`, {
      url: 'https://elsewhere.example.com',
      events: ['bug.update'],
      component: '',
      is_active: false,
    })
    assert.deepEqual(changed.body.webhooks, [
      {
        id: body.id,
        changes: {
          url: { removed: URL_HERE, added: 'https://elsewhere.example.com/' },
          events: { removed: EVERYTHING.join(', '), added: 'bug.update' },
          component: { removed: 'TestComponent', added: '' },
          is_active: { removed: '1', added: '0' },
        },
      },
    ])
    const [hook] = (await client.get(`/rest/webhook/${body.id}`)).body.webhooks
    assert.deepEqual(
      [hook.url, hook.product, hook.component, hook.state],
      ['https://elsewhere.example.com/', 'TestProduct', null, 'off'],
    )
    assert.deepEqual((await client.put(`/rest/webhook/${body.id}`, { product: '' })).body.webhooks[0].changes, {
      product: { removed: 'TestProduct', added: '' },
    })
    assert.deepEqual((await client.put(`/rest/webhook/${body.id}`, {})).body.webhooks[0].changes, {})
  })

  itOnOneEngine(world, 'replaces the secret, and shows only a generated one', async () => {
    const { client } = await world.newUser()
    const { body } = await client.post('/rest/webhook', { url: URL_HERE })
    const own = await client.put(`/rest/webhook/${body.id}`, { secret: secretOf(9) })
    assert.deepEqual(own.body.webhooks[0].changes.secret, { removed: '********', added: '********' })
    assert.ok(!own.text.includes(secretOf(9)))
    const made = await client.put(`/rest/webhook/${body.id}`, { new_secret: true })
    assert.match(made.body.webhooks[0].secret, /^whsec_/)
    assert.notEqual(made.body.webhooks[0].secret, body.secret)
    assertRefused(await client.put(`/rest/webhook/${body.id}`, { secret: 'short' }), 400, 53)
  })

  itOnOneEngine(world, 'refuses others, unknown parameters and bad values, and changes nothing then', async () => {
    const { client } = await world.newUser()
    const { body } = await client.post('/rest/webhook', { url: URL_HERE })
    const path = `/rest/webhook/${body.id}` as const
    assertRefused(await world.stan.put(path, { is_active: false }), 404, 51)
    assertRefused(await world.nobody.put(path, { is_active: false }), 401, 410)
    assertRefused(await client.put(path, { adress: 'x' }), 400, 32601)
    assertRefused(await client.put(path, { url: 'ftp://x/', is_active: false }), 400, 53)
    const [hook] = (await client.get(path)).body.webhooks
    assert.deepEqual([hook.url, hook.is_active], [URL_HERE, true])
  })

  it('lets members of admin do it for others, and writes that down without the secret', async () => {
    const { client } = await world.newUser()
    const { body } = await client.post('/rest/webhook', { url: URL_HERE })
    const path = `/rest/webhook/${body.id}` as const
    assert.equal((await world.ada.put(path, { is_active: false, secret: secretOf(3) })).status, 200)
    assert.equal((await client.put(path, { is_active: true })).status, 200)
    const url = `${URL_HERE}?key=geheim42`
    assert.equal((await world.ada.put(path, { url })).status, 200)
    assert.deepEqual((await world.ada.delete(path)).body, { id: body.id, name: url })
    const { body: log, text } = await world.ada.get(`/rest/audit?class=Tracker::Webhook&id=${body.id}`)
    const returned = log.audit.map(({ who, field, removed, added }) => [who, field, removed, added])
    assert.ok(
      returned.some((it) => it.join() === [cast.ada.login, 'is_active', '1', '0'].join()),
      text,
    )
    assert.equal(returned.length, 4)
    assert.ok(!text.includes(secretOf(3)) && !text.includes('geheim42'), text)
    assert.ok(
      returned.some((it) => it.join() === [cast.ada.login, 'url', URL_HERE, `${URL_HERE}?…`].join()),
      text,
    )
  })
})

describeTogether('GET /rest/admin/webhooks', (world) => {
  it('lists the webhooks of everybody for members of admin, without the secrets in their addresses', async () => {
    const { client, login } = await world.newUser()
    const secret = 'aB3dE5gH7jK9mN1pQ4rT'
    const url = `https://hooks.test/services/T1/${secret}?token=${secret}`
    const { body } = await client.post('/rest/webhook', { url })
    const off = (await client.post('/rest/webhook', { url: URL_HERE, is_active: false })).body
    const list = async (query: string) => (await world.ada.get(`/rest/admin/webhooks?${query}`)).body.webhooks
    const mine = new URLSearchParams({ text: login.toUpperCase() }).toString()
    const shown = await list(mine)
    assert.deepEqual(
      shown.map(({ id, owner, url, state }) => [id, owner, url, state]),
      [
        [body.id, login, 'https://hooks.test/services/T1/…?…', 'active'],
        [off.id, login, URL_HERE, 'off'],
      ],
    )
    assert.doesNotMatch(JSON.stringify(await list('')), /aB3dE5|whsec_/)
    const idsOf = async (query: string) => (await list(`${mine}&${query}`)).map(({ id }) => id)
    assert.deepEqual(await idsOf('is_active=0'), [off.id])
    assert.deepEqual(await idsOf('is_failing=1'), [])
    await world.db.query((q) =>
      q.updateTable('webhooks').set({ failing_since: body.creation_time }).where('id', '=', body.id),
    )
    assert.deepEqual(await idsOf('is_failing=1&is_active=1'), [body.id])
    assert.deepEqual(await idsOf(`limit=1`), [body.id])
    assert.deepEqual(await idsOf(`limit=1&after=${body.id}`), [off.id])
    assert.deepEqual(
      (await list('text=HOOKS.test/services')).map(({ id }) => id),
      [],
    )
    assert.ok((await list('text=hooks.test/services')).some(({ id }) => id === body.id))
    // What is hidden is not found either, and does not end a page.
    for (const hidden of [secret, `T1/${secret}`, 'token=', '?token'])
      assert.deepEqual(await list(new URLSearchParams({ text: hidden }).toString()), [], hidden)
    const last = (await client.post('/rest/webhook', { url: `${URL_HERE}aB3d` })).body
    const [found, ...more] = await list('text=aB3d&limit=1')
    assert.deepEqual([found?.id, more], [last.id, []])
    assertRefused(await world.ada.get('/rest/admin/webhooks?limit=201'), 400, 53)
    assertRefused(await client.get('/rest/admin/webhooks'), 401, 304)
    assertRefused(await world.nobody.get('/rest/admin/webhooks'), 401, 410)
  })
})

describeTogether.onOneEngine('DELETE /rest/webhook/(id)', (world) => {
  it('deletes the hook, once, for its owner only', async () => {
    const { client } = await world.newUser()
    const { body } = await client.post('/rest/webhook', { url: URL_HERE })
    const path = `/rest/webhook/${body.id}` as const
    assertRefused(await world.stan.delete(path), 404, 51)
    assertRefused(await world.nobody.delete(path), 401, 410)
    assert.deepEqual((await client.delete(path)).body, { id: body.id, name: URL_HERE })
    assertRefused(await client.delete(path), 404, 51)
    assertRefused(await client.get(path), 404, 51)
  })
})

describeTogether.onOneEngine('the state of a webhook', (world) => {
  it('shows that the account of its owner is disabled', async () => {
    const owner = await world.newUser()
    const { body } = await owner.client.post('/rest/webhook', { url: URL_HERE })
    await world.ada.put(`/rest/user/${owner.id}`, { login_denied_text: 'Gone fishing' })
    const [hook] = (await world.ada.get(`/rest/webhook/${body.id}`)).body.webhooks
    assert.equal(hook.state, 'owner_disabled')
  })

  it('reports that its product is deleted, instead of sending all events', async () => {
    const { client } = await world.newUser()
    const product = world.unique('Short-lived')
    await world.ada.post('/rest/product', { name: product, description: 'd', version: '1', is_open: true })
    await world.ada.post('/rest/component', {
      product,
      name: 'c',
      description: 'd',
      default_assignee: cast.ada.login,
    })
    const { body } = await client.post('/rest/webhook', { url: URL_HERE, product })
    assert.equal(body.state, 'active')
    assert.equal((await world.ada.delete(`/rest/product/${product}`)).status, 200)
    const [hook] = (await client.get(`/rest/webhook/${body.id}`)).body.webhooks
    assert.deepEqual([hook.state, hook.product], ['filter_gone', null])
  })
})
