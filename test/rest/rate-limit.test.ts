import assert from 'node:assert/strict'
import { it } from 'node:test'
import { passwordWork } from '../../src/platform/secrets/passwords.ts'
import { calls } from '../../src/routes.ts'
import { cast, PASSWORD } from '../support/cast.ts'
import { newBug } from '../support/file-bug.ts'
import { describeOnSqlite, type Reply } from '../support/world.ts'

describeOnSqlite('the rate limit', (world) => {
  // Requests from this machine are not limited; a configured proxy makes them count as remote ones.
  let last = 0
  const newAddress = () => `203.0.113.${++last}`
  const ask = (from: string, headers: Record<string, string> = {}, path = '/rest/parameters') =>
    world.nobody.get(path, { 'X-Forwarded-For': from, ...headers })
  const limited = <Result>(limits: Record<string, unknown>, work: () => Promise<Result>) =>
    world.withParameters({ inbound_proxies: '127.0.0.1', ...limits }, work)

  function assertTooMany({ status, body, headers, text }: Reply) {
    assert.deepEqual([status, body.code], [429, 32000], text)
    const seconds = Number(headers.get('retry-after'))
    assert.ok(Number.isInteger(seconds) && seconds >= 1 && seconds <= 60)
    assert.ok(body.message.includes(`${seconds} seconds`))
  }

  it('returns 429 with Retry-After to an anonymous caller who asks too often, and not to others', async () => {
    await limited({ rate_limit_anonymous: 3 }, async () => {
      const from = newAddress()
      for (let count = 0; count < 3; count++) assert.equal((await ask(from)).status, 200)
      assertTooMany(await ask(from))
      assert.equal((await ask(newAddress())).status, 200)
      assert.equal((await ask(from, { 'X-TRACKER-API-KEY': cast.rhea.apiKey })).status, 200)
      assert.equal((await world.nobody.get('/rest/version')).status, 200)
    })
  })

  it('is not escaped by naming more addresses than the proxy did', async () => {
    await limited({ rate_limit_anonymous: 2 }, async () => {
      const from = newAddress()
      for (let count = 0; count < 2; count++) assert.equal((await ask(`1.1.1.${count}, ${from}`)).status, 200)
      assertTooMany(await ask(`1.1.1.9, ${from}`))
    })
  })

  it('counts wrong credentials as requests of an anonymous caller', async () => {
    await limited({ rate_limit_anonymous: 3 }, async () => {
      const from = newAddress()
      for (let count = 0; count < 3; count++)
        assert.equal((await ask(from, { 'X-TRACKER-API-KEY': `wrong${count}` })).body.code, 306)
      assertTooMany(await ask(from, { 'X-TRACKER-API-KEY': 'wrong' }))
      assertTooMany(await ask(from, { 'X-TRACKER-TOKEN': 'wrong' }))
      assertTooMany(await ask(from))
    })
  })

  it('keeps anonymous callers from making work with passwords, but lets in who has shown the right one', async () => {
    await limited({ rate_limit_anonymous: 2 }, async () => {
      const from = newAddress()
      const password = { 'X-TRACKER-LOGIN': cast.rhea.login, 'X-TRACKER-PASSWORD': PASSWORD }
      assert.equal((await ask(from, password)).status, 200)
      for (let count = 0; count < 2; count++) assert.equal((await ask(from)).status, 200)
      const before = passwordWork.derivations
      for (let count = 0; count < 3; count++)
        assertTooMany(await ask(from, { ...password, 'X-TRACKER-LOGIN': `unknown${count}@lacewing.test` }))
      assert.equal(passwordWork.derivations, before)
      assert.equal((await ask(from, password)).status, 200)
    })
  })

  it('is off for those who are signed in, until it is switched on', async () => {
    const { client } = await world.newUser()
    for (let count = 0; count < 30; count++) assert.equal((await client.get('/rest/parameters')).status, 200)
    await limited({ rate_limit_signed_in: 1000 }, async () => {
      for (let count = 0; count < 30; count++) assert.equal((await client.get('/rest/parameters')).status, 200)
    })
    const other = await world.newUser()
    await world.withParameters({ rate_limit_signed_in: 500 }, async () => {
      const replies = await Promise.all(Array.from({ length: 501 }, () => other.client.get('/rest/parameters')))
      assert.equal(replies.filter(({ status }) => status === 200).length, 500)
      assertTooMany(replies.find(({ status }) => status !== 200) as Reply)
    })
  })

  it('is shown with what is left of it, also in errors, and to pages of other sites', async () => {
    await limited({ rate_limit_anonymous: 3, rate_limit_signed_in: 500 }, async () => {
      const from = newAddress()
      const left = async (path: string) => {
        const { headers } = await ask(from, {}, path)
        assert.equal(headers.get('ratelimit-policy'), '"address";q=3;w=60')
        assert.match(headers.get('access-control-expose-headers') ?? '', /RateLimit, RateLimit-Policy, WWW-Auth/)
        return /^"address";r=(\d);t=\d+$/.exec(headers.get('ratelimit') ?? '')?.[1]
      }
      assert.equal(await left('/rest/version'), '2')
      assert.equal(await left('/rest/bug/999999999'), '1')
      assert.equal(await left('/rest/version'), '0')
      assert.equal(await left('/rest/version'), '0')
      const { client } = await world.newUser()
      assert.match((await client.get('/rest/parameters')).headers.get('ratelimit') ?? '', /^"account";r=499;t=/)
      const refused = await world.nobody.post('/rest/bug', {})
      assert.equal(refused.headers.get('www-authenticate'), 'Bearer realm="Lacewing"')
      assert.match(refused.body.message, /X-TRACKER-API-KEY/)
    })
    assert.equal((await world.nobody.get('/rest/version')).headers.get('ratelimit'), null)
  })

  it('refuses a write before it happens', async () => {
    await limited({ rate_limit_anonymous: 1 }, async () => {
      const from = newAddress()
      await ask(from)
      const reply = await world.nobody.post('/rest/keyword', { name: 'x' }, { 'X-Forwarded-For': from })
      assertTooMany(reply)
    })
  })

  it('is returned in the requested format', async () => {
    await limited({ rate_limit_anonymous: 1 }, async () => {
      const from = newAddress()
      await ask(from)
      const page = await ask(from, { Accept: 'text/html' })
      assert.equal(page.status, 429)
      assert.match(page.headers.get('content-type') ?? '', /^text\/html/)
      assert.ok(page.headers.get('retry-after'))
      assert.match((await ask(from, {}, '/rest/version?callback=f')).text, /^\/\*\*\/f\(\{"error":true/)
    })
  })

  it('counts searches of anonymous callers apart, so that bugs stay readable', async () => {
    const { body: filed } = await world.ada.post('/rest/bug', newBug())
    await limited({ rate_limit_anonymous: 4, rate_limit_anonymous_searches: 2 }, async () => {
      const from = newAddress()
      assert.equal((await ask(from, {}, '/rest/bug?quicksearch=x')).status, 200)
      const { headers } = await ask(from, {}, '/rest/report?x_axis_field=status')
      assert.deepEqual(
        [headers.get('ratelimit-policy'), headers.get('ratelimit')?.slice(0, 14)],
        ['"searches";q=2;w=60', '"searches";r=0'],
      )
      assertTooMany(await ask(from, {}, '/rest/bug?quicksearch=x'))
      assertTooMany(await ask(from, {}, `/rest/bug/${filed.id}/graph`))
      assert.equal((await ask(from, {}, `/bugs?quicksearch=x`)).status, 429)
      assert.equal((await ask(from, {}, `/rest/bug/${filed.id}`)).status, 200)
      const key = { 'X-TRACKER-API-KEY': cast.rhea.apiKey }
      assert.equal((await ask(from, key, '/rest/bug?quicksearch=x')).status, 200)
    })
  })

  it('counts every call that takes the parameters of a search as one', () => {
    const searching = calls.filter(({ method, unknownParams }) => method === 'GET' && unknownParams === 'kept')
    assert.ok(searching.length > 4)
    assert.deepEqual(
      searching.filter(({ isSearch }) => !isSearch).map(({ path }) => path),
      [],
    )
  })

  it('is 600 a minute for anonymous callers on a fresh installation, and 120 for searches', async () => {
    const names = ['rate_limit_anonymous', 'rate_limit_anonymous_searches', 'rate_limit_signed_in']
    const { body } = await world.ada.get(`/rest/parameters?include_fields=${names}`)
    assert.deepEqual(Object.values(body.parameters), ['600', '120', '0'])
  })
})
