import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { AnyBody } from '../support/body-types.ts'
import { cast, PASSWORD } from '../support/cast.ts'
import { fileBug } from '../support/file-bug.ts'
import { McpClient, rpc } from '../support/mcp-client.ts'
import { castInPages, OAuthProgram } from '../support/oauth.ts'
import { describeOnSqlite } from '../support/world.ts'

const KEY = { Authorization: `Bearer ${cast.edna.apiKey}` }

/** A message of the protocol of 2026, which has no handshake. */
function modern(method: string, params: Record<string, unknown> = {}, version = '2026-07-28') {
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': version,
    'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': {},
  }
  return { jsonrpc: '2.0', id: 1, method, params: { ...params, _meta } }
}

function headersFor(method: string, name?: string): Record<string, string> {
  return {
    ...KEY,
    'MCP-Protocol-Version': '2026-07-28',
    'Mcp-Method': method,
    ...(name !== undefined && { 'Mcp-Name': name }),
  }
}

const call = (name: string, args: object = {}) => ({
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  params: { name, arguments: args },
})
const LIST = { jsonrpc: '2.0', id: 1, method: 'tools/list' }

describeOnSqlite('The endpoint of MCP', (world) => {
  const answer = async (message: unknown, headers: Record<string, string> = KEY) => {
    const response = await rpc(world, message, headers)
    const text = await response.text()
    const body: AnyBody = text === '' ? undefined : JSON.parse(text)
    return { status: response.status, headers: response.headers, text, body }
  }

  describe('to callers', () => {
    it('says without a valid key where programs get one', async () => {
      const metadata = `resource_metadata="${world.url}/.well-known/oauth-protected-resource/mcp"`
      const without = await answer(LIST, {})
      assert.equal(without.status, 401)
      assert.equal(without.headers.get('www-authenticate'), `Bearer ${metadata}, scope="read propose write"`)
      assert.equal(without.body.jsonrpc, '2.0')
      const wrong = await answer(LIST, { Authorization: 'Bearer wrong' })
      assert.equal(wrong.status, 401)
      assert.equal(
        wrong.headers.get('www-authenticate'),
        `Bearer ${metadata}, error="invalid_token", scope="read propose write"`,
      )
    })

    it('takes a key only in a header: no cookie, no session, no password, nothing in the address or the body', async () => {
      const edna = await castInPages(world, 'edna')
      const cookie = { Cookie: edna.headers.Cookie as string, 'Sec-Fetch-Site': 'same-origin', 'X-Lacewing-Page': '1' }
      const token = (edna.headers.Cookie ?? '').split('=')[1] as string
      const others: Record<string, string>[] = [
        cookie,
        { 'X-TRACKER-TOKEN': token },
        { Authorization: `Bearer ${token}` },
        { 'X-TRACKER-LOGIN': cast.edna.login, 'X-TRACKER-PASSWORD': PASSWORD },
        { Authorization: `Basic ${btoa(`${cast.edna.login}:${PASSWORD}`)}` },
      ]
      for (const headers of others) assert.equal((await answer(LIST, headers)).status, 401, JSON.stringify(headers))
      const response = await fetch(`${world.url}/mcp?api_key=${cast.edna.apiKey}`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' },
        body: JSON.stringify({ ...LIST, api_key: cast.edna.apiKey }),
      })
      assert.equal(response.status, 401)
      assert.equal((await answer(LIST, { 'X-TRACKER-API-KEY': cast.edna.apiKey })).status, 200)
    })

    it('refuses pages of other sites, whatever they send', async () => {
      const { host } = new URL(world.url)
      for (const Origin of [
        'https://evil.example',
        'null',
        `https://${host}`,
        `${world.url}.evil.example`,
        'http://localhost:1',
      ])
        assert.equal((await answer(LIST, { ...KEY, Origin })).status, 403, Origin)
      assert.equal((await answer(LIST, { ...KEY, 'Sec-Fetch-Site': 'cross-site' })).status, 403)
      assert.equal((await answer(LIST, { ...KEY, Origin: world.url })).status, 200)
      const { headers } = await answer(LIST)
      assert.deepEqual([headers.get('access-control-allow-origin'), headers.get('cache-control')], [null, 'no-store'])
    })

    it('takes access tokens of OAuth that are for it, until they end', async () => {
      const program = await OAuthProgram.register(world)
      const session = await castInPages(world, 'edna')
      const { access_token, refresh_token } = await program.accessOf(session)
      const agent = await McpClient.connect(world, access_token)
      const id = await fileBug(world.edna)
      assert.equal((await agent.data('get_bug', { bug: id })).bug.id, id)
      const elsewhere = await program.accessOf(session, { resource: `${world.url}/rest` })
      assert.equal((await answer(LIST, { Authorization: `Bearer ${elsewhere.access_token}` })).status, 401)
      await program.refresh(refresh_token)
      await assert.rejects(agent.call('get_bug', { bug: id }), 'the token before has ended')
      await agent.close()
    })

    it('lists what the scopes of the key allow, and says what another tool needs', async () => {
      const program = await OAuthProgram.register(world)
      const { access_token } = await program.accessOf(await castInPages(world, 'edna'), { chosen_scope: 'read' })
      const agent = await McpClient.connect(world, access_token)
      const { tools } = await agent.sdk.listTools()
      assert.deepEqual(
        tools.map(({ name }) => name),
        ['search_bugs', 'get_bug', 'get_attachment', 'find_duplicates', 'get_product', 'count_bugs'],
      )
      await agent.close()
      const { status, headers } = await answer(call('add_comment', { bug: 1, comment: 'x' }), {
        Authorization: `Bearer ${access_token}`,
      })
      assert.equal(status, 403)
      const metadata = `resource_metadata="${world.url}/.well-known/oauth-protected-resource/mcp"`
      assert.equal(
        headers.get('www-authenticate'),
        `Bearer ${metadata}, error="insufficient_scope", scope="read write"`,
      )
    })

    it('is not there while use_mcp is off', async () => {
      await world.withParameters({ use_mcp: false }, async () => {
        assert.equal((await answer(LIST)).status, 404)
        assert.equal((await answer(LIST, {})).status, 404)
      })
      assert.equal((await answer(LIST)).status, 200)
    })

    it('counts requests against the limits of the REST API: each message, and each call that a tool makes', async () => {
      const user = await world.newUser()
      const own = { Authorization: `Bearer ${user.apiKey}` }
      const id = await fileBug(world.edna)
      await world.withParameters({ rate_limit_signed_in: 6 }, async () => {
        const statuses: (number | boolean)[] = []
        for (let round = 0; round < 4; round++) {
          const { status, body } = await answer(call('get_bug', { bug: id }), own)
          statuses.push(status === 200 ? body.result.isError === true : status)
        }
        assert.deepEqual(statuses, [false, true, 429, 429], 'a message and three calls each')
        const { headers } = await answer(LIST, own)
        assert.ok(Number(headers.get('retry-after')) > 0)
      })
    })

    it('is in the log and the metrics, with the calls of its tools', async () => {
      const id = await fileBug(world.edna)
      world.logged.splice(0)
      await answer(call('get_bug', { bug: id, parts: ['fields'] }))
      const lines = world.logged.filter(({ event }) => event === 'request')
      assert.deepEqual(
        lines.map(({ method, path, status }) => [method, path, status]),
        [
          ['GET', '/rest/bug/:ref', 200],
          ['POST', '/mcp', 200],
        ],
      )
      assert.ok(lines.every(({ user, address }) => typeof user === 'number' && address === '127.0.0.1'))
      const { text } = await world.ada.get('/metrics')
      assert.match(text, /path="\/mcp"/)
    })
  })

  describe('speaks the protocol', () => {
    it('refuses what is no message', async () => {
      const wrong: [string, number, string | object, Record<string, string>?][] = [
        ['no JSON', 400, '{'],
        ['a text', 400, '"x"'],
        ['a batch', 400, [LIST, LIST]],
        ['an empty batch', 400, []],
        ['nothing', 400, ''],
        ['no version', 400, { id: 1, method: 'tools/list' }],
        ['another version', 400, { ...LIST, jsonrpc: '1.0' }],
        ['deep nesting', 400, `${'{"a":'.repeat(50)}1${'}'.repeat(50)}`],
        ['very many values', 400, { ...LIST, params: { a: Array.from({ length: 30_000 }, () => 1) } }],
        ['a very long text', 400, call('add_comment', { bug: 1, comment: 'x'.repeat(1_100_000) })],
        ['a very long body', 413, call('add_comment', { bug: 1, comment: 'x'.repeat(4_300_000) })],
        ['no JSON type', 415, LIST, { ...KEY, 'Content-Type': 'text/plain' }],
        ['a form', 415, 'jsonrpc=2.0', { ...KEY, 'Content-Type': 'application/x-www-form-urlencoded' }],
        ['no accepted type', 406, LIST, { ...KEY, Accept: 'text/html' }],
      ]
      for (const [title, expected, message, headers = KEY] of wrong) {
        const { status, body, text } = await answer(message, headers)
        assert.equal(status, expected, `${title}: ${text}`)
        assert.equal(body.jsonrpc, '2.0', `${title}: ${text}`)
        assert.ok(body.error.code < 0, `${title}: ${text}`)
      }
    })

    it('has one method, and no sessions or streams', async () => {
      for (const method of ['GET', 'DELETE', 'PUT']) {
        const response = await fetch(`${world.url}/mcp`, { method, headers: { ...KEY, Accept: 'text/event-stream' } })
        assert.deepEqual([response.status, response.headers.get('allow')], [405, 'POST, OPTIONS'], method)
      }
      const begin = {
        jsonrpc: '2.0',
        id: 1,
        method: 'initialize',
        params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'x', version: '1' } },
      }
      const { status, headers, body } = await answer(begin)
      assert.equal(status, 200)
      assert.equal(headers.get('content-type'), 'application/json')
      assert.equal(headers.get('mcp-session-id'), null)
      assert.equal(body.result.protocolVersion, '2025-11-25')
      const listen = modern('subscriptions/listen', { filter: {} })
      const stream = await answer(listen, headersFor('subscriptions/listen'))
      assert.deepEqual([stream.status, stream.body.error.code], [404, -32601])
    })

    it('acknowledges notifications, also of what is cancelled, without a body', async () => {
      for (const method of ['notifications/initialized', 'notifications/cancelled', 'notifications/unknown']) {
        const { status, text } = await answer({ jsonrpc: '2.0', method, params: { requestId: 1 } })
        assert.deepEqual([status, text], [202, ''], method)
      }
    })

    it('checks the headers and the version of the protocol without a handshake', async () => {
      const good = await answer(
        modern('tools/call', { name: 'count_bugs', arguments: {} }),
        headersFor('tools/call', 'count_bugs'),
      )
      assert.equal(good.status, 200, good.text)
      assert.equal(good.body.result.resultType, 'complete')
      const wrong: [number, number, unknown, Record<string, string>][] = [
        [400, -32020, modern('tools/list'), headersFor('tools/call')],
        [400, -32020, modern('tools/call', { name: 'count_bugs' }), headersFor('tools/call', 'get_bug')],
        [404, -32601, modern('unknown/method'), headersFor('unknown/method')],
        [
          400,
          -32022,
          modern('tools/list', {}, '2027-01-01'),
          { ...headersFor('tools/list'), 'MCP-Protocol-Version': '2027-01-01' },
        ],
      ]
      for (const [status, code, message, headers] of wrong) {
        const reply = await answer(message, headers)
        assert.deepEqual([reply.status, reply.body.error.code], [status, code], reply.text)
      }
      const { body } = await answer(modern('server/discover'), headersFor('server/discover'))
      assert.deepEqual(body.result.supportedVersions, ['2026-07-28'])
      assert.deepEqual(body.result.capabilities, { tools: {}, resources: {} })
    })

    it('answers unknown methods, tools and resources with the codes of the protocol', async () => {
      const codes: [number, object][] = [
        [-32601, { ...LIST, method: 'prompts/list' }],
        [-32601, { ...LIST, method: 'constructor' }],
        [-32602, call('unknown')],
        [-32602, call('__proto__')],
        [-32602, { ...LIST, method: 'tools/call', params: {} }],
        [-32602, { ...LIST, method: 'resources/read', params: { uri: 'lacewing://bug/999999' } }],
        [-32602, { ...LIST, method: 'resources/read', params: { uri: 'x'.repeat(20_000) } }],
        [-32602, { ...LIST, method: 'resources/list', params: { cursor: 'x' } }],
      ]
      for (const [code, message] of codes) {
        const { body, text } = await answer(message)
        assert.equal(body.error?.code, code, text)
      }
    })
  })

  describe('to tools', () => {
    it('passes no name on that would change who makes a call, or what it does', async () => {
      const user = await world.newUser()
      const bug = { product: 'TestProduct', component: 'TestComponent', summary: 'Whose?', description: 'x' }
      const smuggled = [
        'api_key',
        'token',
        'Bugzilla_api_key',
        'Bugzilla_login',
        'login',
        'password',
        'ids',
        'callback',
        'dry_run',
      ]
      for (const name of smuggled) {
        for (const args of [
          { ...bug, [name]: cast.ada.apiKey },
          { ...bug, custom_fields: { [name]: cast.ada.apiKey } },
        ]) {
          const { body } = await answer(call('file_bug', args), { Authorization: `Bearer ${user.apiKey}` })
          assert.equal(body.result.isError, true, name)
          assert.match(body.result.content[0].text, /^Wrong arguments/, name)
        }
      }
      const id = await fileBug(world.edna)
      const changes = {
        groups: { add: ['x'] },
        is_creator_accessible: false,
        comment_is_private: {},
        ids: [id],
        dry_run: false,
      }
      for (const [name, value] of Object.entries(changes)) {
        const { body } = await answer(call('change_bug', { bug: id, changes: { [name]: value } }))
        assert.match(body.result.content[0].text, /^Wrong arguments/, name)
      }
      const { body } = await world.nobody.get('/rest/bug?summary=Whose&count_only=1')
      assert.equal(body.bug_count, 0)
    })

    it('keeps request_ids of one user apart from those of others', async () => {
      const bug = {
        product: 'TestProduct',
        component: 'TestComponent',
        summary: 'Same id',
        description: 'x',
        request_id: 'same',
      }
      const filed = async (apiKey: string) => {
        const { body } = await answer(call('file_bug', bug), { Authorization: `Bearer ${apiKey}` })
        return body.result.structuredContent.untrusted_data.id
      }
      assert.notEqual(await filed(cast.edna.apiKey), await filed(cast.ada.apiKey))
      assert.equal(await filed(cast.edna.apiKey), await filed(cast.edna.apiKey))
      const other = await answer(call('file_bug', { ...bug, summary: 'Another' }))
      assert.match(other.body.result.content[0].text, /key_used_otherwise|Idempotency-Key/)
    })
  })
})
