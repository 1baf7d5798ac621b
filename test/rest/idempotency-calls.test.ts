import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { before, describe, it } from 'node:test'
import type { Call } from '../../src/access/call.ts'
import apiReference from '../../src/api-reference.json' with { type: 'json' }
import { codeOf } from '../../src/people/factors/totp.ts'
import { calls } from '../../src/routes.ts'
import { root } from '../support/doc-examples.ts'
import { addressOf } from '../support/every-call.ts'
import { assertRefused } from '../support/refusal.ts'
import { type Client, describeOnEachEngine } from '../support/world.ts'

const posts = calls.filter(({ method }) => method === 'POST')
const PASSWORD = 'a quiet afternoon'
/** A transaction on SQLite waits only for its own slices; a password, a file or a connection takes hundreds of turns. */
const MOST_TURNS = 60

/** Parameters that prove something, so that wrong ones are counted or use something up. */
const PROOFS = new Set(['password', 'old_password', 'totp', 'code', 'credential', 'token', 'flow', 'logout_token'])

interface DocumentedRequest {
  path: string
  body?: object
}

describeOnEachEngine('A POST with an Idempotency-Key', (world) => {
  let login = ''
  let clients: Client[] = []
  before(async () => {
    const user = await world.newUser({ password: PASSWORD })
    await world.ada.put(`/rest/user/${user.id}`, { groups: { add: ['admin', 'editbugs'] } })
    login = user.login
    const { body } = await world.nobody.get(`/rest/login?${new URLSearchParams({ login, password: PASSWORD })}`)
    const page = { 'Sec-Fetch-Site': 'same-origin' }
    clients = [{ 'X-TRACKER-TOKEN': body.token }, user.client.headers].map((it) => world.as({ ...page, ...it }))
    await world.ada.post('/rest/keyword', { name: 'beside', description: 'x' })
  })

  /** The longest time for which a transaction was open, in turns of the event loop. */
  const held = { turns: 0 }
  before(() => {
    const { transaction } = world.db
    world.db.transaction = (async (work: (...given: unknown[]) => Promise<unknown>, ...more: never[]) => {
      const watched = async (...given: unknown[]) => {
        let turns = 0
        let isOpen = true
        const count = () => {
          turns++
          if (isOpen) setImmediate(count)
        }
        setImmediate(count)
        try {
          return await work(...given)
        } finally {
          isOpen = false
          held.turns = Math.max(held.turns, turns)
        }
      }
      return transaction.call(world.db, watched as never, ...more)
    }) as typeof world.db.transaction
  })

  /** With the right and the wrong password and code, and as the documentation shows it. */
  const bodiesFor = ({ path, params }: Call): [path: string, body: object][] => {
    const documented = (apiReference.examples as Record<string, DocumentedRequest>)[`POST ${path}`]
    const address = addressOf({ path } as never, path.startsWith('/user/') ? login : '1')
    const codes = { totp: '000000', id: 1, code: '000000', name: 'x' }
    const secrets = [PASSWORD, 'wrong'].flatMap((password) => [
      { login, password, ...codes },
      { password, old_password: password },
      codes,
    ])
    const takesSecrets = Object.keys(params).some((name) => PROOFS.has(name))
    return [
      [documented?.path ?? address, documented?.body ?? {}],
      [address, {}],
      ...(takesSecrets ? secrets.map((body): [string, object] => [address, body]) : []),
    ]
  }

  let number = 0
  for (const call of posts)
    it(`to ${call.path} fails only as without it, and a write beside it does not wait`, async () => {
      held.turns = 0
      for (const [client, requests] of [
        [clients[0], bodiesFor(call)],
        [clients[1], bodiesFor(call).slice(0, 3)],
      ] as [Client, [string, object][]][])
        for (const [address, body] of requests) {
          const keyed = client.post(address, body, { 'Idempotency-Key': `every call ${number++}` })
          const beside = world.ada.put('/rest/keyword/beside', { description: `Number ${number}` })
          assert.equal((await beside).status, 200)
          const { status, text } = await keyed
          assert.ok(status < 500, `${JSON.stringify(body)} gets ${status} ${text}`)
        }
      if (world.engine === 'sqlite')
        assert.ok(held.turns < MOST_TURNS, `a transaction was open for ${held.turns} turns`)
    })

  it('does not get more guesses of a code than one without it, and the owner gets a mail', async () => {
    const user = await world.newUser({ password: PASSWORD })
    const { body } = await world.nobody.get(
      `/rest/login?${new URLSearchParams({ login: user.login, password: PASSWORD })}`,
    )
    const session = world.as({ 'X-TRACKER-TOKEN': body.token })
    const { body: app } = await session.post('/rest/factor/totp')
    const code = codeOf(app.secret, Math.floor(Date.now() / 30_000))
    const confirmed = await session.post(
      '/rest/factor/totp/confirm',
      { id: app.id, code },
      { 'Idempotency-Key': 'right' },
    )
    assert.equal(confirmed.status, 201)
    const guess = (key: string) => session.post('/rest/session/proof', { totp: '000' }, { 'Idempotency-Key': key })
    const answers: number[] = []
    for (let attempt = 0; attempt < 7; attempt++) answers.push((await guess(`guess ${attempt}`)).body.code)
    assert.deepEqual(answers, [311, 311, 311, 311, 311, 32000, 32000])
    assertRefused(await guess('guess 0'), 400, 32000)
    const jobs = await world.db.query((q) => q.selectFrom('jobs').select('payload'))
    const notices = jobs.filter(({ payload }) => payload.includes('codes_wrong') && payload.includes(`:${user.id},`))
    assert.equal(notices.length, 1)
  })

  it('stores nothing for a call that ignores it', async () => {
    const ignored = posts.filter(({ idempotency }) => idempotency !== 'once')
    await world.db.query((q) => q.deleteFrom('idempotent_replies'))
    for (const call of ignored)
      for (const [address, body] of bodiesFor(call))
        await clients[0]?.post(address, body, { 'Idempotency-Key': `every call ${number++}` })
    assert.deepEqual(await world.db.query((q) => q.selectFrom('idempotent_replies').select('user_id')), [])
  })
})

describe('The documentation of Idempotency-Key', () => {
  it('says of no call that it runs once if the call takes something that can be guessed', () => {
    const repeated = posts.filter(({ idempotency }) => idempotency === 'once')
    const guessing = repeated.filter(({ params }) => Object.keys(params).some((name) => PROOFS.has(name)))
    // Its password is that of the new account.
    assert.deepEqual(
      guessing.map(({ path }) => path),
      ['/user'],
    )
  })

  it('lists the calls that ignore it', () => {
    const text = readFileSync(`${root}docs/api/README.md`, 'utf8')
    const section = /### Sending a request twice\n(.*?)\n## /s.exec(text)?.[1] ?? ''
    const listed = [...section.matchAll(/`POST \/rest(\S+)`/g)].map(([, path]) => path)
    const ignored = posts.filter(({ idempotency }) => idempotency !== 'once').map(({ path }) => path)
    assert.deepEqual(listed.sort(), ignored.sort())
  })
})
