import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { it } from 'node:test'
import { assertRefused } from '../support/refusal.ts'
import { describeOnEachEngine } from '../support/world.ts'

const PASSWORD = 'battery staple'

describeOnEachEngine('a log-in with a password', (world) => {
  const logIn = (login: string, password = PASSWORD) =>
    world.nobody.get(`/rest/login?${new URLSearchParams({ login, password })}`)
  const storedFor = async (id: number) => {
    const [row] = await world.db.query((q) => q.selectFrom('users').select('password_hash').where('id', '=', id))
    return row?.password_hash ?? ''
  }

  it('replaces an imported hash with one of its own, whoever guessed before', async () => {
    const { id, login } = await world.newUser({ password: PASSWORD })
    const imported = `bugzilla$salt1234,${hash('sha256', `${PASSWORD}salt1234`, 'base64').replace(/=+$/, '')}{SHA-256}`
    await world.db.query((q) =>
      q.updateTable('users').set({ password_hash: imported }).where('id', '=', id).returning('id'),
    )
    assertRefused(await logIn(login, 'battery stable'), 401, 300)
    assert.equal(await storedFor(id), imported)
    assert.equal((await logIn(login, ` ${PASSWORD} `)).status, 200)
    const own = await storedFor(id)
    assert.match(own, /^argon2id\$/)
    assert.equal((await logIn(login)).status, 200)
    assertRefused(await logIn(login, 'battery stable'), 401, 300)
    assert.equal(await storedFor(id), own)
  })

  it('says until when an account is locked for an address: thirty minutes from the first failure that counts', async () => {
    const { login } = await world.newUser({ password: PASSWORD })
    for (let count = 0; count < 5; count++) await logIn(login, 'wrong')
    const refused = await logIn(login)
    assertRefused(refused, 400, 32000)
    const until = /locked for your address until (\S+)\.$/.exec(refused.body.message ?? '')?.[1] ?? ''
    const minutes = (Date.parse(until) - Date.now()) / 60_000
    assert.ok(minutes > 28 && minutes <= 30, until)
  })

  it('is refused where a provider is the only way for the domain of the account', async () => {
    const { login } = await world.newUser({ password: PASSWORD })
    const only = { name: 'corp', title: 'Corp', issuer: 'https://id.corp.test', client_id: 'a', client_secret: 'b' }
    await world.withParameters(
      { sign_in_providers: [{ ...only, domains: ['lacewing.test'], is_only: true }] },
      async () => {
        for (const refused of [
          await logIn(login),
          await world.nobody.get(`/rest/whoami?${new URLSearchParams({ login, password: PASSWORD })}`),
        ])
          assertRefused(refused, 401, 313)
      },
    )
    assert.equal((await logIn(login)).status, 200)
  })

  it('gives a session that is nothing any more once the account is disabled, whoever disabled it', async () => {
    const { id, login } = await world.newUser({ password: PASSWORD })
    const { token } = (await logIn(login)).body
    await world.db.query((q) =>
      q.updateTable('users').set({ disabled_text: 'Left' }).where('id', '=', id).returning('id'),
    )
    assertRefused(await world.as({ 'X-TRACKER-TOKEN': token ?? '' }).get('/rest/whoami'), 401, 301)
  })
})
