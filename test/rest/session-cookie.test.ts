import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { FamiliarNetworks } from '../../src/access/authentication/familiar-networks.ts'
import { sessionCookieFor } from '../../src/access/authentication/session-cookie.ts'
import { passwordWork, withPasswordTurn } from '../../src/platform/secrets/passwords.ts'
import { calls } from '../../src/routes.ts'
import { attach } from '../support/attach.ts'
import { cast, PASSWORD } from '../support/cast.ts'
import { fileBug } from '../support/file-bug.ts'
import { newHiddenProduct } from '../support/new-product.ts'
import { describeOnEachEngine, describeOnSqlite, itOnOneEngine, type World } from '../support/world.ts'

const OWN_PAGE = { 'Sec-Fetch-Site': 'same-origin' }

async function cookieOf(world: World, more: Record<string, unknown> = {}) {
  const login = { login: cast.edna.login, password: PASSWORD, ...more }
  const { status, headers } = await world.nobody.post('/rest/session', login, OWN_PAGE)
  assert.equal(status, 201)
  return headers.get('set-cookie') ?? ''
}

describeOnSqlite('the cookie of the pages', (world) => {
  it('says who asks, for requests of the pages', async () => {
    const Cookie = (await cookieOf(world)).split(';')[0] as string
    const { body } = await world.nobody.get('/rest/whoami', { ...OWN_PAGE, Cookie })
    assert.equal(body.name, cast.edna.login)
  })

  it('ends with the session', async () => {
    const Cookie = (await cookieOf(world)).split(';')[0] as string
    const { status, headers } = await world.nobody.delete('/rest/session', { ...OWN_PAGE, Cookie })
    assert.equal(status, 200)
    assert.match(headers.get('set-cookie') ?? '', /Max-Age=0/)
    const { body } = await world.nobody.get('/rest/whoami', { ...OWN_PAGE, Cookie })
    assert.equal(body.code, 307)
    assert.equal((await world.nobody.delete('/rest/session', { ...OWN_PAGE, Cookie })).status, 200)
  })

  it('is not used by a GET that changes something, which any link in a comment can make', async () => {
    const Cookie = (await cookieOf(world)).split(';')[0] as string
    const changing = calls.filter(({ method, ignoresCookie }) => method === 'GET' && ignoresCookie)
    assert.deepEqual(changing.map(({ path }) => path).sort(), ['/logout', '/user/:user/mail_address'])
    await world.nobody.get('/rest/logout', { ...OWN_PAGE, Cookie })
    assert.equal((await world.nobody.get('/rest/whoami', { ...OWN_PAGE, Cookie })).body.name, cast.edna.login)
    const address = `/rest/user/${encodeURIComponent(cast.edna.login)}/mail_address` as const
    assert.equal((await world.nobody.get(address, { ...OWN_PAGE, Cookie })).body.code, 410)
    const token = Cookie.split('=')[1] as string
    await world.nobody.get('/rest/logout', { ...OWN_PAGE, Cookie, 'X-Bugzilla-Token': token })
    assert.equal((await world.nobody.get('/rest/whoami', { ...OWN_PAGE, Cookie })).body.code, 307)
  })

  it('is replaced by the next login of the browser, which ends the session before', async () => {
    const [first, other] = [
      (await cookieOf(world)).split(';')[0] as string,
      (await cookieOf(world)).split(';')[0] as string,
    ]
    const codeWith = async (Cookie: string) =>
      (await world.nobody.get('/rest/whoami', { ...OWN_PAGE, Cookie })).body.code
    const login = { login: cast.stan.login, password: 'wrong' }
    await world.nobody.post('/rest/session', login, { ...OWN_PAGE, Cookie: first })
    assert.equal(await codeWith(first), undefined)
    const next = await world.nobody.post(
      '/rest/session',
      { ...login, password: PASSWORD },
      { ...OWN_PAGE, Cookie: first },
    )
    assert.equal(next.status, 201)
    assert.deepEqual([await codeWith(first), await codeWith(other)], [307, undefined])
  })
})

describeOnSqlite('a response to the cookie of the pages', (world) => {
  const ADDRESSES: Record<string, Record<string, string>> = {
    '/rest/whoami': {},
    '/rest/bug': {},
    '/rest/bug?ctype=csv': {},
    '/rest/bug/999999': {},
    '/rest/field/bug': { Accept: 'text/html' },
    '/rest/event': { Accept: 'text/event-stream' },
    '/rest/whoami?callback=it': {},
  }
  const isForPagesOnly = (headers: Headers) =>
    headers.get('cache-control') === 'no-store' &&
    headers.get('cross-origin-resource-policy') === 'same-origin' &&
    headers.get('access-control-allow-origin') === null &&
    headers.get('access-control-expose-headers') === null

  for (const [address, more] of Object.entries(ADDRESSES)) {
    it(`is stored by no cache and read by no other origin: ${address}`, async () => {
      const Cookie = (await cookieOf(world)).split(';')[0] as string
      const heads = async (headers: Record<string, string>) => {
        const abort = new AbortController()
        const { headers: got } = await fetch(world.url + address, { headers, signal: abort.signal })
        abort.abort()
        return got
      }
      const own = await heads({ ...more, ...OWN_PAGE, Cookie })
      assert.ok(isForPagesOnly(own), JSON.stringify([...own]))
      for (const name of [
        'Cookie',
        'Sec-Fetch-Site',
        'Origin',
        'X-Lacewing-Page',
        'X-Bugzilla-API-Key',
        'Accept-Encoding',
      ])
        assert.ok(own.get('vary')?.split(', ').includes(name), name)
      const other = await heads({ ...more, Cookie, 'Sec-Fetch-Site': 'same-site' })
      assert.equal(other.get('access-control-allow-origin'), '*')
      assert.equal(other.get('vary'), own.get('vary'))
    })
  }

  it('is also for the pages only if nothing has changed, or if the session has ended', async () => {
    const Cookie = (await cookieOf(world)).split(';')[0] as string
    const { headers } = await world.nobody.get('/rest/whoami', { ...OWN_PAGE, Cookie })
    const same = await world.nobody.get('/rest/whoami', {
      ...OWN_PAGE,
      Cookie,
      'If-None-Match': headers.get('etag') ?? '',
    })
    assert.equal(same.status, 304)
    assert.ok(isForPagesOnly(same.headers))
    const ended = await world.nobody.delete('/rest/session', { ...OWN_PAGE, Cookie })
    assert.ok(isForPagesOnly(ended.headers))
    const refused = await world.nobody.get('/rest/whoami', { ...OWN_PAGE, Cookie })
    assert.equal(refused.body.code, 307)
    assert.ok(isForPagesOnly(refused.headers))
  })

  it('is not needed for the figures of the server, which this machine reads without credentials', async () => {
    const { headers } = await world.nobody.get('/metrics')
    assert.ok(isForPagesOnly(headers))
  })
})

describeOnEachEngine('a browser in which its user has logged in before', (world) => {
  const signIn = (login: string, password: string, Cookie?: string) => {
    const headers = Cookie === undefined ? OWN_PAGE : { ...OWN_PAGE, Cookie }
    return world.nobody.post('/rest/session', { login, password, is_kept: true }, headers)
  }
  const cookiesOf = (reply: { headers: Headers }) => reply.headers.getSetCookie().map((it) => it.split(';')[0] ?? '')

  const newUser = async () => {
    const email = `${randomUUID()}@lacewing.test`
    return (await world.newUser({ email, password: PASSWORD })).login
  }

  /** With a right password that differs in spaces each time, because one that was checked is remembered for a while. */
  it('is served first beside many wrong passwords from as many networks; then networks of earlier logins, then the newest', () =>
    world.withParameters({ inbound_proxies: '127.0.0.1', rate_limit_anonymous: 0 }, async () => {
      const answered: string[] = []
      // New users and networks: the turns that tests before have had in this process count for some seconds.
      const [edna, stan, sven, rhea] = [await newUser(), await newUser(), await newUser(), await newUser()]
      const net = world.engine === 'sqlite' ? 10 : 11
      const logIn = async (who: string, login: string, password: string, from: string, Cookie?: string) => {
        const headers = { ...OWN_PAGE, 'X-Forwarded-For': from, ...(Cookie !== undefined && { Cookie }) }
        const reply = await world.nobody.post('/rest/session', { login, password, is_kept: true }, headers)
        answered.push(`${who} ${reply.status}`)
        return reply
      }
      const [, device] = cookiesOf(await logIn('', edna, PASSWORD, `${net}.1.0.1`)) as [string, string]
      await logIn('', stan, PASSWORD, `${net}.2.0.1`)
      const gate = Promise.withResolvers<void>()
      const all: Promise<unknown>[] = [1, 2].map(() => withPasswordTurn({ keys: [], rank: 0 }, () => gate.promise))
      const wrong = (count: number, addressOf: (number: number) => string) => {
        for (let number = 0; number < count; number++)
          all.push(logIn('wrong', `${world.unique('unknown')}@lacewing.test`, 'wrong', addressOf(number)))
      }
      const wait = async (count: number) => {
        while (passwordWork.waiting < count) await sleep(1)
      }
      wrong(30, (number) => `${net}.3.${number}.1`)
      await wait(30)
      all.push(logIn('known network', sven, `${PASSWORD} `, `${net}.2.0.7`))
      all.push(logIn('known browser', edna, `${PASSWORD} `, `${net}.4.0.1`, device))
      await wait(32)
      wrong(30, (number) => `2001:db8:${net}${number + 10}::1`)
      await wait(62)
      all.push(logIn('newest', rhea, PASSWORD, `${net}.5.0.1`))
      await wait(63)
      answered.length = 0
      gate.resolve()
      await Promise.all(all)
      const first = ['known browser 201', 'known network 201', 'newest 201']
      // A session is also written to the database, so some answers to wrong passwords may overtake.
      assert.deepEqual(
        answered
          .slice(0, 20)
          .filter((it) => !it.startsWith('wrong'))
          .sort(),
        first,
      )
    }))

  it('is in a network that a new process knows, as long as a session there is open; an account has five of them', async () => {
    await world.withParameters({ inbound_proxies: '127.0.0.1' }, async () => {
      for (let number = 1; number <= 6; number++) {
        const headers = { ...OWN_PAGE, 'X-Forwarded-For': `10.6.${number}.1` }
        await world.nobody.post('/rest/session', { login: cast.stan.login, password: PASSWORD, is_kept: true }, headers)
        const at = new Date(Date.now() + number * 60_000).toISOString().replace(/\.\d+/, '')
        await world.db.query((q) =>
          q.updateTable('login_tokens').set({ last_used_at: at }).where('last_address', '=', `10.6.${number}.1`),
        )
      }
      const networks = new FamiliarNetworks(world.db)
      const known = await Promise.all([1, 2, 3, 4, 5, 6, 7].map((number) => networks.has(`10.6.${number}.0/24`)))
      assert.deepEqual(known, [false, true, true, true, true, true, false])
    })
  })

  itOnOneEngine(world, 'gets through although others in its network have locked the account', async () => {
    const [session, device] = cookiesOf(await signIn(cast.edna.login, PASSWORD)) as [string, string]
    assert.match(device, /^lacewing_\d+_device=\w{16}\.[0-9a-f]{64}$/)
    const [, ofStan] = cookiesOf(await signIn(cast.stan.login, PASSWORD)) as [string, string]
    for (let time = 0; time < 5; time++) await signIn(cast.edna.login, `wrong ${time}`)
    for (const cookie of [undefined, ofStan, session, device.replace(/\w$/, 'x'), `${device}; ${ofStan}`.slice(0, 30)])
      assert.equal((await signIn(cast.edna.login, PASSWORD, cookie)).body.code, 32000, cookie)
    assert.equal((await signIn(cast.edna.login.toUpperCase(), PASSWORD, device)).status, 201)
    const proof = { password: PASSWORD }
    assert.equal((await world.nobody.post('/rest/session/proof', proof, { ...OWN_PAGE, Cookie: session })).status, 201)
    for (let time = 0; time < 5; time++) await signIn(cast.edna.login, `guess ${time}`, device)
    assert.equal(
      (await signIn(cast.edna.login, PASSWORD, device)).body.code,
      32000,
      'it has no more guesses than others',
    )
  })
})

describeOnSqlite('the cookie of the pages in requests from elsewhere', (world) => {
  const elsewhere: Record<string, Record<string, string>> = {
    'another site': { 'Sec-Fetch-Site': 'cross-site' },
    'another port of the same host': { 'Sec-Fetch-Site': 'same-site', Origin: 'http://127.0.0.1:1' },
    'the address bar': { 'Sec-Fetch-Site': 'none' },
    'a browser that says nothing': {},
    'an old browser on another site': { Origin: 'https://evil.example' },
    'a frame without origin': { Origin: 'null' },
  }
  for (const [from, headers] of Object.entries(elsewhere)) {
    it(`is not believed from ${from}`, async () => {
      const Cookie = (await cookieOf(world)).split(';')[0] as string
      assert.equal((await world.nobody.get('/rest/whoami', { ...headers, Cookie })).body.code, 410)
      const filed = { product: 'TestProduct', component: 'TestComponent', summary: 'Forged' }
      assert.equal((await world.nobody.post('/rest/bug', filed, { ...headers, Cookie })).body.code, 410)
    })

    it(`is neither stored nor removed for ${from}`, async () => {
      const login = { login: cast.edna.login, password: PASSWORD }
      const signedIn = await world.nobody.post('/rest/session', login, headers)
      assert.equal(signedIn.body.code, 304)
      assert.equal(signedIn.headers.get('set-cookie'), null)
      assert.equal((await world.nobody.delete('/rest/session', headers)).body.code, 304)
    })
  }

  it('is believed from an old browser on our own page', async () => {
    const Cookie = (await cookieOf(world)).split(';')[0] as string
    const { body } = await world.nobody.get('/rest/whoami', { Origin: world.url, Cookie })
    assert.equal(body.name, cast.edna.login)
  })

  it('is not believed for JSONP', async () => {
    const Cookie = (await cookieOf(world)).split(';')[0] as string
    const { text } = await world.nobody.get('/rest/whoami?callback=steal', { ...OWN_PAGE, Cookie })
    assert.match(text, /410/)
  })

  it('gives way to other credentials', async () => {
    const Cookie = (await cookieOf(world)).split(';')[0] as string
    const { body } = await world.rhea.get('/rest/whoami', { ...OWN_PAGE, Cookie })
    assert.equal(body.name, cast.rhea.login)
  })

  it('is refused when the password is wrong', async () => {
    const wrong = { login: cast.edna.login, password: 'wrong' }
    const { body, headers } = await world.nobody.post('/rest/session', wrong, OWN_PAGE)
    assert.equal(body.code, 300)
    assert.equal(headers.get('set-cookie'), null)
  })

  it('is forgotten with the browser unless it is to be kept', async () => {
    assert.doesNotMatch(await cookieOf(world), /Max-Age|Expires/)
    assert.match(await cookieOf(world, { is_kept: true }), /HttpOnly; SameSite=Lax; Max-Age=\d+/)
  })

  it('is as harmless as no cookie when it is nonsense', async () => {
    const { name } = sessionCookieFor(world.url)
    for (const value of ['', 'x', `1-${'a'.repeat(10_000)}`, '1-a b', '"1-abc"']) {
      const { body } = await world.nobody.get('/rest/whoami', { ...OWN_PAGE, Cookie: `${name}=${value}` })
      assert.equal(body.code, 410)
    }
  })
})

describeOnEachEngine('the address of an attachment for a page', (world) => {
  const PAGE = { 'X-Lacewing-Page': '1' }
  const attached = async () => {
    const { name: product } = await newHiddenProduct(world)
    const bug = await fileBug(world.sven, { product, component: 'Core', version: '1.0', summary: 'Hidden' })
    return [await attach(world.sven, bug), await attach(world.sven, bug)] as [number, number]
  }
  const signIn = async (login: string) => {
    const reply = await world.nobody.post('/rest/session', { login, password: PASSWORD }, OWN_PAGE)
    return { Cookie: (reply.headers.get('set-cookie') ?? '').split(';')[0] as string }
  }

  it('is for one attachment in one session, and ends with it', async () => {
    const [id, other] = await attached()
    const sven = await signIn(cast.sven.login)
    const again = await signIn(cast.sven.login)
    const { status, body, headers } = await world.nobody.get(`/rest/bug/attachment/${id}/link`, { ...sven, ...PAGE })
    assert.equal(status, 200)
    assert.equal(headers.get('cache-control'), 'no-store')
    const { address } = body
    const statusOf = async (path: string, with_: Record<string, string>) => (await world.nobody.get(path, with_)).status
    const got = await world.nobody.get(address, sven)
    assert.equal(got.status, 200)
    assert.equal(got.headers.get('cache-control'), 'no-store')
    assert.equal(got.headers.get('access-control-allow-origin'), null)
    assert.equal(got.headers.get('referrer-policy'), 'no-referrer')
    assert.equal(await statusOf(address.replace(/\?.*/, ''), sven), 401, 'without the code')
    assert.equal(await statusOf(address, {}), 401, 'without the cookie')
    assert.equal(await statusOf(address, again), 401, 'in another session of the same user')
    assert.equal(await statusOf(address, await signIn(cast.stan.login)), 401, 'in the session of another user')
    assert.equal(await statusOf(address.replace(`/${id}/`, `/${other}/`), sven), 401, 'for another attachment')
    assert.equal(
      await statusOf(
        address.replace(/.$/, (last: string) => (last === '0' ? '1' : '0')),
        sven,
      ),
      401,
    )
    assert.equal(await statusOf(address.replace(/=\d/, '=9'), sven), 401, 'with another end')
    assert.equal(await statusOf(address.replace('link_code=', 'callback=x&link_code='), sven), 401, 'as a script')
    for (const site of ['same-site', 'cross-site'])
      assert.equal(await statusOf(address, { ...sven, 'Sec-Fetch-Site': site }), 401, site)
    await world.nobody.delete('/rest/session', { ...sven, ...PAGE })
    assert.equal((await world.nobody.get(address, sven)).body.code, 307, 'after logging out')
  })

  it('is not made for programs, anonymous callers or users who may not see the attachment, and shows nothing to one who may not any more', async () => {
    const [id] = await attached()
    const link = `/rest/bug/attachment/${id}/link` as const
    assert.equal((await world.sven.get(link)).body.code, 304)
    assert.equal((await world.sven.get(link, PAGE)).body.code, 32000)
    assert.equal((await world.nobody.get(link, PAGE)).body.code, 102)
    const open = await attach(world.edna, await fileBug(world.edna, { summary: 'For everybody' }))
    assert.equal((await world.nobody.get(`/rest/bug/attachment/${open}/link`, PAGE)).body.code, 410)
    const hidden = await world.nobody.get(link, { ...(await signIn(cast.stan.login)), ...PAGE })
    assert.deepEqual(hidden.body.code, (await world.stan.get(`/rest/bug/attachment/${id}/data`)).body.code)
    const missing = await world.nobody.get('/rest/bug/attachment/99999/link', {
      ...(await signIn(cast.stan.login)),
      ...PAGE,
    })
    assert.equal(missing.body.code, (await world.stan.get('/rest/bug/attachment/99999/data')).body.code)
    const person = await world.newUser({ password: PASSWORD })
    await world.ada.put(`/rest/user/${person.id}`, { groups: { add: ['security'] } })
    const own = await signIn(person.login)
    const { body } = await world.nobody.get(link, { ...own, ...PAGE })
    assert.equal((await world.nobody.get(body.address, own)).status, 200)
    await world.ada.put(`/rest/user/${person.id}`, { groups: { remove: ['security'] } })
    assert.notEqual((await world.nobody.get(body.address, own)).status, 200)
  })
})
