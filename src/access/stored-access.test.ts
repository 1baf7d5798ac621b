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
import { type CataloguePart, Installation, readStateVersions, type StateVersions } from './installation.ts'
import { makeInstallationSecrets, readSecret } from './installation-secrets.ts'
import { requireLiveCredential } from './live-credential.ts'
import { Usage } from './usage.ts'
import { writeBugs } from './write-bugs.ts'

const NOW = Date.parse('2026-03-20T12:00:00Z')
const withCode = (code: number) => (fault: unknown) => fault instanceof ApiError && fault.code === code

/** Part of a catalogue that says how often, and through what, it was read. */
function countedPart() {
  const read: Db[] = []
  const part: CataloguePart<number> = {
    read: async (db) => {
      read.push(db)
      return read.length
    },
  }
  return { part, read }
}

describeOnEachEngine('the configuration', (world) => {
  const COUNTERS = ['parameters_version', 'groups_version', 'catalogue_version'] as const

  it('is read once, and again when its own counter has moved', async () => {
    const installation = new Installation(world.db)
    const versions = await readStateVersions(world.db)
    const { part, read } = countedPart()
    const readAt = async (at: StateVersions) => ({
      parameters_version: await installation.settingsAt(at),
      groups_version: await installation.groupsAt(at),
      catalogue_version: await installation.catalogueAt(at)(part),
    })
    let before = await readAt(versions)
    assert.deepEqual(
      Object.values(await readAt(versions)).map((it, at) => it === Object.values(before)[at]),
      [true, true, true],
    )
    assert.equal(read.length, 1)
    let moved = versions
    for (const counter of COUNTERS) {
      moved = { ...moved, [counter]: moved[counter] + 1 }
      const now = await readAt(moved)
      for (const other of COUNTERS) assert.equal(now[other] === before[other], other !== counter, `${counter} ${other}`)
      before = now
    }
  })

  it('that a transaction reads is for others only when it has committed', async () => {
    const installation = new Installation(world.db)
    const versions = await readStateVersions(world.db)
    const { part, read } = countedPart()
    const keep = await world.db.transaction(async (tx) => {
      const within = installation.catalogueWithin(tx, versions)
      assert.deepEqual([await within.catalogue(part), await within.catalogue(part)], [1, 1])
      assert.deepEqual(read, [tx])
      return within.keep
    })
    assert.equal(await installation.catalogueAt(versions)(part), 2)
    keep()
    assert.equal(await installation.catalogueAt(versions)(part), 1)
    const later = { ...versions, catalogue_version: versions.catalogue_version + 1 }
    await world.db.transaction(async (tx) => {
      assert.equal(await installation.catalogueWithin(tx, versions).catalogue(part), 1)
      assert.equal(await installation.catalogueWithin(tx, later).catalogue(part), 3)
      assert.equal(await installation.catalogueAt(later)(part, tx), 4)
    })
    assert.equal(read[3] === world.db, false)
  })

  const basisFor = async (caller: Caller = anonymous) => {
    const installation = new Installation(world.db)
    const versions = await readStateVersions(world.db)
    const [settings, groups] = [await installation.settingsAt(versions), await installation.groupsAt(versions)]
    return { db: world.db, caller, settings, groups, versions, catalogue: installation.catalogueAt(versions) }
  }

  it('on which a write is based is read again if any part of it has changed since the request began', async () => {
    const basis = await basisFor()
    await writeBugs(basis, async (tx, current) => {
      assert.deepEqual([current.db === tx, current.settings === basis.settings], [true, true])
      const { part, read } = countedPart()
      await current.catalogue(part)
      assert.deepEqual(read, [tx])
    })
    for (const counter of COUNTERS) {
      const old = { ...basis, versions: { ...basis.versions, [counter]: basis.versions[counter] - 1 } }
      await writeBugs(old, async (tx, current) => {
        assert.deepEqual([current.db === tx, current.settings === basis.settings], [true, false], counter)
        assert.deepEqual([current.versions, current.settings], [{ ...basis.versions }, basis.settings])
        const { part, read } = countedPart()
        assert.deepEqual([await current.catalogue(part), await current.catalogue(part)], [1, 1])
        assert.deepEqual(read, [tx])
        assert.equal(current.caller, anonymous)
      })
    }
  })

  it('on which a write is based includes the groups of the caller, and whether they may log in', async () => {
    const [user, group] = [await world.newUser(), await world.newGroup()]
    const basis = await basisFor({ ...anonymous, id: user.id, login: user.login })
    await world.ada.put(`/rest/user/${user.id}`, { groups: { add: [group.name] } })
    await writeBugs(basis, async (_, { caller }) => {
      assert.deepEqual([caller.login, caller.groups.ids.has(group.id)], [user.login, true])
    })
    await world.ada.put(`/rest/user/${user.id}`, { login_denied_text: 'Left us.' })
    await assert.rejects(
      writeBugs(basis, async () => assert.fail()),
      withCode(301),
    )
    const missing = { ...basis, caller: { ...basis.caller, id: 999_999 } }
    await assert.rejects(
      writeBugs(missing, async () => assert.fail()),
      withCode(301),
    )
  })

  it('has secrets that never change, and that are made where they are missing', async () => {
    const all = async () => {
      const rows = await world.db.query((q) => q.selectFrom('installation_secrets').selectAll())
      return new Map(rows.map(({ name, value }) => [name, value]))
    }
    const before = await all()
    await makeInstallationSecrets(world.db)
    assert.deepEqual(await all(), before)
    assert.equal(new Set(before.values()).size, before.size)
    await world.db.query((q) => q.deleteFrom('installation_secrets').where('name', 'in', ['file_link', 'known_device']))
    const made = await readSecret(world.db, 'file_link')
    assert.match(made, /^\w{43}$/)
    assert.equal(await readSecret(world.db, 'file_link'), made)
    await makeInstallationSecrets(world.db)
    assert.deepEqual([...(await all()).keys()].sort(), [...before.keys()].sort())
    assert.equal((await all()).get('file_link'), made)
  })
})

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
