import assert from 'node:assert/strict'
import { afterEach, it, mock } from 'node:test'
import { cast, PASSWORD } from '../../../test/support/cast.ts'
import { cheapHashOf } from '../../../test/support/password-cost.ts'
import { describeOnSqlite } from '../../../test/support/world.ts'
import { ApiError } from '../../platform/errors.ts'
import { fileLinkFor, isFileLink, mayFollowLinks } from './file-link.ts'
import { deviceCookie, knownDevice, knownSession } from './known-device.ts'
import { PasswordCheck } from './password-check.ts'
import { sessionCookieFor } from './session-cookie.ts'

const NOW = Date.parse('2026-03-20T12:00:00Z')
const atNoon = () => mock.timers.enable({ apis: ['Date'], now: NOW })

describeOnSqlite('the address of a file for a page', (world) => {
  afterEach(() => mock.timers.reset())

  it('is for one session and one file, for five minutes', async () => {
    atNoon()
    const { code, expires } = await fileLinkFor(world.db, '1-abc', 'attachment 7')
    assert.equal(expires, NOW + 300_000)
    const opens = (token = '1-abc', file = 'attachment 7') => isFileLink(world.db, token, file, code)
    assert.deepEqual([await opens(), await opens('1-abd'), await opens('1-abc', 'attachment 8')], [true, false, false])
    mock.timers.tick(299_999)
    assert.equal(await opens(), true)
    mock.timers.tick(1)
    assert.equal(await opens(), false)
  })

  it('cannot be made to last longer, and nonsense is only wrong', async () => {
    const { code, expires } = await fileLinkFor(world.db, '1-abc', 'attachment 7')
    const mac = code.slice(code.indexOf('.') + 1)
    const wrong = [
      '',
      'x',
      '.',
      `${expires + 1}.${mac}`,
      `${expires}0.${mac}`,
      `9${code}`,
      `x${code}`,
      `${code}0`,
      `${code}x`,
    ]
    for (const it of [...wrong, code.slice(1), code.slice(0, -1), code.replace('.', '-'), code.toUpperCase(), mac])
      if (it !== code) assert.equal(await isFileLink(world.db, '1-abc', 'attachment 7', it), false, it)
  })

  it('is followed from our own pages and from outside of any page', () => {
    const follows = (site?: string) => mayFollowLinks(site === undefined ? {} : { 'sec-fetch-site': site })
    assert.deepEqual([follows(), follows('none'), follows('same-origin')], [true, true, true])
    assert.deepEqual([follows('same-site'), follows('cross-site'), follows('')], [false, false, false])
  })
})

describeOnSqlite('a browser in which a user has logged in', (world) => {
  const cookie = sessionCookieFor('https://bugs.example.com')

  it('is known for that login name only, however it is written', async () => {
    const [pair = ''] = (await deviceCookie(world.db, cookie, ' Ada@x ')).split(';')
    const known = (login: string, cookies: string | undefined = `theme=dark; ${pair}`) =>
      knownDevice(world.db, cookies, cookie, login)
    const value = pair.split('=')[1] ?? ''
    assert.equal(await known('ada@X'), `known device ${value.slice(0, 16)}`)
    assert.equal(await known('eve@x'), undefined)
    assert.equal(await known('ada@x', ''), undefined)
    assert.equal(await knownDevice(world.db, undefined, cookie, 'ada@x'), undefined)
    const other = sessionCookieFor('http://bugs.example.com')
    assert.equal(await knownDevice(world.db, pair, other, 'ada@x'), undefined)
    for (const wrong of [`${value}0`, `x${value}`, value.slice(1), value.slice(0, -1), `.${value.slice(17)}`, 'x.y'])
      assert.equal(await known('ada@x', `${pair.split('=')[0]}=${wrong}`), undefined, wrong)
    const last = value.endsWith('0') ? '1' : '0'
    assert.equal(await known('ada@x', `${pair.slice(0, -1)}${last}`), undefined)
  })

  it('keeps that for as long as browsers allow', async () => {
    const attributes = (text: string) => text.split('; ').slice(1).join('; ')
    const kept = 'Path=/; HttpOnly; SameSite=Lax; Max-Age=34560000'
    assert.equal(attributes(await deviceCookie(world.db, cookie, 'ada')), `${kept}; Secure`)
    assert.equal(attributes(await deviceCookie(world.db, sessionCookieFor('http://localhost'), 'ada')), kept)
  })

  it('is known by its session too, which is not named', () => {
    assert.equal(knownSession(undefined), undefined)
    assert.match(knownSession('1-abc') ?? '', /^session [\w-]{16}$/)
    assert.notEqual(knownSession('1-abc'), knownSession('1-abd'))
  })
})

describeOnSqlite('the check of a password', (world) => {
  afterEach(() => mock.timers.reset())

  const stored = cheapHashOf(PASSWORD)
  const isWrong = (fault: unknown) => fault instanceof ApiError && fault.code === 300
  let place = 0

  /** Checks passwords of one account from a new place, and counts how often one is hashed. */
  function newCheck() {
    const check = new PasswordCheck(world.db)
    const attempt = { loginKey: cast.rhea.login, address: `203.0.113.${++place}` }
    const counted = { hashes: 0 }
    const send = (password = PASSWORD, hash: string | null = stored) =>
      check.requireRight({ attempt, password, stored: hash, address: attempt.address, isKnown: false }, () => {
        counted.hashes++
      })
    return { counted, send }
  }

  it('is done once in ten minutes for the right password', async () => {
    atNoon()
    const { counted, send } = newCheck()
    await send()
    mock.timers.tick(599_999)
    await send()
    assert.equal(counted.hashes, 1)
    mock.timers.tick(1)
    await send()
    assert.equal(counted.hashes, 2)
  })

  it('is done once for requests that come at once', async () => {
    const { counted, send } = newCheck()
    await Promise.all([send(), send(), send()])
    assert.equal(counted.hashes, 1)
  })

  it('is done again for another password, and after the password was changed', async () => {
    const { counted, send } = newCheck()
    await send()
    await assert.rejects(send('wrong'), isWrong)
    await assert.rejects(send('wrong'), isWrong)
    await send(PASSWORD, cheapHashOf(PASSWORD))
    assert.equal(counted.hashes, 4)
    await assert.rejects(send(PASSWORD, null), isWrong)
  })

  it('does not count spaces around it', async () => {
    await newCheck().send(`  ${PASSWORD} `)
  })

  it('leaves what is stored, unless it is the weaker hash of an import', async () => {
    const hashOf = async () =>
      (
        await world.db.query((q) => q.selectFrom('users').select('password_hash').where('login', '=', cast.rhea.login))
      )[0]?.password_hash
    const hash = await hashOf()
    await newCheck().send(PASSWORD, hash)
    assert.equal(await hashOf(), hash)
  })

  it('counts login names of any length, and stores long ones as a digest', async () => {
    for (const length of [127, 128, 5000]) {
      const credentials = { 'X-TRACKER-LOGIN': 'x'.repeat(length), 'X-TRACKER-PASSWORD': 'y' }
      const { body } = await world.nobody.get('/rest/whoami', credentials)
      assert.equal(body.code, 300)
    }
    const rows = await world.db.query((q) => q.selectFrom('login_failures').select('login_key'))
    const keys = rows.map(({ login_key }) => login_key).filter((key) => !key.includes('@'))
    assert.equal(keys.length, 3)
    assert.ok(keys.includes('x'.repeat(127)))
    assert.ok(keys.every((key) => key.length <= 127))
  })
})
