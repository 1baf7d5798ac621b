import assert from 'node:assert/strict'
import { chmodSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { join } from 'node:path'
import { it } from 'node:test'
import { codeOf } from '../../src/people/factors/totp.ts'
import { AnsweringServer } from '../support/answering-server.ts'
import { cast, PASSWORD } from '../support/cast.ts'
import { findProgram } from '../support/debian-program.ts'
import { differences, fencedIn } from '../support/doc-examples.ts'
import { fileBug } from '../support/file-bug.ts'
import { inOneWorld } from '../support/one-world.ts'
import { CommandUser } from '../support/people-command.ts'
import { newProposer } from '../support/proposals.ts'
import { itInSoak } from '../support/sample.ts'

const SHOWN = 'http://127.0.0.1:8080'

/** The words of a line such as `lacewing list 'two words'`, which begins a pipe or is the end of one. */
function wordsOf(line: string): { input: string; words: string[] } {
  const [, input = '', command = ''] = /^(?:echo '([^']*)' \| )?lacewing (.*)$/.exec(line) ?? []
  return { input: `${input}\n`, words: [...command.matchAll(/'([^']*)'|(\S+)/g)].map((it) => it[1] ?? it[2] ?? '') }
}

function keptFile(printed: string): string {
  return /Your text is in (\S+)/.exec(printed)?.[1] ?? ''
}

function matcherOf(shown: string): RegExp {
  const lines = shown.split('\n').map((line) => line.trimEnd().split('…').map(RegExp.escape).join('.*'))
  return new RegExp(`^${lines.join(' *\\n')}\\s*$`, 's')
}

const describeHere = inOneWorld().onOneEngine

describeHere('docs/command-line.md', (world) => {
  const user = new CommandUser()
  const blocks = fencedIn('docs/command-line.md')
  const own = (text: string) =>
    text
      .replaceAll('my-first-key', cast.ada.apiKey)
      .replaceAll(SHOWN, world.url)
      .replaceAll('@example.com', '@lacewing.test')
  for (const [at, block] of blocks.entries()) {
    if (block.language !== 'sh') continue
    it(`shows what is printed: ${block.text.split('\n')[0]} (${block.place})`, async () => {
      let [stdout, stderr] = ['', '']
      for (const line of own(block.text).split('\n')) {
        const { input, words } = wordsOf(line)
        const result = await user.run(words, input)
        stdout += result.stdout.replaceAll('\r\n', '\n')
        stderr += result.stderr
      }
      const shown = blocks[at + 1]
      if (shown?.language === 'json') assert.deepEqual(differences(JSON.parse(stdout), JSON.parse(shown.text)), [])
      else assert.match(stdout === '' ? stderr : stdout, matcherOf(own(shown?.text ?? '')))
    })
  }

  it('names every command', () => {
    const text = readFileSync(new URL('../../docs/command-line.md', import.meta.url), 'utf8')
    const commands = ['login', 'logout', 'servers', 'whoami', 'list', 'search', 'show', 'get', 'open', 'new', 'edit']
    for (const name of [...commands, 'comment', 'attach', 'inbox', 'triage', 'follow', 'mcp', 'api'])
      assert.match(text, new RegExp(`(?:\`|^|    )(?:lacewing )?${name}\\b`, 'm'), name)
  })
})

describeHere('commands for people, through pipes', (world) => {
  const user = () => CommandUser.withKey(world.url, cast.edna.apiKey)

  it('ends with a code for each kind of failure, and with one document', async () => {
    const edna = user()
    const wrongKey = CommandUser.withKey(world.url, 'x'.repeat(40))
    const noServer = CommandUser.withKey('http://127.0.0.1:1', 'key')
    const noKey = new CommandUser()
    const keyAlone = new CommandUser()
    keyAlone.environment.LACEWING_API_KEY = cast.edna.apiKey
    const cases: [CommandUser, string[], number][] = [
      [edna, ['show', '999999'], 4],
      [edna, ['edit', '999999', '--priority', 'High'], 4],
      [edna, ['list', '--limit', '0'], 2],
      [edna, ['list', '--columns', 'id;x'], 2],
      [edna, ['list', '--param', 'f1=nosuch', '--param', 'o1=equals', '--param', 'v1=1'], 1],
      [edna, ['api', 'GET', 'http://127.0.0.1:1/rest/bug'], 2],
      [edna, ['api', 'GET', '/../admin'], 2],
      [edna, ['api', 'GET', '/%2e%2e/admin'], 2],
      [edna, ['api', 'GET', '/nosuchcall'], 7],
      [edna, ['get', '1/../2'], 2],
      [edna, ['inbox', 'done'], 2],
      [edna, ['new', '--summary', 'Only a summary'], 2],
      [wrongKey, ['whoami'], 3],
      [noServer, ['comment', '1', '-m', 'text'], 5],
      [noKey, ['list'], 3],
      [keyAlone, ['list'], 2],
    ]
    for (const [who, words, code] of cases) {
      const { status, stdout, stderr } = await who.run([...words, '--json'])
      assert.equal(status, code, `${words.join(' ')}: ${stdout}${stderr}`)
      const document = JSON.parse(stdout)
      assert.ok(document.error ?? document.bugs[0].error, stdout)
      // The response of a call has the message.
      if (words[0] !== 'api' || code === 2) assert.notEqual(stderr, '')
      assert.doesNotMatch(stderr, /\n\s+at /)
    }
  })

  it('changes several bugs, says which were refused, and does not overwrite what was changed meanwhile', async () => {
    const edna = user()
    const filed = await edna.run([
      'new',
      '--product',
      'TestProduct',
      '--component',
      'TestComponent',
      '--summary',
      'One',
    ])
    const id = filed.stdout.trim()
    const both = await edna.run([
      'edit',
      id,
      '999999',
      '--priority',
      'High',
      '--version',
      'unspecified',
      '--set',
      'keywords=',
      '--json',
    ])
    assert.equal(both.status, 4)
    const [changed, refused] = JSON.parse(both.stdout).bugs
    assert.deepEqual(changed.changes.priority, { removed: '---', added: 'High' })
    assert.equal(refused.exit_code, 4)
    const fresh = JSON.parse((await edna.run(['show', id, '--json'])).stdout).bugs[0]
    const known = await edna.run(['edit', id, '--priority', 'Low', '--unchanged-since', fresh.last_change_time])
    assert.equal(known.status, 0, known.stderr)
    const since = ['--unchanged-since', '2001-02-03T04:05:06Z']
    const late = await edna.run(['edit', id, '--severity', 'critical', '-m', 'Typed with care', ...since])
    assert.deepEqual([late.status, late.stdout], [6, ''])
    const kept = keptFile(late.stderr)
    assert.equal(readFileSync(kept, 'utf8'), 'Typed with care')
    assert.equal(statSync(kept).mode & 0o777, 0o600)
    assert.equal(JSON.parse((await edna.run(['show', id, '--json'])).stdout).bugs[0].severity, 'normal')
  })

  it('says which names of fields the server does not know', async () => {
    const edna = user()
    const filing = ['new', '--product', 'TestProduct', '--component', 'TestComponent', '--summary', 'Names', '--yes']
    const filed = await edna.run([...filing, '--set', 'creation_time=2001-01-01', '--json'])
    const { id, ignored } = JSON.parse(filed.stdout)
    assert.deepEqual(
      [filed.status, ignored, filed.stderr.includes('Without effect: creation_time.')],
      [0, ['creation_time'], true],
    )
    const edited = await edna.run(['edit', String(id), '--set', 'sumary=x', '--priority', 'High'])
    assert.deepEqual([edited.status, edited.stdout], [1, ''])
    assert.equal(edited.stderr, `Bug ${id} is changed; it has no field sumary.\n  priority: --- → High\n`)
    const documents = JSON.parse((await edna.run(['edit', String(id), '--set', 'sumary=x', '--json'])).stdout)
    assert.deepEqual(documents.bugs, [{ id, changes: {}, ignored: ['sumary'] }])
    for (const form of [[], ['--csv'], ['--json']]) {
      const { status, stderr } = await edna.run(['list', String(id), '--columns', 'id,sumary', ...form])
      assert.deepEqual([status, stderr], [0, 'No bug has a field sumary.\n'])
    }
    assert.equal((await edna.run(['list', '--csv', '--json'])).status, 2)
    assert.equal((await edna.run(['list', '--param', 'product=TestProduct', '--count'])).stdout.trim().length > 0, true)
  })

  it('follows what happens to the bugs of a search, as it happens', async () => {
    const place = { product: 'TestProduct', component: 'TestComponent' }
    const { id } = (await world.edna.post('/rest/bug', { ...place, summary: 'Pufferfish swim' })).body
    let isOver = false
    const following = user()
      .run(['follow', 'pufferfish', '--events', '2'])
      .finally(() => {
        isOver = true
      })
    // Only what happens after the command has begun counts.
    for (let at = 1; !isOver; at++) {
      await world.edna.post('/rest/bug', { ...place, summary: 'Something else' })
      await world.edna.post(`/rest/bug/${id}/comment`, { comment: `Comment of the ${at}th round` })
    }
    const { status, stdout } = await following
    const lines = stdout.trimEnd().split('\n')
    assert.deepEqual([status, lines.length], [0, 4], stdout)
    for (const at of [0, 2])
      assert.match(lines[at] ?? '', new RegExp(`^\\S+ \\S+ ${id} comment\\.create by edna@lacewing\\.test$`))
    assert.match(lines[1] ?? '', /^ {2}Comment of the \d+th round$/)
  })

  it('says that comments are left out, and how to read a queue without a terminal', async () => {
    const edna = user()
    const place = { product: 'TestProduct', component: 'TestComponent', summary: 'Much said' }
    const { id } = (await world.edna.post('/rest/bug', place)).body
    for (const comment of ['one', 'two', 'three']) await world.edna.post(`/rest/bug/${id}/comment`, { comment })
    const all = await edna.run(['show', String(id)])
    const two = await edna.run(['show', String(id), '--comments', '2'])
    assert.deepEqual(
      [all, two].map(({ stdout }) => stdout.includes('Older comments are left out')),
      [false, true],
    )
    assert.doesNotMatch(two.stdout, /^one$/m)
    const undone = await edna.run(['inbox', 'undo', 'nosuch'])
    assert.deepEqual([undone.status, undone.stderr.startsWith('Nothing was undone')], [4, true])
    const queue = await edna.run(['triage', 'Two words'])
    assert.match(queue.stderr, /lacewing api GET \/triage\/Two%20words\n$/)
  })

  it('says who has changed a bug between reading and writing, and overwrites nothing', async () => {
    const place = { product: 'TestProduct', component: 'TestComponent', summary: 'Changed by two' }
    const { id } = (await world.edna.post('/rest/bug', place)).body
    // Somebody else is faster, each time after the bug was read.
    const between = await new AnsweringServer({
      '/whoami': { scopes: [] },
      [`/bug/${id}/history`]: (request, response) => void pass(request, response),
      [`PUT /bug/${id}`]: (request, response) => void pass(request, response),
      [`GET /bug/${id}`]: async (request, response) => {
        await pass(request, response, () => world.ada.put(`/rest/bug/${id}`, { priority: 'Highest' }))
      },
    }).open()
    const pass = async (
      request: IncomingMessage,
      response: ServerResponse,
      meanwhile = async (): Promise<unknown> => undefined,
    ) => {
      const { method = '', headers } = request
      const match = headers['if-match']
      const answer = await fetch(`${world.url}${request.url}`, {
        method,
        headers: {
          'Content-Type': 'application/json',
          'X-BUGZILLA-API-KEY': cast.edna.apiKey,
          ...(match && { 'If-Match': match }),
        },
        ...(method === 'PUT' && { body: between.requests.at(-1)?.body ?? '' }),
      })
      const text = await answer.text()
      await meanwhile()
      response.writeHead(answer.status, { ETag: answer.headers.get('ETag') ?? '' }).end(text)
    }
    try {
      const edna = CommandUser.withKey(between.url, cast.edna.apiKey)
      const { status, stderr } = await edna.run(['edit', String(id), '--priority', 'Low'])
      assert.equal(status, 6, stderr)
      assert.match(stderr, /somebody else changed it meanwhile \(ada@lacewing\.test: priority\)/)
      const { body } = await world.edna.get(`/rest/bug/${id}`)
      assert.equal(body.bugs[0]?.priority, 'Highest')
    } finally {
      between.close()
    }
  })

  it('keeps a text in a file, or prints it, if the server does not take it', async () => {
    const edna = user()
    const refused = await edna.run(['comment', '999999'], 'typed before that is known')
    assert.equal(refused.status, 4)
    assert.equal(readFileSync(keptFile(refused.stderr), 'utf8'), 'typed before that is known')
    const { body } = await world.edna.post('/rest/bug', {
      product: 'TestProduct',
      component: 'TestComponent',
      summary: 'To be commented on',
    })
    const stan = CommandUser.withKey(world.url, cast.stan.apiKey)
    const secret = await stan.run(['comment', String(body.id), '--private'], 'Many words\nof mine')
    assert.equal(secret.status, 1, secret.stderr)
    assert.equal(readFileSync(keptFile(secret.stderr), 'utf8'), 'Many words\nof mine')
    // A file where the folder should be is like a disk that is full.
    const full = CommandUser.withKey(world.url, cast.stan.apiKey)
    writeFileSync(join(full.home, 'state'), '')
    const printed = await full.run(['comment', String(body.id), '--private'], 'Many words\nof mine')
    assert.match(printed.stderr, /could not be saved .*Here it is:\nMany words\nof mine\n$/s)
    const sent = await full.run(['comment', String(body.id)], 'Many words')
    assert.equal(sent.status, 0, sent.stderr)
    assert.deepEqual(readdirSync(stan.textFolder).length, 1)
  })

  it('uses no file of keys that others can read', async () => {
    const edna = new CommandUser()
    const login = await edna.run(['login', world.url, '--key-stdin'], cast.edna.apiKey)
    assert.equal(login.status, 0, login.stderr)
    assert.deepEqual([statSync(edna.serversFile).mode & 0o777, login.stdout.includes(cast.edna.apiKey)], [0o600, false])
    for (const mode of [0o640, 0o604, 0o620]) {
      chmodSync(edna.serversFile, mode)
      const { status, stderr } = await edna.run(['whoami'])
      assert.equal(status, 1)
      assert.match(stderr, /chmod 600 .*servers\.json/)
    }
    chmodSync(edna.serversFile, 0o600)
    assert.equal((await edna.run(['whoami'])).status, 0)
    const out = await edna.run(['logout'])
    assert.match(out.stdout, /Its key is still valid/)
    assert.equal((await edna.run(['whoami'])).status, 3)
  })
})

const SCRIPT = { name: 'script', package: 'bsdutils', versionOption: '--version' }

describeHere('commands for people, at a terminal', (world) => {
  it('sign in with a password and a second factor, file a bug in the editor, and triage it', async () => {
    const script = findProgram(SCRIPT)
    if (script === undefined) return
    const { login } = await world.newUser({ password: PASSWORD })
    await world.ada.put(`/rest/user/${login}`, { groups: { add: ['editbugs', 'canconfirm'] } })
    const secret = await addFactor(login)
    const user = new CommandUser()
    const code = () => codeOf(secret, Math.floor(Date.now() / 30_000))
    const signedIn = await user.runAtTerminal(
      script,
      ['login', world.url, '--name', 'lamps'],
      [
        ['Login name: ', `${login}\r`],
        ['Password: ', `${PASSWORD}\r`],
        ['second factor: ', '000000\r'],
        ['was wrong. Code: ', `${code()}\r`],
      ],
    )
    assert.equal(signedIn.status, 0, signedIn.printed)
    assert.ok(!signedIn.printed.includes(PASSWORD))
    const editor = join(user.home, 'editor')
    writeFileSync(editor, EDITOR, { mode: 0o700 })
    user.environment.VISUAL = editor
    const filed = await user.runAtTerminal(script, ['new'], [['Edit it again? [y/N] ', 'y\r']])
    assert.equal(filed.status, 0, filed.printed)
    const [, id = ''] = /Bug (\d+) is filed: /.exec(filed.printed) ?? []
    const { body } = await world.edna.get(`/rest/bug/${Number(id)}/comment`)
    assert.equal(body.bugs[id]?.comments[0]?.text, '# A heading\n\nIt flickers.')
    assert.deepEqual(readdirSync(user.textFolder), [])
    const queue = { name: 'Stripes', query: `bug_id=${id}&resolution=---`, group: 'editbugs' }
    assert.equal((await world.ada.post('/rest/triage', queue)).status, 201)
    const triaged = await user.runAtTerminal(
      script,
      ['triage', 'Stripes'],
      [
        ['q quit', 'a'],
        ['component', '\r'],
        ['severity', '\r'],
        ['priority', 'High\r'],
        ['assigned_to', '\r'],
        ['z undo · q quit', 'q'],
      ],
    )
    assert.equal(triaged.status, 0, triaged.printed)
    assert.match(triaged.printed, /accepted\.\nNo bug waits/)
    assert.match((await user.run(['logout'])).stdout, /Its key is revoked/)
  })

  it('say in triage what a key that may only propose has done, and that the bug stays', async () => {
    const script = findProgram(SCRIPT)
    if (script === undefined) return
    const { robot, login } = await newProposer(world, 'editbugs')
    const id = await fileBug(world.edna)
    const queue = { name: 'Only proposed', query: `bug_id=${id}&resolution=---`, group: 'editbugs' }
    assert.equal((await world.ada.post('/rest/triage', queue)).status, 201)
    const user = CommandUser.withKey(world.url, robot.headers['X-TRACKER-API-KEY'] ?? '')
    const triaged = await user.runAtTerminal(
      script,
      ['triage', 'Only proposed'],
      [
        ['q quit', 'a'],
        ['component', '\r'],
        ['severity', '\r'],
        ['priority', 'High\r'],
        ['assigned_to', '\r'],
        ['z undo · q quit', 'q'],
      ],
    )
    assert.equal(triaged.status, 0, triaged.printed)
    const said = triaged.printed.replaceAll('\r', '')
    assert.match(said, /Proposal \d+: it is carried out when somebody accepts it\.\n/)
    assert.match(said, /Bug \d+ stays in the queue: this key may propose a change, but not decide in triage\.\n/)
    assert.match(said, /No bug waits in this queue, except 1 that you have left out\./)
    const { body } = await world.ada.get(`/rest/bug/${id}/proposal`)
    assert.deepEqual([body.total, body.proposals[0]?.author], [1, login])
  })

  it('print the address if no browser opens it, and end a feed when they are interrupted', async () => {
    const script = findProgram(SCRIPT)
    if (script === undefined) return
    const user = CommandUser.withKey(world.url, cast.ada.apiKey)
    user.environment.BROWSER = 'false:sh -c exit'
    const opened = await user.runAtTerminal(script, ['open', '1001'])
    assert.match(opened.printed, /^Opened /)
    user.environment.BROWSER = 'false:nosuchbrowser'
    const printed = await user.runAtTerminal(script, ['open', '1001'])
    assert.equal(printed.printed, `${world.url}/bug/1001\n`)
    const followed = await user.runAtTerminal(script, ['follow'], [['Ctrl+C ends it.', '\x03']])
    assert.equal(followed.status, 130, followed.printed)
  })

  itInSoak('print tables with colours, and end when they are interrupted', async () => {
    const script = findProgram(SCRIPT)
    if (script === undefined) return
    const user = CommandUser.withKey(world.url, cast.ada.apiKey)
    const { body } = await world.ada.post('/rest/bug', {
      product: 'TestProduct',
      component: 'TestComponent',
      summary: '日本語 lamp',
    })
    const listed = await user.runAtTerminal(script, ['list', String(body.id)])
    // biome-ignore lint/suspicious/noControlCharactersInRegex: the colours of a table.
    assert.match(listed.printed, /^\x1b\[1mid .*\n\x1b\[36m\d+ .*日本語 lamp/s)
    user.environment.NO_COLOR = '1'
    const interrupted = await user.runAtTerminal(script, ['login', world.url], [['Login name: ', '\x03']])
    assert.equal(interrupted.status, 130, interrupted.printed)
  })

  async function addFactor(login: string): Promise<string> {
    const query = `login=${login}&password=${encodeURIComponent(PASSWORD)}`
    const { body } = await world.nobody.get(`/rest/login?${query}`)
    const session = world.as({ 'X-TRACKER-TOKEN': body.token })
    const added = await session.post('/rest/factor/totp', { name: 'Phone' })
    const { id, secret } = added.body
    const last = Math.floor(Date.now() / 30_000) - 1
    const confirmed = await session.post('/rest/factor/totp/confirm', { id, code: codeOf(secret, last) })
    assert.equal(confirmed.status, 201)
    return secret
  }
})

/** Types a component that does not exist, and on the second time the right one. */
const EDITOR = `#!/bin/sh
if grep -q NoSuch "$1"; then exec sed -i 's/NoSuch/TestComponent/' "$1"; fi
{ printf 'Summary: Zebra stripes vanish\\nProduct: TestProduct\\nComponent: NoSuch\\n\\n# A heading\\n\\nIt flickers.\\n'
  sed -n '/>8/,$p' "$1"; } > "$1.new" && mv "$1.new" "$1"
`
