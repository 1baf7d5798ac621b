import assert from 'node:assert/strict'
import { it } from 'node:test'
import { changedMeanwhile } from '../support/interleave.ts'
import { assertRefused } from '../support/refusal.ts'
import { type Client, describeOnEachEngine } from '../support/world.ts'

const ALL = ['read', 'write', 'admin']
const SOON = '2098-01-01T00:00:00Z'
const HOOK = { url: 'http://127.0.0.1:9/', is_active: false }

describeOnEachEngine('What was made or widened with an API key', (world) => {
  /** A user with a client for the key of their account, and the means to make others with any client. */
  async function newOwner() {
    const owner = await world.newUser()
    await world.ada.put(`/rest/user/${owner.id}`, { groups: { add: ['bz_canusewhines'] } })
    const keys = `/rest/user/${owner.id}/api_key` as const
    const newKey = async (maker: Client, limits: object = {}) => {
      const { body } = await maker.post(keys, { description: 'made', ...limits })
      return { path: `${keys}/${body.id}` as const, client: world.as({ 'X-TRACKER-API-KEY': body.api_key }) }
    }
    return { owner, newKey }
  }

  const changed = async (reply: Promise<{ status: number; text: string }>) => {
    const { status, text } = await reply
    assert.equal(status, 200, text)
  }
  const isLive = async (client: Client) => (await client.get('/rest/whoami')).status === 200

  it('ends with the key that has widened it', async () => {
    const { owner, newKey } = await newOwner()
    for (const wider of [{ scopes: ALL }, { expires_at: '2099-01-01' }]) {
      const other = await newKey(world.ada)
      const reader = await newKey(owner.client, { scopes: ['read'], expires_at: SOON })
      // The key that has made it is neither the other one nor one that the other ends with.
      assertRefused(await other.client.put(reader.path, wider), 401, 304)
      const thief = await newKey(owner.client)
      await changed(thief.client.put(reader.path, { description: 'only described' }))
      await changed(thief.client.put(reader.path, wider))
      await changed(owner.client.delete(thief.path))
      assert.equal(await isLive(reader.client), false)
    }
  })

  it('does not escape from the key that made it by keys that widen each other', async () => {
    const { owner, newKey } = await newOwner()
    const thief = await newKey(owner.client)
    const first = await newKey(thief.client)
    const second = await newKey(first.client)
    await second.client.put(first.path, { scopes: ['read'] })
    await second.client.put(first.path, { scopes: ALL })
    await changed(owner.client.delete(thief.path))
    assert.deepEqual([await isLive(first.client), await isLive(second.client)], [false, false])
  })

  it('ends with every key that the one ends with that has widened it', async () => {
    const { owner, newKey } = await newOwner()
    const limits = { scopes: ['read', 'admin'] }
    const first = await newKey(owner.client)
    let last = first
    for (let times = 0; times < 4; times++) last = await newKey(last.client, limits)
    const narrow = await newKey(owner.client, { scopes: ['read'] })
    assertRefused(await last.client.put(narrow.path, { scopes: ALL }), 401, 304)
    await changed(last.client.put(narrow.path, limits))
    await changed(owner.client.delete(first.path))
    assert.deepEqual([await isLive(last.client), await isLive(narrow.client)], [false, false])
  })

  it('is not widened by a key that is revoked in the meantime', async () => {
    const { owner, newKey } = await newOwner()
    const [thief, reader] = [await newKey(owner.client), await newKey(owner.client, { scopes: ['read'] })]
    const widen = () => thief.client.put(reader.path, { scopes: ALL })
    const revoke = () => changed(owner.client.delete(thief.path))
    assertRefused(await changedMeanwhile(world, widen, revoke, 'accounts'), 400, 306)
    assert.deepEqual((await reader.client.get('/rest/whoami')).body.scopes, ['read'])
  })

  it('keeps to the limits that the key gets later', async () => {
    const { owner, newKey } = await newOwner()
    const search = await owner.client.post('/rest/saved_search', { name: 'mine', query: 'x=y' })
    const searches = [{ search: String(search.body.id) }]
    const mail = { subject: 'Weekly', searches, schedules: [{ day: 'Mon', time: '8' }] }
    const left = async () => {
      const { body } = await owner.client.get(`/rest/user/${owner.id}/credential`)
      return body.credentials.map(({ kind }) => kind).filter((kind: string) => kind !== 'account_link')
    }
    const first = await newKey(owner.client)
    const second = await newKey(first.client)
    const third = await newKey(second.client)
    const { body: hook } = await third.client.post('/rest/webhook', HOOK)
    await third.client.post('/rest/scheduled_mail', mail)
    assert.deepEqual(await left(), ['api_key', 'api_key', 'api_key', 'api_key', 'webhook', 'scheduled_mail'])

    await changed(owner.client.put(first.path, { expires_at: SOON }))
    const { body } = await owner.client.get(`/rest/user/${owner.id}/api_key`)
    assert.deepEqual(
      body.api_keys.slice(-3).map(({ expires_at }) => expires_at),
      [SOON, SOON, SOON],
    )
    assert.equal((await owner.client.get(`/rest/webhook/${hook.id}`)).body.webhooks[0].expires_at, SOON)
    assert.deepEqual(await left(), ['api_key', 'api_key', 'api_key', 'api_key', 'webhook'])
    assertRefused(await third.client.post('/rest/scheduled_mail', mail), 401, 304)

    await changed(owner.client.put(first.path, { scopes: ['read', 'admin'] }))
    assert.deepEqual(await left(), ['api_key', 'api_key'])
    assert.equal(await isLive(third.client), false)
  })

  it('ends with everything else, except the key in use', async () => {
    const { owner, newKey } = await newOwner()
    const first = await newKey(owner.client)
    const used = await newKey(first.client)
    const { body } = await used.client.delete(`/rest/user/${owner.id}/credential`)
    assert.deepEqual(body.ended, { api_key: 2 })
    assert.deepEqual([await isLive(first.client), await isLive(used.client)], [false, true])
  })

  it('is not listed for editors of users who are weaker', async () => {
    const editor = await world.newUser()
    await world.ada.put(`/rest/user/${editor.id}`, { groups: { add: ['editusers'] } })
    assertRefused(await editor.client.get('/rest/user/ada@lacewing.test/credential'), 401, 304)
    const weaker = await world.newUser()
    assert.equal((await editor.client.get(`/rest/user/${weaker.id}/credential`)).status, 200)
  })
})
