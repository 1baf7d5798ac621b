import assert from 'node:assert/strict'
import { before, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { AnyBody } from '../support/body-types.ts'
import { cast } from '../support/cast.ts'
import { EventSource } from '../support/event-source.ts'
import { fileBug } from '../support/file-bug.ts'
import { changedMeanwhile } from '../support/interleave.ts'
import { rpc } from '../support/mcp-client.ts'
import { bearer, castInPages, form, inPages, OAuthProgram, REDIRECT } from '../support/oauth.ts'
import { assertRefused } from '../support/refusal.ts'
import { type Client, describeOnEachEngine, itOnce, itOnOneEngine, type Reply } from '../support/world.ts'

const PASSWORD = 'a quiet afternoon'

describeOnEachEngine('Access with OAuth', (world) => {
  let edna: Client
  before(async () => {
    edna = await castInPages(world, 'edna')
  })

  const toRest = () => ({ resource: `${world.url}/rest` })
  const refused = ({ status, body }: Reply<AnyBody>, error: string, expected = 400) =>
    assert.deepEqual([status, body.error], [expected, error])

  it('is given by a user to a program, which then acts with the rights of the user', async () => {
    const program = await OAuthProgram.register(world)
    const answer = await program.answer(edna, toRest())
    assert.equal(answer.origin + answer.pathname, REDIRECT)
    assert.deepEqual([...answer.searchParams.keys()], ['code', 'state', 'iss'])
    assert.deepEqual([answer.searchParams.get('state'), answer.searchParams.get('iss')], ['a state', world.url])
    const { status, body, headers } = await program.exchange(answer.searchParams.get('code') ?? '')
    assert.equal(status, 200)
    assert.equal(headers.get('cache-control'), 'no-store')
    assert.deepEqual(
      { ...body, access_token: body.access_token.length, refresh_token: body.refresh_token.length },
      { access_token: 43, token_type: 'Bearer', expires_in: 3600, refresh_token: 43, scope: 'read write' },
    )
    const client = bearer(world, body.access_token)
    const { body: who } = await client.get('/rest/whoami')
    assert.deepEqual([who.name, who.scopes], [cast.edna.login, ['read', 'write']])
    assertRefused(await client.get('/rest/user/1/api_key'), 401, 304)
    assertRefused(await client.post(`/rest/user/${who.id}/api_key`), 401, 304)
  })

  itOnOneEngine(
    world,
    'is what the user chooses, at most what the program asks for, and the safest of that at first',
    async () => {
      const program = await OAuthProgram.register(world)
      const offer = async (scope: string) => {
        const { body } = await edna.get(`/rest/oauth/authorization?${new URLSearchParams(program.request({ scope }))}`)
        return [body.scopes, body.preselected]
      }
      assert.deepEqual(await offer('read write'), [['read', 'propose', 'write'], 'read'])
      assert.deepEqual(await offer('read'), [['read'], 'read'])
      assert.deepEqual(await offer('propose'), [['read', 'propose'], 'propose'])
      assert.deepEqual(await offer('write'), [['read', 'propose', 'write'], 'write'])
      assert.deepEqual(await offer(''), [['read', 'propose', 'write'], 'read'])
      assert.deepEqual(await offer('admin openid read'), [['read'], 'read'])
      const { body } = await edna.get(
        `/rest/oauth/authorization?${new URLSearchParams(program.request({ scope: 'admin' }))}`,
      )
      assert.equal(body.fault.error, 'invalid_scope')
      const { scope, access_token } = await program.accessOf(edna, { ...toRest(), chosen_scope: 'read' })
      assert.equal(scope, 'read')
      assertRefused(await bearer(world, access_token).post('/rest/bug', {}), 401, 304)
      for (const chosen_scope of ['admin', 'write', ''])
        assertRefused(
          await edna.post('/rest/oauth/authorization', {
            ...program.request({ scope: 'read' }),
            allow: true,
            chosen_scope,
          }),
          400,
          53,
        )
    },
  )

  itOnOneEngine(world, 'is refused by the user with an answer to the program', async () => {
    const program = await OAuthProgram.register(world)
    const { searchParams } = await program.answer(edna, { allow: false })
    assert.deepEqual(Object.fromEntries(searchParams), {
      error: 'access_denied',
      error_description: 'The user refused access.',
      state: 'a state',
      iss: world.url,
    })
  })

  itOnOneEngine(world, 'is for one resource: a token for another one is unknown there', async () => {
    const program = await OAuthProgram.register(world)
    const forMcp = await program.accessOf(edna)
    assertRefused(await bearer(world, forMcp.access_token).get('/rest/whoami'), 400, 306)
    for (const resource of [`${world.url}/mcp/`, `${world.url.replace('http', 'HTTP')}/mcp`])
      assert.ok((await program.accessOf(edna, { resource })).access_token)
    for (const resource of ['https://evil.example/mcp', `${world.url}/mcp#x`, `${world.url}/mcp?x`, 'mcp', world.url]) {
      const request = new URLSearchParams(program.request({ resource }))
      const { body } = await edna.get(`/rest/oauth/authorization?${request}`)
      assert.equal(body.fault.error, 'invalid_target', resource)
    }
    const code = await program.codeFrom(edna, toRest())
    refused(await program.exchange(code, { resource: `${world.url}/mcp` }), 'invalid_target')
    refused(await program.exchange(code, toRest()), 'invalid_grant')
    const { refresh_token } = await program.accessOf(edna, toRest())
    refused(await program.refresh(refresh_token, { resource: `${world.url}/mcp` }), 'invalid_target')
    assert.equal((await program.refresh(refresh_token, toRest())).status, 200)
  })

  itOnOneEngine(
    world,
    'needs a code that belongs to the program, its address and its secret; a wrong attempt uses the code up',
    async () => {
      const program = await OAuthProgram.register(world)
      const other = await OAuthProgram.register(world)
      const attempts: [string, (code: string) => Promise<Reply<AnyBody>>][] = [
        ['another verifier', (code) => program.exchange(code, { code_verifier: 'x'.repeat(43) })],
        ['a short verifier', (code) => program.exchange(code, { code_verifier: 'x' })],
        ['the challenge', (code) => program.exchange(code, { code_verifier: program.challenge })],
        ['another address', (code) => program.exchange(code, { redirect_uri: 'http://127.0.0.1:1/callback' })],
        ['no address', (code) => program.exchange(code, { redirect_uri: '' })],
        ['another program', (code) => other.exchange(code, { code_verifier: program.verifier })],
      ]
      for (const [title, attempt] of attempts) {
        const code = await program.codeFrom(edna)
        const reply = await attempt(code)
        assert.deepEqual([reply.status, reply.body.error], [400, 'invalid_grant'], title)
        refused(await program.exchange(code), 'invalid_grant')
      }
      const code = await program.codeFrom(edna)
      refused(await program.exchange(code, { code_verifier: '' }), 'invalid_request')
      assert.equal((await program.exchange(code)).status, 200, 'an incomplete request is no attempt')
      refused(await program.exchange('unknown'), 'invalid_grant')
    },
  )

  it('needs a code that was used once: the second time ends what the first got', async () => {
    const program = await OAuthProgram.register(world)
    const code = await program.codeFrom(edna, toRest())
    const { body } = await program.exchange(code)
    assert.equal((await bearer(world, body.access_token).get('/rest/whoami')).status, 200)
    refused(await program.exchange(code), 'invalid_grant')
    assertRefused(await bearer(world, body.access_token).get('/rest/whoami'), 400, 306)
    refused(await program.refresh(body.refresh_token), 'invalid_grant')
  })

  it('is given at most once to many exchanges of one code at the same time, and to none in the end', async () => {
    const program = await OAuthProgram.register(world)
    for (let round = 0; round < 5; round++) {
      const code = await program.codeFrom(edna, toRest())
      const replies = await Promise.all(Array.from({ length: 6 }, () => program.exchange(code)))
      const given = replies.filter(({ status }) => status === 200)
      assert.ok(given.length <= 1)
      assert.ok(replies.every(({ status, body }) => status === 200 || body.error === 'invalid_grant'))
      for (const { body } of given) assertRefused(await bearer(world, body.access_token).get('/rest/whoami'), 400, 306)
    }
  })

  it('is not given for a code that is used again before the first use is through', async () => {
    const program = await OAuthProgram.register(world)
    const code = await program.codeFrom(edna, toRest())
    const first = await changedMeanwhile(
      world,
      () => program.exchange(code),
      () => program.exchange(code),
      'accounts',
    )
    refused(first, 'invalid_grant')
    const keys = await world.db.query((q) =>
      q
        .selectFrom('api_keys')
        .innerJoin('oauth_clients', 'oauth_clients.id', 'client_id')
        .select('api_keys.id')
        .where('client_key', '=', program.id),
    )
    assert.deepEqual(keys, [])
  })

  itOnOneEngine(world, 'needs a code that has not expired', async () => {
    const program = await OAuthProgram.register(world)
    const code = await program.codeFrom(edna)
    await world.db.query((q) => q.updateTable('oauth_codes').set({ expires_at: '2020-01-01T00:00:00Z' }))
    refused(await program.exchange(code), 'invalid_grant')
  })

  it('is not given by a program that is ended while its code is exchanged', async () => {
    const program = await OAuthProgram.register(world)
    const code = await program.codeFrom(edna, toRest())
    const ada = await castInPages(world, 'ada')
    const [client] = await world.db.query((q) =>
      q.selectFrom('oauth_clients').select('id').where('client_key', '=', program.id),
    )
    const reply = await changedMeanwhile(
      world,
      () => program.exchange(code),
      async () => assert.equal((await ada.delete(`/rest/oauth_client/${client?.id}`)).status, 200),
      'accounts',
    )
    refused(reply, 'invalid_grant')
  })

  it('is renewed with a refresh token, which works once; the token before ends at once', async () => {
    const program = await OAuthProgram.register(world)
    const first = await program.accessOf(edna, toRest())
    const { body: keysBefore } = await edna.get(`/rest/user/${cast.edna.login}/api_key`)
    const { status, body: second } = await program.refresh(first.refresh_token)
    assert.equal(status, 200)
    assertRefused(await bearer(world, first.access_token).get('/rest/whoami'), 400, 306)
    assert.equal((await bearer(world, second.access_token).get('/rest/whoami')).status, 200)
    const { body: keys } = await edna.get(`/rest/user/${cast.edna.login}/api_key`)
    assert.equal(keys.api_keys.length, keysBefore.api_keys.length, 'it stays the same key')

    refused(await program.refresh(first.refresh_token), 'invalid_grant')
    assertRefused(await bearer(world, second.access_token).get('/rest/whoami'), 400, 306)
    refused(await program.refresh(second.refresh_token), 'invalid_grant')
  })

  it('ends when one refresh token is sent twice at the same time', async () => {
    const program = await OAuthProgram.register(world)
    for (let round = 0; round < 3; round++) {
      const { refresh_token } = await program.accessOf(edna, toRest())
      const replies = await Promise.all(Array.from({ length: 4 }, () => program.refresh(refresh_token)))
      const given = replies.filter(({ status }) => status === 200)
      assert.ok(given.length <= 1)
      for (const { body } of given) {
        assertRefused(await bearer(world, body.access_token).get('/rest/whoami'), 400, 306)
        refused(await program.refresh(body.refresh_token), 'invalid_grant')
      }
    }
  })

  itOnOneEngine(world, 'is renewed only by its program, with at most what it had', async () => {
    const program = await OAuthProgram.register(world)
    const other = await OAuthProgram.register(world)
    const { refresh_token } = await program.accessOf(edna, { ...toRest(), chosen_scope: 'read' })
    refused(await other.refresh(refresh_token), 'invalid_grant')
    refused(await program.refresh(refresh_token, { scope: 'read write' }), 'invalid_scope')
    refused(await program.refresh(refresh_token, { scope: ' ' }), 'invalid_scope')
    const { body } = await program.refresh(refresh_token, { scope: 'read' })
    assert.equal(body.scope, 'read')
    const wide = await program.accessOf(edna, toRest())
    const narrow = await program.refresh(wide.refresh_token, { scope: 'read' })
    assert.equal(narrow.body.scope, 'read')
    assertRefused(await bearer(world, narrow.body.access_token).post('/rest/bug', {}), 401, 304)
    assert.equal((await program.refresh(narrow.body.refresh_token)).body.scope, 'read write')
  })

  itOnOneEngine(
    world,
    'is renewed at most for the days of oauth_grant_days, and is over after 30 days without use',
    async () => {
      const program = await OAuthProgram.register(world)
      const { refresh_token } = await program.accessOf(edna, toRest())
      await world.withParameters({ oauth_grant_days: 0 }, async () => {
        assert.equal((await program.refresh((await program.accessOf(edna, toRest())).refresh_token)).status, 200)
      })
      await world.db.query((q) =>
        q.updateTable('api_keys').set({ created_at: '2020-01-01T00:00:00Z' }).where('resource', 'is not', null),
      )
      refused(await program.refresh(refresh_token), 'invalid_grant')
      const idle = await program.accessOf(edna, toRest())
      await world.db.query((q) => q.updateTable('oauth_refresh_tokens').set({ expires_at: '2020-01-01T00:00:00Z' }))
      refused(await program.refresh(idle.refresh_token), 'invalid_grant')
    },
  )

  itOnOneEngine(world, 'is ended by the program with either token', async () => {
    for (const name of ['access_token', 'refresh_token']) {
      const program = await OAuthProgram.register(world)
      const other = await OAuthProgram.register(world)
      const tokens = await program.accessOf(edna, toRest())
      assert.equal((await other.token({ token: tokens[name] }, '/oauth/revoke')).status, 200)
      assert.equal((await bearer(world, tokens.access_token).get('/rest/whoami')).status, 200, 'not by another program')
      const { status, text } = await program.token({ token: tokens[name] }, '/oauth/revoke')
      assert.deepEqual([status, text], [200, '{}'])
      assertRefused(await bearer(world, tokens.access_token).get('/rest/whoami'), 400, 306)
      refused(await program.refresh(tokens.refresh_token), 'invalid_grant')
      assert.equal((await program.token({ token: 'unknown' }, '/oauth/revoke')).status, 200)
    }
    const program = await OAuthProgram.register(world)
    const plain = cast.edna.apiKey
    assert.equal((await program.token({ token: plain }, '/oauth/revoke')).status, 200)
    assert.equal((await world.edna.get('/rest/whoami')).status, 200, 'a key of a person is not ended so')
  })

  itOnOneEngine(world, 'ends with its streams at once, and so does a token that was renewed', async () => {
    const program = await OAuthProgram.register(world)
    const tokens = await program.accessOf(edna, toRest())
    const old = await EventSource.open(world, bearer(world, tokens.access_token))
    const { body: renewed } = await program.refresh(tokens.refresh_token)
    const open = await EventSource.open(world, bearer(world, renewed.access_token))
    // Otherwise they would end with the next sign of life, after 20 seconds.
    const isEnded = (source: EventSource) =>
      Promise.race([source.ended.then(() => true), sleep(10_000, false, { ref: false })])
    assert.ok(await isEnded(old))
    await program.token({ token: renewed.refresh_token }, '/oauth/revoke')
    assert.ok(await isEnded(open))
  })

  it('is listed among what acts for the user, and ends with it', async () => {
    const user = await world.newUser({ password: PASSWORD })
    const session = await inPages(world, user.login, PASSWORD)
    const program = await OAuthProgram.register(world, { client_name: 'Notebook helper' })
    const tokens = await program.accessOf(session, toRest())
    const listed = async () => {
      const { body } = await session.get(`/rest/user/${user.id}/credential`)
      return body.credentials.filter(({ resource }) => resource === 'rest')
    }
    const [it] = await listed()
    assert.deepEqual([it?.kind, it?.name, it?.allows], ['api_key', 'Notebook helper', ['read', 'write']])
    assert.ok(Date.parse(it?.expires_at ?? '') > Date.now() + 29 * 86_400_000, 'with the end of the access')
    await world.db.query((q) =>
      q
        .updateTable('api_keys')
        .set({ expires_at: '2020-01-01T00:00:00Z' })
        .where('id', '=', it?.id ?? 0),
    )
    assert.equal((await listed()).length, 1, 'also while its secret has expired')
    assertRefused(await bearer(world, tokens.access_token).get('/rest/whoami'), 400, 306)
    const renewed = await program.refresh(tokens.refresh_token)
    assertRefused(await session.put(`/rest/user/${user.id}/api_key/${it?.id}`, { description: 'x' }), 401, 304)
    assertRefused(await session.put(`/rest/user/${user.id}/api_key/${it?.id}`, { expires_at: '2199-01-01' }), 401, 304)
    assert.equal((await session.delete(`/rest/user/${user.id}/api_key/${it?.id}`)).status, 200)
    assert.deepEqual(await listed(), [])
    assertRefused(await bearer(world, renewed.body.access_token).get('/rest/whoami'), 400, 306)
    refused(await program.refresh(renewed.body.refresh_token), 'invalid_grant')
  })

  it('ends with everything that acts for the user, and so does a code', async () => {
    const user = await world.newUser({ password: PASSWORD })
    const session = await inPages(world, user.login, PASSWORD)
    const program = await OAuthProgram.register(world)
    const tokens = await program.accessOf(session, toRest())
    const code = await program.codeFrom(session, toRest())
    const { body } = await session.delete(`/rest/user/${user.id}/credential`)
    assert.deepEqual(body.ended, { api_key: 2 })
    refused(await program.exchange(code), 'invalid_grant')
    refused(await program.refresh(tokens.refresh_token), 'invalid_grant')
    assertRefused(await bearer(world, tokens.access_token).get('/rest/whoami'), 400, 306)
  })

  it('is forgotten with the person', async () => {
    const user = await world.newUser({ password: PASSWORD })
    const session = await inPages(world, user.login, PASSWORD)
    const program = await OAuthProgram.register(world)
    const tokens = await program.accessOf(session, toRest())
    const code = await program.codeFrom(session, toRest())
    const { status, text } = await world.ada.post(`/rest/user/${user.id}/anonymise`)
    assert.equal(status, 201, text)
    refused(await program.exchange(code), 'invalid_grant')
    refused(await program.refresh(tokens.refresh_token), 'invalid_grant')
    for (const table of ['oauth_codes', 'api_keys'] as const)
      assert.deepEqual(
        await world.db.query((q) => q.selectFrom(table).select('user_id').where('user_id', '=', user.id)),
        [],
      )
  })

  itOnOneEngine(world, 'ends with a disabled account, and a code with a new password', async () => {
    const user = await world.newUser({ password: PASSWORD })
    const session = await inPages(world, user.login, PASSWORD)
    const program = await OAuthProgram.register(world)
    const tokens = await program.accessOf(session, toRest())
    const code = await program.codeFrom(session, toRest())
    await session.put(`/rest/user/${user.id}`, { password: 'another afternoon', old_password: PASSWORD })
    refused(await program.exchange(code), 'invalid_grant')
    assert.equal((await bearer(world, tokens.access_token).get('/rest/whoami')).status, 200)
    const late = await program.codeFrom(session, toRest())
    await world.ada.put(`/rest/user/${user.id}`, { login_denied_text: 'gone' })
    refused(await program.exchange(late), 'invalid_grant')
    refused(await program.refresh(tokens.refresh_token), 'invalid_grant')
    assertRefused(await bearer(world, tokens.access_token).get('/rest/whoami'), 401, 301)
  })

  itOnOneEngine(world, 'is named in the history of what the program did', async () => {
    const program = await OAuthProgram.register(world, { client_name: 'Triage helper' })
    const { access_token } = await program.accessOf(edna, toRest())
    const client = bearer(world, access_token)
    const id = await fileBug(client, { summary: 'Made by a program' })
    assert.equal((await client.put(`/rest/bug/${id}`, { whiteboard: 'changed' })).status, 200)
    const { body: own } = await world.edna.get(`/rest/bug/${id}/history`)
    const { source } = own.bugs[0].history[0]
    assert.deepEqual([source.kind, source.name], ['key', 'Triage helper'])
    const { body: others } = await world.uma.get(`/rest/bug/${id}/history`)
    assert.deepEqual(others.bugs[0].history[0].source, { kind: 'key' })
  })

  itOnce(
    world,
    'is used in a header: the token is unknown in an address and in a body, and where it is not for',
    async () => {
      const program = await OAuthProgram.register(world)
      const { access_token: token } = await program.accessOf(edna, toRest())
      const id = await fileBug(world.edna)
      assert.equal((await bearer(world, token).get('/rest/whoami')).status, 200)
      assert.equal((await world.as({ 'X-BUGZILLA-API-KEY': token }).get('/rest/whoami')).status, 200)
      for (const name of ['api_key', 'Bugzilla_api_key', 'Tracker_api_key'])
        for (const path of ['whoami', 'bug', `bug/${id}`])
          assertRefused(await world.nobody.get(`/rest/${path}?${name}=${token}`), 400, 306)
      assertRefused(await bearer(world, token).get(`/rest/whoami?api_key=${token}`), 400, 306)
      assertRefused(await world.nobody.post(`/rest/bug/${id}/comment`, { comment: 'x', api_key: token }), 400, 306)
      assert.equal((await world.nobody.get(`/rest/whoami?api_key=${cast.edna.apiKey}`)).status, 200)
      const { access_token: other } = await program.accessOf(edna)
      const list = { jsonrpc: '2.0', id: 1, method: 'tools/list' }
      assert.equal((await rpc(world, list, { Authorization: `Bearer ${other}` })).status, 200)
      assertRefused(await bearer(world, other).get('/rest/whoami'), 400, 306)
    },
  )

  itOnce(world, 'is asked for only with PKCE, a code, and a known program at its own address', async () => {
    const program = await OAuthProgram.register(world)
    const read = async (more: Record<string, string>) =>
      edna.get(`/rest/oauth/authorization?${new URLSearchParams(program.request(more))}`)
    assertRefused(await read({ client_id: 'unknown' }), 404, 317)
    for (const redirect_uri of [
      '',
      'https://evil.example/',
      `${REDIRECT}/`,
      `${REDIRECT}?x`,
      'http://127.0.0.1:33418/Callback',
    ])
      assertRefused(await read({ redirect_uri }), 400, 317)
    assert.equal(
      (await read({ redirect_uri: 'http://127.0.0.1:5/callback' })).status,
      200,
      'a port of this computer is free',
    )
    assert.equal((await read({ redirect_uri: 'http://localhost:5/callback' })).status, 400, 'the host is not')
    const own = [`${world.url}/callback`, `${world.url}/`, world.url]
    const ours = await OAuthProgram.register(world, { redirect_uris: [...own, REDIRECT] })
    for (const redirect_uri of own)
      assertRefused(
        await edna.get(`/rest/oauth/authorization?${new URLSearchParams(ours.request({ redirect_uri }))}`),
        400,
        317,
      )
    const wrong: Record<string, Record<string, string>> = {
      unsupported_response_type: { response_type: 'token' },
      invalid_request: { code_challenge_method: 'plain' },
    }
    for (const [error, more] of Object.entries(wrong)) {
      const { body } = await read(more)
      assert.equal(body.fault.error, error)
      const url = new URL(body.fault.url)
      assert.deepEqual([url.origin + url.pathname, url.searchParams.get('error')], [REDIRECT, error])
      assertRefused(
        await edna.post('/rest/oauth/authorization', { ...program.request(more), allow: true, chosen_scope: 'read' }),
        400,
        317,
      )
    }
    for (const code_challenge of ['', 'short', 'x'.repeat(44), `${'x'.repeat(42)}=`])
      assert.equal((await read({ code_challenge })).body.fault.error, 'invalid_request')
  })

  itOnce(world, 'is given only on our own pages, in a session whose user has proven lately who they are', async () => {
    const program = await OAuthProgram.register(world)
    const body = { ...program.request(), allow: true, chosen_scope: 'read' }
    const cookie = { Cookie: edna.headers.Cookie as string }
    assertRefused(
      await world.as({ ...cookie, 'Sec-Fetch-Site': 'cross-site' }).post('/rest/oauth/authorization', body),
      401,
      410,
    )
    assertRefused(await world.edna.post('/rest/oauth/authorization', body), 401, 304)
    const key = { 'X-TRACKER-API-KEY': cast.edna.apiKey, 'Sec-Fetch-Site': 'same-origin' }
    assertRefused(await world.as(key).post('/rest/oauth/authorization', body), 400, 32000)
    assertRefused(
      await world.nobody.get(`/rest/oauth/authorization?${new URLSearchParams(program.request())}`),
      401,
      410,
    )
    await world.db.query((q) => q.updateTable('login_tokens').set({ proven_at: '2020-01-01T00:00:00Z' }))
    assertRefused(await edna.post('/rest/oauth/authorization', body), 401, 308)
    assert.equal((await edna.post('/rest/oauth/authorization', { ...body, allow: false })).status, 201)
    edna = await castInPages(world, 'edna')
  })

  itOnce(world, 'is refused in the words of OAuth', async () => {
    const program = await OAuthProgram.register(world)
    const { nobody } = world
    refused(
      await form(nobody, '/oauth/token', { client_id: 'unknown', grant_type: 'refresh_token' }),
      'invalid_client',
      401,
    )
    refused(await form(nobody, '/oauth/token', {}), 'invalid_client', 401)
    refused(await program.token({ grant_type: 'password' }), 'unsupported_grant_type')
    refused(await program.token({}), 'invalid_request')
    refused(await program.token({ grant_type: 'refresh_token' }), 'invalid_request')
    refused(await program.token({}, '/oauth/revoke'), 'invalid_request')
    const twice = `client_id=${program.id}&grant_type=refresh_token&refresh_token=a&refresh_token=b`
    refused(await form(nobody, '/oauth/token', twice), 'invalid_request')
    refused((await nobody.post('/oauth/token', { client_id: program.id })) as Reply<AnyBody>, 'invalid_request', 415)
    refused(await form(nobody, '/oauth/token', `client_id=${'x'.repeat(20_000)}`), 'invalid_request', 413)
    const stray = await form(nobody, '/oauth/token', { client_id: program.id }, { Authorization: 'Basic !!' })
    refused(stray, 'invalid_client', 401)
    assert.match(stray.headers.get('www-authenticate') ?? '', /^Basic /)
    const cookie = { Cookie: edna.headers.Cookie as string, 'Sec-Fetch-Site': 'same-origin' }
    refused(
      await form(nobody, '/oauth/token', { client_id: program.id, grant_type: 'x' }, cookie),
      'unsupported_grant_type',
    )
  })

  itOnce(world, 'is given to a program with a secret only with the secret, in the way that it chose', async () => {
    const methods = ['client_secret_post', 'client_secret_basic']
    for (const method of methods) {
      const program = await OAuthProgram.register(world, { token_endpoint_auth_method: method })
      assert.ok(program.secret)
      const code = await program.codeFrom(edna)
      const fields = { grant_type: 'authorization_code', code, redirect_uri: REDIRECT, code_verifier: program.verifier }
      const basic = (secret: string) => ({
        Authorization: `Basic ${Buffer.from(`${program.id}:${secret}`).toString('base64')}`,
      })
      const byPost = (secret: string) =>
        form(world.nobody, '/oauth/token', { ...fields, client_id: program.id, client_secret: secret })
      const byBasic = (secret: string) => form(world.nobody, '/oauth/token', fields, basic(secret))
      const [right, other] = method === 'client_secret_post' ? [byPost, byBasic] : [byBasic, byPost]
      refused(await right('wrong'), 'invalid_client', 401)
      refused(await other(program.secret), 'invalid_client', 401)
      refused(await form(world.nobody, '/oauth/token', { ...fields, client_id: program.id }), 'invalid_client', 401)
      assert.equal((await right(program.secret)).status, 200, 'a program that is not proven uses no code up')
    }
  })
})
