import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, afterEach, before, describe, it, mock } from 'node:test'
import type { Db } from '../../platform/database/db.ts'
import { openSqlite } from '../../platform/database/sqlite/sqlite.ts'
import type { Credentials } from '../../platform/wire/call.ts'
import { anonymous } from '../caller.ts'
import { KnownCallers } from './known-callers.ts'

const HERE = { peer: '203.0.113.5', forwardedFor: undefined }

describe('callers who were looked up a moment ago', () => {
  const folder = mkdtempSync(join(tmpdir(), 'lacewing-callers-'))
  let db: Db
  before(async () => {
    db = openSqlite(join(folder, 'callers.db'))
    await db.script('create table notes (id integer primary key)')
  })
  afterEach(() => mock.restoreAll())
  after(async () => {
    await db.close()
    rmSync(folder, { recursive: true, force: true })
  })

  const request = (login: string, expiresAt: string | null = null) => ({ caller: { ...anonymous, login, expiresAt } })
  const remembering = (credentials: Credentials, origin = HERE, known = request('ada')) => {
    const callers = new KnownCallers(db)
    callers.remember(credentials, origin, db.freshness(), known)
    return (again: Credentials, from: { peer: string; forwardedFor: string | undefined } = HERE) =>
      callers.recall(again, from)?.caller.login
  }

  it('are known again by the same key from the same place', () => {
    const recall = remembering({ apiKey: 'k' })
    assert.equal(recall({ apiKey: 'k' }), 'ada')
    assert.equal(recall({ apiKey: 'other' }), undefined)
    assert.equal(recall({}), undefined)
    assert.equal(recall({ apiKey: 'k' }, { ...HERE, peer: '203.0.113.6' }), undefined)
    assert.equal(recall({ apiKey: 'k' }, { ...HERE, forwardedFor: '203.0.113.6' }), undefined)
  })

  it('may be anonymous, each in one place', () => {
    const recall = remembering({}, HERE, request(''))
    assert.equal(recall({}), '')
    assert.equal(recall({}, { ...HERE, peer: '203.0.113.6' }), undefined)
    assert.equal(recall({}, { ...HERE, forwardedFor: '203.0.113.6' }), undefined)
  })

  it('are remembered beside each other', () => {
    const callers = new KnownCallers(db)
    const there = { ...HERE, peer: '203.0.113.6' }
    const known: [Credentials, typeof HERE, string][] = [
      [{ apiKey: 'k' }, HERE, 'ada'],
      [{ apiKey: 'l' }, HERE, 'eve'],
      [{}, HERE, 'here'],
      [{}, there, 'there'],
    ]
    for (const [credentials, from, login] of known) callers.remember(credentials, from, db.freshness(), request(login))
    for (const [credentials, from, login] of known) assert.equal(callers.recall(credentials, from)?.caller.login, login)
  })

  it('are not taken for others whose key reads like a place', () => {
    const recall = remembering({}, HERE, request(''))
    assert.equal(recall({ apiKey: `\n${HERE.peer}\n` }), undefined)
  })

  it('are looked up again when they send a token or a password too', () => {
    for (const more of [{ token: 't' }, { login: 'l' }, { password: 'p' }]) {
      assert.equal(remembering({ apiKey: 'k' })({ apiKey: 'k', ...more }), undefined)
      assert.equal(remembering({ apiKey: 'k', ...more })({ apiKey: 'k' }), undefined)
    }
  })

  it('are looked up again when their key expires, so that it does so in time', () => {
    assert.equal(remembering({ apiKey: 'k' }, HERE, request('ada', '2099-01-01T00:00:00Z'))({ apiKey: 'k' }), undefined)
  })

  it('are looked up again after every write', async () => {
    const recall = remembering({ apiKey: 'k' })
    await db.script('insert into notes default values')
    await db.transaction(async (tx) => tx.script('insert into notes default values'))
    assert.equal(recall({ apiKey: 'k' }), undefined)
  })

  it('are looked up again after five seconds', () => {
    let now = 1000
    mock.method(performance, 'now', () => now)
    const recall = remembering({ apiKey: 'k' })
    now += 4_999
    assert.equal(recall({ apiKey: 'k' }), 'ada')
    now += 1
    assert.equal(recall({ apiKey: 'k' }), undefined)
  })

  it('are looked up every time where another process may have written', async () => {
    const shared = openSqlite(join(folder, 'callers.db'), true)
    const callers = new KnownCallers(shared)
    callers.remember({ apiKey: 'k' }, HERE, shared.freshness(), request('ada'))
    assert.equal(callers.recall({ apiKey: 'k' }, HERE), undefined)
    await shared.close()
  })
})
