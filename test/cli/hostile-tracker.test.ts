import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { safeFileName } from '../../cli/reading/run-get.ts'
import { AnsweringServer } from '../support/answering-server.ts'
import { findProgram } from '../support/debian-program.ts'
import { CommandUser } from '../support/people-command.ts'
import { itInSoak } from '../support/sample.ts'

/** What steers a terminal: the title, the clipboard, the cursor, a link, C1 in one byte, deletion, another direction. */
const STEERING =
  '\x1b]0;title\x07\x1b]52;c;cm0gLXJm\x07\x1b[2J\x1b[8m\x9b31m\x7f\b\rover\u202egnp.exe\u2066\x1b]8;;http://evil.test\x07x'
// biome-ignore lint/suspicious/noControlCharactersInRegex: these must not come out.
const UNSAFE = /[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]/

describe('commands for people, with a hostile server', () => {
  const hostile = {
    id: 7,
    summary: STEERING,
    status: STEERING,
    creator: STEERING,
    alias: [STEERING],
    flags: [{ name: STEERING, status: '?', requestee: STEERING }],
    cf_x: `${STEERING}\nline`,
    [`cf_${STEERING}`]: 'value',
    last_change_time: STEERING,
    constructor: STEERING,
  }
  const comment = { id: 1, count: 0, text: `${STEERING}\n${STEERING}`, creator: STEERING, time: STEERING }
  const attachment = { id: 3, bug_id: 7, file_name: `../../${STEERING}`, summary: STEERING, data: 'aGVsbG8=', size: 5 }
  const replies = {
    '/version': { version: STEERING },
    '/whoami': { id: 1, name: STEERING, real_name: STEERING, scopes: [STEERING], groups: [{ name: STEERING }] },
    '/bug': { bugs: [hostile, { id: STEERING, summary: null }, {}], total_matches: 3 },
    '/bug/7': { bugs: [hostile] },
    '/bug/8': { code: 101, error: true, message: STEERING, status: 404, reason: STEERING },
    '/bug/9': { bugs: 'no list' },
    '/bug/7/comment': { bugs: { 7: { comments: [comment] } }, comments: {} },
    '/bug/7/history': {
      bugs: [
        {
          history: [
            { when: STEERING, who: STEERING, changes: [{ field_name: STEERING, removed: STEERING, added: STEERING }] },
          ],
        },
      ],
    },
    '/bug/7/attachment': { bugs: { 7: [attachment] }, attachments: {} },
    '/bug/attachment/3': { attachments: { 3: attachment }, bugs: {} },
    '/saved_search': { saved_searches: [{ name: STEERING, query: STEERING, owner: STEERING }] },
    '/inbox': {
      entries: [{ ...hostile, reasons: [STEERING], last: { user: STEERING, comment: { text: STEERING } } }],
      total: 1,
    },
    '/triage': { queues: [{ name: STEERING, group: STEERING, bug_count: STEERING }] },
    '/bug/7/code': {
      bug_id: 7,
      code: [{ kind: 'change', number: STEERING, title: STEERING, url: STEERING, state: STEERING, checks: STEERING }],
    },
  }
  let server: AnsweringServer
  let user: CommandUser
  before(async () => {
    server = await new AnsweringServer(replies).open()
    user = CommandUser.withKey(server.url, 'the-key')
  })
  after(() => server.close())

  const commands = [
    ['list'],
    ['list', '--columns', 'id,flags,alias,constructor'],
    ['list', '--csv'],
    ['search', '--saved'],
    ['show', '7'],
    ['show', '7', '8'],
    ['show', '8'],
    ['show', '9'],
    ['whoami'],
    ['inbox'],
    ['triage'],
    ['edit', '8', '--priority', 'High'],
    ['comment', '8', '-m', 'text'],
  ]
  it('prints nothing that steers a terminal, and valid JSON', async () => {
    for (const words of commands) {
      const { stdout, stderr } = await user.run(words)
      const shown = stdout.replaceAll('\r\n', '\n') + stderr
      assert.doesNotMatch(shown, UNSAFE, `${words.join(' ')}: ${JSON.stringify(shown)}`)
      assert.doesNotMatch(stderr, /\n\s+at /, stderr)
      if (words.includes('--csv')) continue
      const json = await user.run([...words, '--json'])
      assert.doesNotMatch(json.stdout, UNSAFE, words.join(' '))
      assert.doesNotThrow(() => JSON.parse(json.stdout), `${words.join(' ')}: ${json.stdout}`)
    }
    const { bugs } = JSON.parse((await user.run(['list', '--json'])).stdout)
    assert.equal(bugs[0].summary, STEERING)
    assert.match((await user.run(['show', '7'])).stdout, /\nCode\n {2}␛/)
  })

  it('writes an attachment only into this folder, under a visible name', async () => {
    const before = process.cwd()
    process.chdir(mkdtempSync(join(process.env.LACEWING_TEST_FOLDER ?? tmpdir(), 'get-')))
    try {
      const { status, stderr } = await user.run(['get', '3'])
      assert.equal(status, 0, stderr)
      const [file = ''] = readdirSync('.')
      assert.doesNotMatch(file, UNSAFE)
      const again = await user.run(['get', '3'])
      assert.deepEqual([again.status, /exists/.test(again.stderr)], [1, true])
    } finally {
      process.chdir(before)
    }
    const long = safeFileName(`${'x'.repeat(300)}.tar.png`, '3')
    assert.deepEqual([long.length, long.endsWith('x.png')], [60, true])
    const names = ['../../.bashrc', '/etc/passwd', '-rf', '..', '', 'C:\\x\\con.txt', 'a\u202egpj.exe', '.', 'ok.txt']
    const safe = names.map((name) => safeFileName(name, '3'))
    assert.deepEqual(safe, [
      'bashrc',
      'passwd',
      'rf',
      'attachment-3',
      'attachment-3',
      'con.txt',
      'a_gpj.exe',
      'attachment-3',
      'ok.txt',
    ])
  })

  it('sends the key to no other server, whatever a server, an environment or a path says', async () => {
    const thief = await new AnsweringServer({}).open()
    const redirecting = await new AnsweringServer({
      '/version': { version: '6' },
      '/bug': (_request, response) => response.writeHead(302, { Location: `${thief.url}/rest/bug` }).end(),
      'POST /bug/7/comment': (_request, response) => response.writeHead(307, { Location: `${thief.url}/rest/x` }).end(),
      '/bug/7': { bugs: [{ id: 7 }] },
      '/whoami': (_request, response) => response.writeHead(301, { Location: `${thief.url}/rest/whoami` }).end(),
    }).open()
    try {
      const victim = CommandUser.withKey(redirecting.url, 'the-key')
      for (const words of [['list'], ['whoami'], ['comment', '7', '-m', 'text'], ['api', 'GET', '/bug']]) {
        const { status, stderr } = await victim.run(words)
        assert.equal(status, 5, stderr)
        assert.match(stderr, /redirects to/)
      }
      // A Bugzilla 5 reads the key in the address, and web servers repeat that.
      const old = await new AnsweringServer({
        '/version': { version: '5.2' },
        '/bug': ({ url }, response) => response.writeHead(301, { Location: `${thief.url}${url}` }).end(),
      }).open()
      const moved = await CommandUser.withKey(old.url, 'the-key').run(['list'])
      old.close()
      assert.deepEqual([moved.status, /redirects to/.test(moved.stderr)], [5, true], moved.stderr)
      assert.doesNotMatch(moved.stdout + moved.stderr, /the-key/)
      const login = await new CommandUser().run(['login', redirecting.url, '--key-stdin'], 'the-key')
      assert.equal(login.status, 5, login.stderr)
      // The key of the environment is not for a server that is named.
      await victim.run(['list', '--server', thief.url])
      assert.deepEqual([thief.requests.length > 0, thief.requests.filter(({ key }) => key !== undefined)], [true, []])
      const unencrypted = await new CommandUser().run(['login', 'http://bugs.example.test', '--key-stdin'], 'the-key')
      assert.deepEqual([unencrypted.status, /--allow-http/.test(unencrypted.stderr)], [2, true])
    } finally {
      thief.close()
      redirecting.close()
    }
  })

  it('overwrites only with --force, and then only a file of this folder', async () => {
    const home = mkdtempSync(join(process.env.LACEWING_TEST_FOLDER ?? tmpdir(), 'get-'))
    const victim = join(home, 'victim')
    const attached = await new AnsweringServer({
      '/bug/attachment/4': { attachments: { 4: { ...attachment, id: 4, file_name: 'notes' } } },
      '/bug/attachment/5': { attachments: { 5: { id: 5, file_name: 'empty', size: 5 } } },
    }).open()
    const before = process.cwd()
    process.chdir(mkdtempSync(join(home, 'here-')))
    try {
      const reader = CommandUser.withKey(attached.url, 'key')
      writeFileSync(victim, 'precious')
      symlinkSync(victim, 'notes')
      assert.equal((await reader.run(['get', '4'])).status, 1)
      const forced = await reader.run(['get', '4', '--force'])
      assert.deepEqual(
        [forced.status, readFileSync(victim, 'utf8'), readFileSync('notes', 'utf8')],
        [0, 'precious', 'hello'],
      )
      symlinkSync(victim, 'own')
      assert.equal((await reader.run(['get', '4', '--force', '--output', 'own'])).status, 0)
      assert.equal(readFileSync(victim, 'utf8'), 'hello')
      const nothing = await reader.run(['get', '5'])
      assert.deepEqual([nothing.status, readdirSync('.').sort()], [5, ['notes', 'own']], nothing.stderr)
    } finally {
      process.chdir(before)
      attached.close()
    }
  })

  it('takes no other answer for that of a tracker', async () => {
    const nested = `${'['.repeat(9999)}${']'.repeat(9999)}`
    const bodies = ['null', '', '[]', '"x"', '{}', '{"bugs":"x"}', '{"bugs":[null]}', `{"bugs":[{"id":${nested}}]}`]
    const others = ['[1]', '{"queues":{},"entries":3,"saved_searches":[7],"attachments":5,"code":[]}']
    const attachments = ['/bug/7/comment', '/bug/7/history', '/bug/7/attachment', '/bug/attachment/3']
    let body = ''
    const answer = (_: IncomingMessage, response: ServerResponse) => void response.end(body)
    const strange = await new AnsweringServer({
      '/version': { version: '6.0.0' },
      ...Object.fromEntries(
        ['/bug', '/bug/7', ...attachments, '/inbox', '/triage', '/saved_search'].map((path) => [path, answer]),
      ),
      '/whoami': answer,
    }).open()
    try {
      const reader = CommandUser.withKey(strange.url, 'key')
      const reading = [
        ['list'],
        ['list', '--json'],
        ['list', '--csv'],
        ['show', '7'],
        ['get', '3'],
        ['inbox'],
        ['triage'],
        ['whoami'],
      ]
      for (body of [...bodies, ...others])
        for (const words of reading) {
          const { status, stdout, stderr } = await reader.run(words)
          const context = `${words.join(' ')} with ${body.slice(0, 50)}: ${stdout.slice(0, 500)}${stderr.slice(0, 500)}`
          assert.equal(status, 5, context)
          assert.match(stderr, /answered something that is not understood|did not come from this server/, context)
          assert.equal(stdout, words.includes('--json') ? stdout : '', context)
        }
    } finally {
      strange.close()
    }
  })

  it('prints no message without an end', async () => {
    const loud = await new AnsweringServer({
      '/bug': { status: 400, error: true, code: 51, message: 'x'.repeat(1e6) },
    }).open()
    try {
      const { stdout, stderr } = await CommandUser.withKey(loud.url, 'key').run(['list', '--json'])
      assert.ok(stdout.length + stderr.length < 5000, String(stdout.length + stderr.length))
    } finally {
      loud.close()
    }
  })

  it('says that a change is only proposed, where a key may do no more', async () => {
    const proposing = { status: 202, proposal: { id: 5 } }
    const careful = await new AnsweringServer({
      '/whoami': { scopes: ['propose'] },
      '/bug/7': { bugs: [{ id: 7 }] },
      '/bug/possible_duplicates': { bugs: [] },
      'POST /bug': proposing,
      'PUT /bug/7': proposing,
      'POST /bug/7/comment': proposing,
    }).open()
    try {
      const agent = CommandUser.withKey(careful.url, 'key')
      const filing = ['new', '--product', 'P', '--component', 'C', '--summary', 'S']
      for (const words of [filing, ['edit', '7', '--priority', 'High'], ['comment', '7', '-m', 'text']]) {
        const { status, stdout, stderr } = await agent.run(words)
        assert.deepEqual([status, stdout], [0, 'Proposal 5: it is carried out when somebody accepts it.\n'], stderr)
      }
    } finally {
      careful.close()
    }
  })

  itInSoak('colours only what it writes itself at a terminal', async () => {
    const script = findProgram({ name: 'script', package: 'bsdutils', versionOption: '--version' })
    if (script === undefined) return
    for (const words of [['list'], ['show', '7'], ['api', 'GET', '/bug/7'], ['list', '--csv']]) {
      const { printed } = await user.runAtTerminal(script, words)
      // biome-ignore lint/suspicious/noControlCharactersInRegex: the colours of this command.
      const plain = printed.replaceAll(/\x1b\[(?:0|1|2|3[1-6])m/g, '').replaceAll('\r\n', '\n')
      assert.doesNotMatch(plain, UNSAFE, `${words.join(' ')}: ${JSON.stringify(plain)}`)
    }
  })

  it('ends where an answer is broken, and says so once', async () => {
    const broken = await new AnsweringServer({
      '/whoami': { scopes: [] },
      '/bug': (request, response) => {
        if (/offset/.test(request.url ?? '')) return response.destroy()
        response.end(JSON.stringify({ bugs: Array.from({ length: 500 }, (_, id) => ({ id })) }))
      },
      '/version': (_request, response) => response.end('<html>a proxy</html>'),
    }).open()
    try {
      const client = CommandUser.withKey(broken.url, 'key')
      const list = await client.run(['list', '--all', '--columns', 'id', '--json'])
      assert.deepEqual([list.status, list.stdout.includes('error')], [5, false], list.stderr)
      const login = await client.run(['login', broken.url, '--key-stdin'], 'key')
      assert.equal(login.status, 5, login.stderr)
      assert.equal(existsSync(client.serversFile), false)
    } finally {
      broken.close()
    }
  })
})
