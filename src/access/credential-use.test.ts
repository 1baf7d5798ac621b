import assert from 'node:assert/strict'
import { afterEach, it, mock } from 'node:test'
import { cast, PASSWORD } from '../../test/support/cast.ts'
import { describeOnEachEngine } from '../../test/support/world.ts'
import type { Db } from '../platform/database/db.ts'
import { ApiError } from '../platform/errors.ts'
import { digest } from '../platform/secrets/secrets.ts'
import { type AccountNotice, queueAccountNotices } from './account-notice.ts'
import { anonymous, type Caller } from './caller.ts'
import { runOnce } from './idempotency.ts'
import { requireLiveCredential } from './live-credential.ts'
import { Usage } from './usage.ts'

const NOW = Date.parse('2026-03-20T12:00:00Z')
const withCode = (code: number) => (fault: unknown) => fault instanceof ApiError && fault.code === code

describeOnEachEngine('a request with an Idempotency-Key', (world) => {
  afterEach(() => mock.timers.reset())

  const send = async (key: string, content: unknown = 1, userId = 1, fails?: Error) => {
    const done: string[] = []
    const work = {
      ahead: async () => {
        done.push('ahead')
        if (fails) throw fails
        return 'prepared'
      },
      run: async (_: Db, ahead: string) => {
        done.push(ahead)
        return { content }
      },
    }
    const { value, isRepeated } = await runOnce(world.db, { userId, key, content }, work)
    return { value, isRepeated, done: done.join() }
  }

  it('is prepared and carried out once', async () => {
    const value = { content: 1 }
    assert.deepEqual(await send('once'), { value, isRepeated: false, done: 'ahead,prepared' })
    assert.deepEqual(await send('once'), { value, isRepeated: true, done: '' })
    await assert.rejects(send('once', 2), withCode(32000))
    assert.equal((await send('once', 2, 2)).isRepeated, false)
  })

  it('is tried again after it could not be prepared', async () => {
    await assert.rejects(send('unprepared', 1, 1, new Error('not yet')), /not yet/)
    assert.equal((await send('unprepared')).isRepeated, false)
  })

  it('is remembered for a day', async () => {
    mock.timers.enable({ apis: ['Date'], now: NOW })
    await send('daily')
    mock.timers.tick(86_400_000)
    assert.equal((await send('daily')).isRepeated, true)
    await send('other')
    assert.equal((await send('daily')).isRepeated, true)
    mock.timers.tick(1000)
    assert.equal((await send('daily')).isRepeated, false)
    mock.timers.tick(90_000_000)
    await send('later')
    const rows = await world.db.query((q) =>
      q.selectFrom('idempotent_replies').select('at').where('at', '<', '2026-03-22'),
    )
    assert.deepEqual(rows, [])
  })

  it('needs a key of 1 to 255 plain characters', async () => {
    for (const key of [' ', '~', '!'.repeat(255)]) assert.equal((await send(key)).isRepeated, false)
    for (const key of ['', '!'.repeat(256), 'a\u00e9', '\u00e9a', 'a\x1f', 'a\x7f', 'a\n'])
      await assert.rejects(send(key), withCode(53))
  })
})

describeOnEachEngine('the use of credentials', (world) => {
  afterEach(() => mock.timers.reset())

  const stateOf = async (userId: number) => {
    const [key] = await world.db.query((q) =>
      q.selectFrom('api_keys').select('last_used_at').where('user_id', '=', userId),
    )
    const [token] = await world.db.query((q) =>
      q.selectFrom('login_tokens').select(['last_used_at', 'last_address']).where('user_id', '=', userId),
    )
    const [user] = await world.db.query((q) => q.selectFrom('users').select('last_seen_on').where('id', '=', userId))
    return [key?.last_used_at, token?.last_used_at, token?.last_address, user?.last_seen_on]
  }
  const newUses = async () => {
    const { id, login } = await world.newUser({ password: PASSWORD })
    await world.nobody.get(`/rest/login?login=${login}&password=${encodeURIComponent(PASSWORD)}`)
    await world.db.query((q) =>
      q.updateTable('login_tokens').set({ last_used_at: 'then', last_address: null }).where('user_id', '=', id),
    )
    await world.db.query((q) => q.updateTable('users').set({ last_seen_on: null }).where('id', '=', id))
    const [key] = await world.db.query((q) => q.selectFrom('api_keys').select('id').where('user_id', '=', id))
    const [token] = await world.db.query((q) => q.selectFrom('login_tokens').select('id').where('user_id', '=', id))
    return { id, key: key?.id ?? 0, token: token?.id ?? 0 }
  }

  it('is written by any kind of it, to the minute, and of users to the day', async () => {
    const { id, key, token } = await newUses()
    const usage = new Usage(world.db)
    mock.timers.enable({ apis: ['Date'], now: NOW })
    const [before, then] = [await stateOf(id), 'then']
    assert.deepEqual(before, [null, then, null, null])
    const minuteAgo = '2026-03-20T11:59:00Z'
    usage.noteKey(key, minuteAgo)
    usage.noteToken(token, minuteAgo, '203.0.113.5')
    usage.notePerson(id, '2026-03-20')
    const fresh = world.db.freshness()
    await usage.write()
    assert.equal(world.db.freshness(), fresh, 'nothing is written where nothing has changed')
    assert.deepEqual(await stateOf(id), before)
    usage.noteKey(key, null)
    await usage.write()
    assert.deepEqual(await stateOf(id), ['2026-03-20T12:00:00Z', then, null, null])
    usage.noteToken(token, '2026-03-20T11:58:59Z', '203.0.113.5')
    await usage.write()
    assert.deepEqual(await stateOf(id), ['2026-03-20T12:00:00Z', '2026-03-20T12:00:00Z', '203.0.113.5', null])
    usage.notePerson(id, null)
    await usage.write()
    assert.equal((await stateOf(id))[3], '2026-03-20')
    mock.timers.tick(86_400_000)
    usage.notePerson(id, '2026-03-20')
    usage.noteKey(key, '2026-03-20T12:00:00Z')
    await usage.close()
    assert.deepEqual(await stateOf(id), ['2026-03-21T12:00:00Z', '2026-03-20T12:00:00Z', '203.0.113.5', '2026-03-21'])
  })

  it('must be possible at the moment at which something is made with them that outlives the request', async () => {
    const { id, key } = await newUses()
    const token = `${id}-abc`
    await world.db.query((q) =>
      q
        .updateTable('login_tokens')
        .set({ digest: digest(token) })
        .where('user_id', '=', id),
    )
    const byKey: Caller = { ...anonymous, id, source: 'api_key', keyId: key }
    const byToken: Caller = { ...anonymous, id, source: 'token' }
    const byPassword: Caller = { ...anonymous, id, source: 'password' }
    const live = (caller: Caller, sent?: string) =>
      requireLiveCredential(world.db, { caller, credentials: sent === undefined ? {} : { token: sent } })
    await live(byKey)
    await live(byToken, token)
    await live(byPassword)
    await assert.rejects(live(byToken, 'other'), withCode(307))
    await world.db.query((q) => q.updateTable('api_keys').set({ revoked_at: '2026-01-01' }).where('id', '=', key))
    await world.db.query((q) => q.deleteFrom('login_tokens').where('user_id', '=', id))
    await assert.rejects(live(byKey), withCode(306))
    await assert.rejects(live(byToken, token), withCode(307))
    await live(byPassword, token)
  })

  it('is announced to each address in a lane of its own, which does not name the account that may not exist', async () => {
    const at = '2026-03-20T12:00:00Z'
    const changed = { what: 'login_changed', userId: 7, who: 7, before: 'a', after: 'b', at } as const
    const notices: AccountNotice[] = [
      { ...changed, to: 'before' },
      { ...changed, to: 'after' },
      { what: 'password_changed', userId: 7, who: 7, isRemoved: false, at },
      { what: 'password_changed', userId: 8, who: 7, isRemoved: false, at },
      { what: 'link_asked', linkId: 5, login: cast.edna.login, at },
      { what: 'locked_out', loginKey: cast.edna.login, address: '203.0.113.5', at },
      { what: 'locked_out', loginKey: cast.stan.login, address: '203.0.113.5', at },
    ]
    await world.db.query((q) => q.deleteFrom('jobs'))
    await world.db.transaction((tx) => queueAccountNotices(tx, ...notices))
    const jobs = await world.db.query((q) => q.selectFrom('jobs').select(['queue', 'lane', 'payload']).orderBy('id'))
    assert.ok(jobs.every(({ queue }) => queue === 'account mail'))
    assert.deepEqual(
      jobs.map(({ payload }) => JSON.parse(payload).notice),
      notices,
    )
    const lanes = jobs.map(({ lane }) => lane)
    assert.deepEqual(lanes.slice(0, 5), ['account 7 before', 'account 7 after', 'account 7', 'account 8', 'link 5'])
    assert.notEqual(lanes[5], lanes[6])
    assert.match(lanes.slice(5).join(), /^locked out [\w-]+,locked out [\w-]+$/)
  })
})
