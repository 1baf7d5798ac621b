import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { CommandUser } from '../support/people-command.ts'
import { RecordedBugzilla } from '../support/recorded-bugzilla.ts'

/** A command, its exit code, what it prints on one of its outputs, and which recorded requests it made last. */
type Case = readonly [words: readonly string[], status: number, printed: string | RegExp, answered: string]

const BUG = ['--product', 'Widget', '--component', 'Core', '--version', '1.0', '--summary', 'engine stalls r1']
const WHOLE = [...BUG, '--priority', '---', '--severity', 'normal', '-m', 'It stalls.']

const READING: readonly Case[] = [
  [
    ['list', '--param', 'summary=engine stalls r1', '--columns', 'id,summary', '--limit', '3'],
    0,
    '2\tengine stalls r1\n3\tengine stalls r1\n9\tengine stalls r1\n',
    'search.summary',
  ],
  [
    ['search', '--param', 'summary=engine stalls r1', '--columns', 'id', '--order', '-id', '--limit', '2', '--csv'],
    0,
    '"id"\r\n"8"\r\n"7"\r\n',
    'search.order',
  ],
  [['list', 'summary:r1', 'component:UI', '--columns', 'id,component'], 0, 'No bugs were found.\n', 'search.quick'],
  [['list', '--param', 'product=NoSuch', '--columns', 'id'], 0, 'No bugs were found.\n', 'search.bad_product'],
  [
    ['list', '--param', 'creator=plain@example.com', '--param', 'summary=r1', '--columns', 'id,creator'],
    0,
    '3\tplain@example.com\n',
    'search.creator',
  ],
  [
    [
      'list',
      '--columns',
      'alias',
      ...chart('j_top=OR', 'f1=alias', 'o1=equals', 'v1=alr1', 'f2=alias', 'o2=equals', 'v2=msr1'),
    ],
    0,
    'alr1, zzr1\n',
    'search.chart.or',
  ],
  [
    ['list', '--param', 'summary=engine stalls r1', '--columns', 'id,summary', '--limit', '3', '--json'],
    0,
    /^\{"bugs":\[\n\{"id":2,"summary":"engine stalls r1"\},\n.*\n.*\n\],"total_matches":null\}\n$/,
    'search.summary',
  ],
  [['show', '1', '--json'], 0, /"summary": "minimal r1"/, 'attachment.list.min'],
  [
    ['show', '2'],
    0,
    /^Bug 2: minimal r1\n.*\n {2}51 {2}A patch: a\.diff.*It stalls\..*first reply.*flagtypes\.name: \+ review\+/s,
    '',
  ],
  [['show', '0'], 4, /./, 'bug.get.zero'],
  [['show', 'nosuchalias'], 4, /./, 'bug.get.unknown_alias'],
  [['show', '5'], 4, /./, 'bug.get.secret'],
  [['get', '50', '-o', '-'], 0, 'hello attachment\n', 'attachment.get'],
  [['whoami'], 0, /^editbugs@example\.com on http/, 'auth.valid_login.ok'],
  [['api', 'GET', '/version'], 0, '{"version":"5.2+"}\n', 'info.version'],
  [['api', 'GET', '/field/bug/bug_status/values'], 0, /"UNCONFIRMED"/, 'field.values.status'],
  [['api', 'GET', '/bug/0'], 4, /"code":101/, 'bug.get.zero'],
  [['api', 'GET', '/group/gr1'], 7, /32614/, 'group.get.one'],
  [['open', '1'], 0, /\/bugzilla\/show_bug\.cgi\?id=1\n$/, ''],
]

const WRITING: readonly Case[] = [
  [['new', ...WHOLE], 0, '4\n', 'bug.create.to_close'],
  [['new', ...WHOLE, '--flag', 'needinfo?plain@example.com'], 0, '7\n', 'bug.create.flags'],
  [['new', ...WHOLE, '--set', 'depends_on=2', '--set', 'blocks='], 0, '8\n', 'bug.create.deps'],
  [['new', ...WHOLE.slice(0, -2)], 0, /^\d+\n$/, 'bug.create.no_description'],
  [['new', ...WHOLE, '--component', 'NoSuch'], 4, /Your text is in/, 'bug.create.bad_component'],
  [['new', ...WHOLE, '--assignee', 'nobody@example.com'], 4, /./, 'bug.create.bad_assignee'],
  [['new', ...WHOLE, '--cc', 'nobody@example.com'], 1, /./, 'bug.create.bad_cc'],
  [['new', ...WHOLE, '--product', 'Closed', '--version', 'unspecified'], 1, /./, 'bug.create.closed_product'],
  [['new', ...WHOLE, '--set', 'cf_drop=mauve'], 4, /./, 'bug.create.bad_cf_drop'],
  [['edit', '1', '--priority', 'High'], 0, 'Bug 1 is changed.\n  priority: --- → High\n', 'bug.update.nochange'],
  [['edit', '1', '--priority', 'P99'], 4, /^Bug 1 is not changed: /, 'bug.update.bad_priority'],
  [['edit', '1', '--set', 'nosuchfield=1'], 1, /^Bug 1 .*nosuchfield/, 'bug.update.unknown_field'],
  [['edit', '1', '--resolution', 'FIXED'], 1, /./, 'bug.update.resolution_on_open'],
  [['edit', '1', '--status', 'RESOLVED'], 1, /./, 'bug.update.close_no_resolution'],
  [['edit', '1', '--status', 'NOPE'], 4, /./, 'bug.update.bad_status'],
  [['edit', '1', '--status', 'VERIFIED', '--resolution', 'FIXED'], 1, /./, 'bug.update.bad_transition'],
  [['edit', '1', '--dupe-of', '99999999'], 4, /./, 'bug.update.dupe_unknown'],
  [
    ['edit', '1', '--dupe-of', '2'],
    0,
    /resolution: \+ DUPLICATE\n {2}status: CONFIRMED → RESOLVED\n {2}dupe_of: \+ 2/,
    'bug.update.dupe',
  ],
  [['edit', '1', '--status', 'CONFIRMED'], 0, /status: RESOLVED → CONFIRMED/, 'bug.update.undupe'],
  [['edit', '2', '--add-depends-on', '1'], 0, /depends_on: \+ 1\n/, 'bug.update.deps.loop'],
  [['edit', '1', '--add-keyword', 'nosuch'], 4, /./, 'bug.update.keywords.bad'],
  [['edit', '1', '--add-see-also', 'http://t.test/whatever'], 1, /./, 'bug.update.see_also.bad'],
  [
    ['edit', '1', '--remove-see-also', 'https://bugzilla.mozilla.org/show_bug.cgi?id=42'],
    0,
    'Bug 1 is as it was.\n',
    'bug.update.see_also.remove',
  ],
  [['edit', '1', '--add-group', 'secret'], 1, /./, 'bug.update.groups.not_member'],
  // A Bugzilla replaces no list of groups, and says nothing about it: what is missing must be added.
  [['edit', '1', '--set', 'groups=secret'], 1, /./, 'bug.update.groups.not_member'],
  // It takes the text "false" for true.
  [
    ['edit', '1', '--set', 'is_cc_accessible=false', '--set', 'is_creator_accessible=false'],
    0,
    /is_cc_accessible: 1 → 0/,
    'bug.update.accessible',
  ],
  [['edit', '7', '--flag', 'needinfo?editbugs@example.com'], 0, /needinfo\?\(editbugs/, 'bug.update.flags.new'],
  [['edit', '4', '--product', 'Hidden'], 0, /product: Widget → Hidden/, 'bug.update.product.needs_component'],
  [['edit', '1', '--priority', 'High', '--dry-run'], 7, /without making it/, ''],
  [['comment', '2', '-m', 'first reply'], 0, /bug 2/, 'comment.create'],
  [['comment', '2', '-m', '   '], 1, 'The text is empty. Nothing was sent.\n', ''],
  [['comment', '5', '-m', 'first reply'], 4, /Your text is in/, 'bug.get.secret'],
]

/** Of a release that has no such calls, or answers nothing of use. */
const MISSING: readonly (readonly string[])[] = [
  ['inbox'],
  ['triage'],
  ['follow'],
  ['list', '--count', '--param', 'product=NoSuch'],
  ['list', '--saved', 'Mine', '--sharer', '3'],
]

describe('commands for people, with the recorded answers of a Bugzilla 5.2', () => {
  let server: RecordedBugzilla
  let user: CommandUser
  const runs = async ([words, status, printed, answered]: Case, who = user) => {
    const count = server.answered.length
    const result = await who.run(words)
    const context = `${words.join(' ')}: ${JSON.stringify(result)} ${server.answered.slice(count)} ${server.unknown}`
    assert.deepEqual(server.unknown, [], context)
    assert.equal(result.status, status, context)
    const text = result.stdout === '' ? result.stderr : result.stdout
    if (typeof printed === 'string') assert.equal(text, printed, context)
    else assert.match(text, printed, context)
    if (answered !== '') assert.ok(server.answered.slice(count).includes(answered), context)
  }
  before(async () => {
    server = await new RecordedBugzilla().open()
    user = await signedIn(server, 'editbugs')
  })
  after(() => server.close())

  it('reads, searches and downloads', async () => {
    for (const one of READING) await runs(one)
  })

  it('files, changes and comments, and sends what the recorded requests had', async () => {
    for (const one of WRITING) await runs(one)
  })

  it('attaches files, as the owner of the key may', async () => {
    const file = (name: string, text: string) => {
      writeFileSync(join(user.home, name), text)
      return join(user.home, name)
    }
    const [text, diff, secret] = ['a.txt', 'a.diff', 'p.txt'].map((name) => file(name, 'hello attachment\n'))
    const review = ['--flag', 'review?plain@example.com']
    const aFile = ['attach', '2', text ?? '', '--summary', 'A file', '-m', 'see file', ...review]
    await runs([aFile, 0, '50\n', 'attachment.create'])
    await runs([['attach', '2', diff ?? '', '--summary', 'A patch'], 0, '51\n', 'attachment.create.patch'])
    const hidden = ['attach', '2', secret ?? '', '--summary', 'Private', '--private']
    const plain = await signedIn(server, 'plain')
    await runs([hidden, 1, /./, 'attachment.create.private_forbidden'], plain)
    await runs(
      [['comment', '2', '-m', 'x', '--private'], 1, /Your text is in/, 'comment.create.private_forbidden'],
      plain,
    )
    await runs([hidden, 0, '52\n', 'attachment.create.private'], await signedIn(server, 'insider'))
    await runs([['attach', '2', file('a.txt', ''), '--summary', 'A'], 1, /./, 'attachment.create.empty'])
    await runs([['list', '--saved', 'My crashes', '--columns', 'id'], 0, '2\n', 'search.saved'])
    await runs([['search', '--saved'], 0, /^My crashes\teditbugs@example\.com\t/, 'user.get.self'])
    await runs([['list', '--saved', 'None'], 4, /./, 'user.get.self'])
  })

  it('says what a Bugzilla does not have, with an exit code of its own', async () => {
    for (const words of MISSING) await runs([words, 7, /./, ''])
  })

  it('asks for a version where a Bugzilla wants one', async () => {
    await user.run(['new', '--product', 'Widget', '--component', 'Core', '--summary', 'x'])
    const [sent = ''] = server.unknown.splice(0)
    assert.match(sent, /^POST \/bug \{.*"version":"unspecified"/)
    assert.match(sent, /"op_sys":"All","platform":"All"/)
  })

  it('sends the key where a release 5 reads it, and not in the address of a write', async () => {
    const log = server.log.filter((line) => line.includes(RecordedBugzilla.keyOf('editbugs')))
    assert.deepEqual([log.length > 0, log.filter((line) => !line.startsWith('GET '))], [true, []])
    const program = CommandUser.withKey(server.url, RecordedBugzilla.keyOf('editbugs'))
    await runs([['comment', '2', '-m', 'first reply'], 0, /bug 2/, 'comment.create'], program)
    await runs([['list', '--param', 'product=Hidden', '--columns', 'id'], 0, /No bugs/, 'search.hidden'], program)
    const nobody = CommandUser.withKey(server.url, '')
    await runs([['comment', '2', '-m', 'x'], 3, /Your text is in/, 'comment.create.anon'], nobody)
    const wrong = CommandUser.withKey(server.url, '0'.repeat(40))
    await runs([['show', '1'], 3, /./, 'auth.bad_api_key.bug'], wrong)
    await runs([['comment', '2', '-m', 'x'], 3, /Your text is in/, 'auth.bad_api_key.bug'], wrong)
  })

  it('does not say that somebody is signed in with a wrong key, or with that of another', async () => {
    const login = (key: string, ...more: string[]) =>
      new CommandUser().run(['login', server.url, '--key-stdin', ...more], key)
    for (const more of [[], ['--login', 'editbugs@example.com']])
      assert.equal((await login('0'.repeat(40), ...more)).status, 3)
    const other = await login(RecordedBugzilla.keyOf('plain'), '--login', 'editbugs@example.com')
    assert.equal(other.status, 3, other.stderr)
    assert.match(other.stderr, /not one of editbugs@example\.com/)
  })

  it('finds a REST API behind rest.cgi, as a user and as a program', async () => {
    const old = await new RecordedBugzilla('rest.cgi').open()
    try {
      const edna = await signedIn(old, 'editbugs')
      assert.match(readFileSync(edna.serversFile, 'utf8'), /"rest": "rest\.cgi"/)
      for (const who of [edna, CommandUser.withKey(old.url, RecordedBugzilla.keyOf('editbugs'))]) {
        const { status, stderr } = await who.run(['comment', '2', '-m', 'first reply'])
        assert.equal(status, 0, stderr)
      }
      assert.deepEqual(old.unknown, [])
    } finally {
      old.close()
    }
  })
})

async function signedIn(server: RecordedBugzilla, name: string): Promise<CommandUser> {
  const user = new CommandUser()
  const words = ['login', `${server.url}/index.cgi`, '--key-stdin', '--login', `${name}@example.com`]
  const { status, stderr } = await user.run([...words, '--name', 'old'], RecordedBugzilla.keyOf(name))
  assert.equal(status, 0, stderr)
  return user
}

function chart(...params: string[]): string[] {
  return params.flatMap((it) => ['--param', it])
}
