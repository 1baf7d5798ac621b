import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { AnsweringServer } from '../support/answering-server.ts'
import { findProgram } from '../support/debian-program.ts'
import { endOf, startLacewing } from '../support/lacewing-command.ts'
import { CommandUser } from '../support/people-command.ts'
import { itInSoak } from '../support/sample.ts'
import { until } from '../support/until.ts'

const TEXT = 'Many words\n\n# of mine'
const FILING = ['new', '--product', 'P', '--component', 'C', '--summary', 'S']
const WRITING: readonly (readonly [words: readonly string[], call: string])[] = [
  [['comment', '7', '--message', TEXT], 'POST /bug/7/comment'],
  [['edit', '7', '--priority', 'High', '--message', TEXT], 'PUT /bug/7'],
  [[...FILING, '--message', TEXT], 'POST /bug'],
  [['attach', '7', '/etc/hostname', '--message', TEXT], 'POST /bug/7/attachment'],
]
/** What a write may be answered with although nothing is written: by a proxy, the page of a network to log in to, or a Bugzilla with a fault. */
const NOT_WRITTEN: readonly (readonly [what: string, status: number, body: string, exitCode: number])[] = [
  ['nothing', 200, '', 5],
  ['null', 200, 'null', 5],
  ['an empty object', 200, '{}', 5],
  ['a list', 200, '[1]', 5],
  ['a text', 200, '"ok"', 5],
  ['a page', 200, '<html>Log in to this network</html>', 5],
  ['a fault with status 200', 200, '{"error":true,"code":100500,"message":"crashed"}', 5],
  ['no number', 200, '{"id":"x","ids":["x"],"bugs":[{}]}', 5],
  ['a refusal', 400, '{"error":true,"code":113,"message":"No."}', 1],
  ['an overload', 503, '{"error":true,"code":100500,"message":"Later."}', 5],
]
const OTHERS = {
  '/version': { version: '6.0.0' },
  '/whoami': { scopes: ['write'] },
  'GET /bug/7': { bugs: [{ id: 7, summary: 'A lamp' }] },
  '/bug/possible_duplicates': { bugs: [] },
}

function keptIn(printed: string): string {
  return /Your text is in (\S+)/.exec(printed)?.[1] ?? ''
}

describe('a text that the server does not take', () => {
  it('is in a file, which is named, whatever the server answers', async () => {
    for (const [what, status, body, exitCode] of NOT_WRITTEN) {
      const writes = WRITING.map(([, call]) => call)
      const reply = (_: IncomingMessage, response: ServerResponse) => void response.writeHead(status).end(body)
      const server = await new AnsweringServer({
        ...OTHERS,
        ...Object.fromEntries(writes.map((call) => [call, reply])),
      }).open()
      try {
        for (const [words, call] of WRITING) {
          const user = CommandUser.withKey(server.url, 'key')
          const result = await user.run(words)
          const context = `${words[0]} with ${what}: ${JSON.stringify(result)}`
          assert.ok(
            server.requests.some(({ method, path }) => `${method} ${path}` === call),
            context,
          )
          assert.equal(result.status, exitCode, context)
          assert.doesNotMatch(result.stdout, /undefined|null/, context)
          const file = keptIn(result.stderr)
          assert.ok(file !== '' && readFileSync(file, 'utf8').includes(TEXT), context)
          assert.equal(statSync(file).mode & 0o777, 0o600)
        }
      } finally {
        server.close()
      }
    }
  })

  it('is in a file if it was piped in, and if the server is away', async () => {
    const away = CommandUser.withKey('http://127.0.0.1:1', 'key')
    const { status, stderr } = await away.run(['comment', '7'], TEXT)
    assert.deepEqual([status, readFileSync(keptIn(stderr), 'utf8')], [5, TEXT], stderr)
    const server = await new AnsweringServer({}).open()
    try {
      const user = CommandUser.withKey(server.url, 'key')
      for (const words of [
        ['edit', '7', '--file', '-'],
        ['attach', '7', '-'],
        [...FILING, '--file', '-'],
      ]) {
        const { stderr: printed } = await user.run(words, TEXT)
        assert.ok(readFileSync(keptIn(printed), 'utf8').includes(TEXT), printed)
      }
    } finally {
      server.close()
    }
  })

  it('is sent by the command that is named with it, and then there is no file any more', async () => {
    let isAway = true
    const refused = { error: true, code: 1, message: 'No.' }
    const answer = (body: object) => (_: IncomingMessage, response: ServerResponse) =>
      void response.writeHead(isAway ? 400 : 200).end(JSON.stringify(isAway ? refused : body))
    const server = await new AnsweringServer({
      ...OTHERS,
      'POST /bug/7/comment': answer({ id: 5 }),
      'POST /bug': answer({ id: 8 }),
      'POST /bug/7/attachment': answer({ ids: [9] }),
    }).open()
    try {
      const user = CommandUser.withKey(server.url, 'key')
      const filing = [
        ...FILING,
        '--priority',
        'High',
        '--cc',
        'a@x.test,b@x.test',
        '--flag',
        'review?a@x.test',
        '--set',
        'url=http://x.test:8/',
        '--set',
        'cf_a=1',
      ]
      for (const words of [
        ['comment', '7', '-m', TEXT],
        [...filing, '-m', TEXT],
        ['attach', '7', '/etc/hostname', '-m', TEXT],
        ['attach', '7', '-'],
      ]) {
        isAway = true
        const { stderr } = await user.run(words, TEXT)
        const [first] = server.requests.splice(0).filter(({ method }) => method === 'POST')
        isAway = false
        const again = /Go on with: lacewing (.*)/.exec(stderr)?.[1] ?? ''
        const { status, stderr: more } = await user.run(again.split(' '))
        assert.equal(status, 0, `${again}: ${more}`)
        const [second] = server.requests.splice(0).filter(({ method }) => method === 'POST')
        const { summary: _, ...sent } = JSON.parse(first?.body ?? '{}')
        const { summary, ...sentAgain } = JSON.parse(second?.body ?? '{}')
        assert.deepEqual(sentAgain, sent, `${again} ${summary}`)
      }
      assert.deepEqual(
        readdirSync(user.textFolder).filter((name) => !name.startsWith('attachment-')),
        [],
      )
    } finally {
      server.close()
    }
  })

  itInSoak('is named when the command is interrupted', async () => {
    const server = await new AnsweringServer({
      ...OTHERS,
      'POST /bug/7/comment': () => undefined,
      'PUT /bug/7': () => undefined,
      'POST /bug': () => undefined,
    }).open()
    try {
      for (const [words, call] of WRITING.slice(0, 3)) {
        const user = CommandUser.withKey(server.url, 'key')
        server.requests.splice(0)
        const child = startLacewing({ dataFolder: user.home, databaseUrl: '' }, words, user.environment)
        const ended = endOf(child, '')
        await until(() => server.requests.some(({ method, path }) => `${method} ${path}` === call))
        child.kill('SIGINT')
        const { status, stderr } = await ended
        assert.equal(status, 130, stderr)
        assert.ok(readFileSync(keptIn(stderr), 'utf8').includes(TEXT), stderr)
      }
    } finally {
      server.close()
    }
  })

  it('stays in a file of the user', async () => {
    const server = await new AnsweringServer({ ...OTHERS, 'POST /bug/7/comment': { id: 5 } }).open()
    try {
      const user = CommandUser.withKey(server.url, 'key')
      const own = join(user.home, 'own.md')
      writeFileSync(own, TEXT)
      assert.equal((await user.run(['comment', '7', '--file', own])).status, 0)
      assert.equal(readFileSync(own, 'utf8'), TEXT)
      assert.equal(existsSync(user.textFolder), false)
    } finally {
      server.close()
    }
  })
})

describe('a text in the editor', () => {
  const script = findProgram({ name: 'script', package: 'bsdutils', versionOption: '--version' })
  let server: AnsweringServer
  let user: CommandUser
  const editWith = (text: string) => {
    const editor = join(user.home, 'editor')
    writeFileSync(editor, `#!/bin/sh\n${text}\n`, { mode: 0o700 })
    user.environment.EDITOR = editor
  }
  before(async () => {
    server = await new AnsweringServer({
      ...OTHERS,
      '/product': { products: [{ name: 'P', components: [{ name: 'C' }, { name: 'Old', is_active: false }] }] },
      '/bug/possible_duplicates': { bugs: [{ id: 3, summary: 'The same', status: 'NEW' }] },
      'POST /bug/7/comment': { error: true, code: 113, message: 'No.', status: 400 },
    }).open()
    user = CommandUser.withKey(server.url, 'secret-key')
  })
  after(() => server.close())

  itInSoak('is named if the editor fails after typing, and is no file if nothing was typed', async () => {
    if (script === undefined) return
    editWith('exit 3')
    const empty = await user.runAtTerminal(script, ['comment', '7'])
    assert.match(empty.printed, /ended with 3\.\n$/)
    assert.deepEqual(readdirSync(user.textFolder), [])
    editWith('env > "$HOME/environment"; echo typed > "$1"; exit 3')
    const typed = await user.runAtTerminal(script, ['comment', '7'])
    assert.equal(readFileSync(keptIn(typed.printed), 'utf8'), 'typed\n')
    // The key is not for the editor.
    assert.doesNotMatch(readFileSync(join(user.home, 'environment'), 'utf8'), /secret-key/)
  })

  it('is kept without what explains it', async () => {
    if (script === undefined) return
    editWith('{ echo typed; cat "$1"; } > "$1.new"; cat "$1.new" > "$1"; rm "$1.new"')
    const { status, printed } = await user.runAtTerminal(script, ['comment', '7'])
    assert.equal(status, 1, printed)
    assert.equal(readFileSync(keptIn(printed), 'utf8'), 'typed')
  })

  itInSoak('is asked for after likely duplicates, and named if one gives up', async () => {
    if (script === undefined) return
    editWith('cat "$1" > "$HOME/seen"; echo "not a field" > "$1"')
    const given = await user.runAtTerminal(script, FILING, [['File the bug anyway? [y/N] ', 'n\r']])
    assert.deepEqual([given.status, existsSync(join(user.home, 'seen'))], [1, false], given.printed)
    const gone = await user.runAtTerminal(script, ['new', '--product', 'P'], [['Edit it again? [y/N] ', '\x03']])
    assert.equal(gone.status, 2, gone.printed)
    assert.equal(readFileSync(keptIn(gone.printed), 'utf8'), 'not a field')
    assert.match(readFileSync(join(user.home, 'seen'), 'utf8'), />8.*\nComponents of P: C\n$/s)
  })
})
