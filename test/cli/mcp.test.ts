import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { AnsweringServer } from '../support/answering-server.ts'
import type { AnyBody } from '../support/body-types.ts'
import { cast } from '../support/cast.ts'
import { fileBug } from '../support/file-bug.ts'
import { LACEWING } from '../support/lacewing-command.ts'
import { answerIn, GENERATIONS, type Generation } from '../support/mcp-client.ts'
import { CommandUser } from '../support/people-command.ts'
import { inherited } from '../support/server-process.ts'
import { describeOnSqlite } from '../support/world.ts'

/** The official client, with `lacewing mcp` as its server. */
async function started(url: string, apiKey: string, words: readonly string[] = [], mode: Generation = 'auto') {
  const { environment } = CommandUser.withKey(url, apiKey)
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: ['--disable-warning=ExperimentalWarning', LACEWING, 'mcp', ...words],
    env: { ...inherited(), ...environment } as Record<string, string>,
    stderr: 'pipe',
  })
  let stderr = ''
  transport.stderr?.on('data', (chunk) => (stderr += chunk))
  const client = new Client({ name: 'test', version: '1.0.0' }, { versionNegotiation: { mode } })
  await client.connect(transport)
  return { client, stderr: () => stderr }
}

describe('lacewing mcp, with the answers of a Bugzilla 5', () => {
  it('works where it answers, and never lets it try a change, which it would make', async () => {
    const server = await new AnsweringServer(BUGZILLA).open()
    const { client } = await started(server.url, 'a-key')
    try {
      const call = async (name: string, args: object) =>
        answerIn((await client.callTool({ name, arguments: args as Record<string, unknown> })) as AnyBody)
      assert.equal((await client.listTools()).tools.length, 10)
      assert.equal((await call('search_bugs', { quicksearch: 'engine' })).data.bugs[0].summary, 'engine stalls')
      const read = await call('get_bug', { bug: 12, parts: ['fields', 'comments', 'history', 'attachments'] })
      assert.deepEqual([read.data.comments[0].text, read.data.attachments[0].is_obsolete], ['It stalls.', 0])
      assert.equal((await call('get_attachment', { attachment: 5 })).data.text, 'hello attachment\n')
      const change = { bug: 12, changes: { priority: 'High' } }
      const tried = await call('change_bug', change)
      assert.deepEqual(tried.data.changes, { priority: { removed: '---', added: 'High' } })
      assert.deepEqual(
        server.requests.filter(({ method }) => method !== 'GET'),
        [],
      )
      const done = await call('change_bug', { ...change, confirm: tried.structured.confirm })
      assert.equal(done.structured.is_done, true, done.text)
      const filed = await call('file_bug', { product: 'W', component: 'C', summary: 's', description: 'd' })
      assert.equal(filed.data.url, `${server.url}/show_bug.cgi?id=13`)
      assert.ok((await call('find_duplicates', { summary: 'x' })).isError)
      const written = server.requests.filter(({ method }) => method !== 'GET')
      assert.deepEqual(
        written.map(({ method, path, body }) => {
          const { api_key, dry_run } = JSON.parse(body)
          return [method, path, api_key, dry_run]
        }),
        [
          ['PUT', '/bug/12', 'a-key', undefined],
          ['POST', '/bug', 'a-key', undefined],
        ],
      )
    } finally {
      await client.close()
      server.close()
    }
  })
})

describe('lacewing mcp, with a key that may only propose', () => {
  it('says of each write that it is stored and not done', async () => {
    const proposed = { status: 202, proposal: { id: 7, state: 'pending' } }
    const server = await new AnsweringServer({
      ...BUGZILLA,
      'POST /bug': proposed,
      'PUT /bug/12': proposed,
      'POST /bug/12/comment': proposed,
      'POST /bug/12/attachment': proposed,
    }).open()
    const { client } = await started(server.url, 'a-key')
    try {
      const call = async (name: string, args: object) =>
        answerIn((await client.callTool({ name, arguments: args as Record<string, unknown> })) as AnyBody)
      const change = { bug: 12, changes: { priority: 'High' } }
      const { confirm } = (await call('change_bug', change)).structured
      const answers = [
        await call('change_bug', { ...change, confirm }),
        await call('file_bug', { product: 'W', component: 'C', summary: 's', description: 'd' }),
        await call('add_comment', { bug: 12, comment: 'x' }),
        await call('attach_file', { bug: 12, file_name: 'a.txt', summary: 'x', text: 'x' }),
      ]
      for (const { text, structured, isError } of answers) {
        assert.match(text, /^Stored as proposal 7, not done yet: a person must accept it\./)
        assert.deepEqual([structured.is_done, structured.proposal, isError], [false, 7, false])
      }
    } finally {
      await client.close()
      server.close()
    }
  })
})

/** As a Bugzilla 5.2 answered, with ids and times filled in. */
const BUGZILLA = {
  '/version': { version: '5.2+' },
  '/bug': { bugs: [{ id: 12, summary: 'engine stalls' }] },
  '/bug/12': {
    faults: [],
    bugs: [{ id: 12, summary: 'engine stalls', priority: '---', last_change_time: '2024-01-02T03:04:05Z' }],
  },
  '/bug/12/comment': {
    bugs: { 12: { comments: [{ count: 0, text: 'It stalls.', creator: 'plain@example.com' }] } },
    comments: {},
  },
  '/bug/12/history': { bugs: [{ id: 12, alias: [], history: [] }] },
  '/bug/12/attachment': {
    attachments: {},
    bugs: { 12: [{ id: 5, file_name: 'a.txt', size: 17, is_obsolete: 0, is_private: 0 }] },
  },
  '/bug/attachment/5': {
    attachments: { 5: { id: 5, size: 17, content_type: 'text/plain', data: 'aGVsbG8gYXR0YWNobWVudAo=' } },
    bugs: {},
  },
  '/bug/possible_duplicates': { error: true, code: 100, message: 'That alias does not exist.', status: 400 },
  'POST /bug': { id: 13 },
  'PUT /bug/12': { bugs: [{ changes: { priority: { added: 'High', removed: '---' } }, id: 12, alias: [] }] },
}

describeOnSqlite('lacewing mcp', (world) => {
  let client: Client
  before(async () => {
    client = (await started(world.url, cast.edna.apiKey)).client
  })
  after(() => client.close())

  const call = async (name: string, args: object, from = client) =>
    answerIn((await from.callTool({ name, arguments: args as Record<string, unknown> })) as AnyBody)

  it('has the same tools as the server, and acts with the key of the command line', async () => {
    const { tools } = await client.listTools()
    assert.equal(tools.length, 10)
    const bug = {
      product: 'TestProduct',
      component: 'TestComponent',
      summary: 'From a pipe',
      description: 'x',
      request_id: 'a',
    }
    const filed = await call('file_bug', bug)
    assert.equal((await call('file_bug', bug)).data.id, filed.data.id)
    const { bugs } = (await call('search_bugs', { quicksearch: 'pipe' })).data
    assert.equal(bugs[0].summary, 'From a pipe')
    const tried = await call('change_bug', { bug: filed.data.id, changes: { priority: 'Low' } })
    const { confirm } = tried.structured
    const done = await call('change_bug', { bug: filed.data.id, changes: { priority: 'Low' }, confirm })
    assert.equal(done.structured.is_done, true, done.text)
    const { body } = await world.nobody.get(`/rest/bug/${filed.data.id}`)
    assert.deepEqual([body.bugs[0].priority, body.bugs[0].creator], ['Low', cast.edna.login])
    const again = await call('change_bug', { bug: filed.data.id, changes: { priority: 'Low' }, confirm })
    assert.equal(again.data.code, 412)
  })

  it('says what the server refuses, and that it cannot be reached', async () => {
    const refused = await call('get_bug', { bug: 999_999 })
    assert.deepEqual([refused.isError, refused.data.code], [true, 101])
    const [content] = (await client.readResource({ uri: `lacewing://bug/${await fileBug(world.edna)}` })).contents
    assert.match(String((content as { text?: string }).text), /<untrusted-data-/)
  })

  it('only reads with --read-only, whatever is called', async () => {
    const bug = await fileBug(world.edna)
    for (const mode of GENERATIONS) {
      const { client: reader, stderr } = await started(world.url, cast.edna.apiKey, ['--read-only'], mode)
      try {
        assert.equal((await reader.listTools()).tools.length, 6, mode)
        assert.match(stderr(), /^MCP for .*, only reading/)
        const comment = { name: 'add_comment', arguments: { bug, comment: 'x' } }
        await assert.rejects(reader.callTool(comment), { code: -32602 })
      } finally {
        await reader.close()
      }
    }
    const { body } = await world.edna.get(`/rest/bug/${bug}/comment`)
    assert.equal(body.bugs[bug]?.comments.length, 1, 'only the description')
  })

  it('says on standard error why it cannot begin, and ends with its input', async () => {
    const user = CommandUser.withKey(world.url, 'wrong')
    const wrong = await user.run(['mcp'])
    assert.deepEqual([wrong.status, wrong.stdout], [3, ''])
    assert.match(wrong.stderr, /API key is unknown/)
    const json = await CommandUser.withKey(world.url, cast.edna.apiKey).run(['mcp', '--json'])
    assert.equal(json.status, 2)
  })
})
