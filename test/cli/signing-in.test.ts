import assert from 'node:assert/strict'
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { join } from 'node:path'
import { after, before, beforeEach, describe, it } from 'node:test'
import { AnsweringServer } from '../support/answering-server.ts'
import { findProgram } from '../support/debian-program.ts'
import { CommandUser } from '../support/people-command.ts'

const ACCOUNT = '/user/1/api_key'

describe('signing in', () => {
  const script = findProgram({ name: 'script', package: 'bsdutils', versionOption: '--version' })
  let server: AnsweringServer
  let user: CommandUser
  let keys = 0
  before(async () => {
    server = await new AnsweringServer({
      '/version': { version: '6.0.0' },
      '/whoami': { id: 1, name: 'ada@x.test', scopes: ['read'] },
      '/login': (request: IncomingMessage, response: ServerResponse) => {
        const isRight = request.headers['x-tracker-password'] === 'right'
        const refusal = { error: true, code: 300, message: 'Wrong.', reason: 'wrong_credentials' }
        response.writeHead(isRight ? 200 : 401).end(JSON.stringify(isRight ? { id: 1, token: '1-x' } : refusal))
      },
      '/logout': { result: null },
      [`POST ${ACCOUNT}`]: (_: IncomingMessage, response: ServerResponse) => {
        keys++
        response.end(JSON.stringify({ id: keys, api_key: `key-${keys}` }))
      },
      [`DELETE ${ACCOUNT}/1`]: { id: 1 },
      [`DELETE ${ACCOUNT}/2`]: { id: 2 },
      '/bug': { bugs: [] },
    }).open()
  })
  after(() => server.close())
  beforeEach(() => {
    user = new CommandUser()
    keys = 0
    server.requests.splice(0)
  })
  const login = (words: readonly string[], password = 'right') =>
    user.runAtTerminal(
      script ?? '',
      ['login', server.url, '--login', 'ada@x.test', ...words],
      [['Password: ', `${password}\r`]],
    )
  const calls = (method: string) => server.requests.filter((it) => it.method === method).map(({ path }) => path)

  it('makes no key that nobody keeps', async () => {
    if (script === undefined) return
    const wrong = await user.run(['login', server.url, '--name', 'two words'])
    assert.deepEqual([wrong.status, server.requests], [2, []], wrong.stderr)
    writeFileSync(join(user.home, 'config'), '')
    const unsaved = await login([])
    assert.equal(unsaved.status, 1, unsaved.printed)
    assert.match(unsaved.printed, /servers\.json cannot be written/)
    assert.deepEqual([calls('POST'), calls('DELETE')], [[ACCOUNT], [`${ACCOUNT}/1`]])
  })

  it('revokes the key that it replaces, and does not replace that of another server', async () => {
    if (script === undefined) return
    assert.equal((await login(['--name', 'lamps'])).status, 0)
    const again = await login(['--name', 'lamps', '--admin'])
    assert.equal(again.status, 0, again.printed)
    assert.deepEqual(
      [calls('DELETE'), server.requests.find(({ method }) => method === 'DELETE')?.key],
      [[`${ACCOUNT}/1`], 'key-1'],
    )
    assert.match(readFileSync(user.serversFile, 'utf8'), /"key-2"/)
    const scopes = server.requests.filter(({ method }) => method === 'POST').map(({ body }) => JSON.parse(body).scopes)
    assert.deepEqual(scopes, [
      ['read', 'write'],
      ['read', 'write', 'admin'],
    ])
    const other = await user.run(['login', 'http://localhost:1', '--name', 'lamps', '--key-stdin'], 'key')
    assert.deepEqual([other.status, other.stderr.includes(`lamps is ${server.url}`)], [2, true], other.stderr)
  })

  it('says what is wrong in the words of who signs in', async () => {
    if (script === undefined) return
    const { status, printed } = await login([], 'wrong')
    assert.deepEqual(
      [status, /Wrong\.\n$/.test(printed), printed.includes('lacewing login')],
      [3, true, false],
      printed,
    )
    const away = await user.run(['login', 'http://127.0.0.1:1', '--key-stdin'], 'key')
    assert.match(away.stderr, /^http:\/\/127\.0\.0\.1:1 cannot be reached/)
    const not = await user.run(['login', server.url, '--key-stdin'], 'two words')
    assert.deepEqual([not.status, not.stderr], [2, 'That is not an API key.\n'])
  })

  it('names the default, if it is another server', async () => {
    assert.equal((await user.run(['login', server.url, '--key-stdin', '--name', 'one'], 'key')).stderr, '')
    const second = await user.run(['login', server.url, '--key-stdin', '--name', 'two'], 'key')
    assert.equal(second.stderr, 'one stays the default. Use --server two, or: lacewing servers --default two\n')
    assert.equal((await user.run(['list', '--server', 'three'])).status, 4)
  })

  it('does not read keys of a file that is not one', async () => {
    assert.equal((await user.run(['login', server.url, '--key-stdin'], 'key')).status, 0)
    const file = join(user.home, 'elsewhere')
    const text = readFileSync(user.serversFile, 'utf8')
    for (const [content, status] of [
      [text, 0],
      ['{"servers": 5}', 1],
      ['', 1],
    ] as const) {
      writeFileSync(file, content, { mode: 0o600 })
      const linked = new CommandUser()
      await linked.run(['login', server.url, '--key-stdin'], 'key')
      const { serversFile } = linked
      const words = ['list', '--columns', 'id']
      writeFileSync(serversFile, content)
      assert.equal((await linked.run(words)).status, status, content)
    }
    // People keep their settings somewhere else.
    const linked = new CommandUser()
    writeFileSync(file, text, { mode: 0o600 })
    mkdirSync(join(linked.serversFile, '..'), { recursive: true })
    symlinkSync(file, linked.serversFile)
    await linked.run(['login', server.url, '--key-stdin', '--name', 'second'], 'key')
    assert.match(readFileSync(file, 'utf8'), /"second"/)
  })

  it('says that a key of the environment is sent unencrypted, and sends none that is none', async () => {
    const open = CommandUser.withKey(server.url.replace('127.0.0.1', '0.0.0.0'), 'key')
    const { status, stderr } = await open.run(['list'])
    assert.deepEqual(
      [status, stderr.split('\n')[0]],
      [0, `The key is sent to ${open.environment.LACEWING_SERVER} unencrypted.`],
    )
    assert.doesNotMatch((await open.run(['list', '--quiet'])).stderr, /unencrypted/)
    const none = await CommandUser.withKey(server.url, 'ключ').run(['list'])
    assert.deepEqual([none.status, none.stderr], [2, 'LACEWING_API_KEY is not an API key.\n'])
    assert.equal(existsSync(open.serversFile), false)
  })
})
