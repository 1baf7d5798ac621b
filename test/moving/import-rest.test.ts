import assert from 'node:assert/strict'
import type { ChildProcess } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { before, describe, it, type TestContext } from 'node:test'
import { sql } from 'kysely'
import { storeParameter } from '../../src/access/installation.ts'
import { REST_DEFAULTS } from '../../src/moving/rest-client/rest-server.ts'
import { importRest, type RestImportOptions } from '../../src/moving/rest-import/import-rest.ts'
import { restDay } from '../../src/moving/rest-import/rest-values.ts'
import { resultAsText } from '../../src/moving/verify/print-result.ts'
import { readPeople } from '../../src/moving/verify/verify-people.ts'
import { verifyServers } from '../../src/moving/verify/verify-servers.ts'
import type { Config } from '../../src/platform/config/config.ts'
import type { Db } from '../../src/platform/database/db.ts'
import { NO_PROGRESS, type Progress } from '../../src/platform/progress.ts'
import { Refusal } from '../../src/platform/refusal.ts'
import { openDatabaseOf, prepare } from '../../src/prepare.ts'
import { exported, filesIn, INSIDER_KEY, migratedConfig, richInstallation, withServer } from '../support/archive.ts'
import { openTarget, type Target } from '../support/import-bugzilla.ts'
import { endOf, startLacewing } from '../support/lacewing-command.ts'
import { itInSoak } from '../support/sample.ts'

const REST = { ...REST_DEFAULTS, attempts: 2, firstWaitMilliseconds: 1, largestAnswerBytes: 4_000_000 }

async function importInto(
  { db, config }: Target,
  address: string,
  more: Partial<RestImportOptions> = {},
  progress: Progress = NO_PROGRESS,
) {
  const options = { address, products: [], key: INSIDER_KEY, reportFile: undefined, rest: REST, ...more }
  const finished = await importRest(db, config, options, progress)
  finished.removeStaging()
  return finished
}

/** Ends the import at the nth report of its progress. */
function breakAt(count: number): Progress {
  let calls = 0
  const call = () => {
    if (++calls === count) throw new Error('broken off')
  }
  return { begin: call, advance: call, end: call, note() {} }
}

/**
 * Where a copy may differ: what the REST API does not show. The source has a comment whose number does not fit its time. What one user
 * changed in the same second in two steps is one entry of the copy.
 */
const NOT_SHOWN =
  /^(?:comment bugs\.\*\.comments\[\] in another order|parameters |users? users\[\]\.(?:groups|saved_|email_enabled)|group groups\[\]|history bugs\[\]\.history\[\](?: missing|\.change_id|\.source|\.changes\[\] only in new)|comment bugs\.\*\.comments\[\]\.(?:mentions|reactions|own_reactions|is_answer|edit_count|last_change_time) missing|product products\[\]\.components\[\]\.default_cc)/

describe('lacewing import rest', () => {
  let source: Config

  before(async () => {
    source = await richInstallation('sqlite')
  })

  // The next test verifies an import that was killed, on PostgreSQL.
  for (const engine of ['sqlite', 'postgres'] as const)
    itInSoak(`makes the same installation, however often it is broken off (${engine})`, async () => {
      const target = await openTarget(engine)
      await withServer(source, async (_, url) => {
        let breaks = 0
        for (let at = engine === 'sqlite' ? 2 : 1000; ; at++) {
          const fault = await importInto(target, url, {}, breakAt(at)).then(
            () => undefined,
            (caught: Error) => caught,
          )
          if (fault === undefined) break
          assert.match(fault.message, /^broken off$/)
          breaks++
          if (at === 14) await assert.rejects(prepare(target.config), /lacewing import rest again/)
        }
        assert.ok(engine === 'postgres' || breaks >= 8, `${breaks}`)
        await target.db.close()
        await requireSame(url, target.config)
      })
    })

  itInSoak('makes the same installation if its process is killed while it writes, and while it reads', async () => {
    // On SQLite, where numbers of rows have no gaps, so that rows can be compared.
    const killed = await migratedConfig('sqlite')
    await withServer(source, async (_, url) => {
      let requests = 0
      let onRequest = () => {}
      const between = createServer((request, response) => {
        requests++
        onRequest()
        const { host: _host, ...headers } = request.headers
        fetch(`${url}${request.url}`, { headers: headers as Record<string, string> }).then(
          async (answer) => response.writeHead(answer.status).end(await answer.text()),
          () => response.destroy(),
        )
      })
      await new Promise<void>((resolve) => between.listen(0, '127.0.0.1', resolve))
      const address = `http://127.0.0.1:${(between.address() as AddressInfo).port}`
      const run = (kill: (child: ChildProcess) => void) => {
        const words = ['import', 'rest', address, '--rate', '10000']
        const child = startLacewing(killed, words, { BUGZILLA_API_KEY: INSIDER_KEY })
        kill(child)
        return endOf(child)
      }
      const kills = [
        (child: ChildProcess) =>
          child.stderr?.on('data', (said) => /Importing users/.test(said) && child.kill('SIGKILL')),
        (child: ChildProcess) => {
          onRequest = () => requests === 14 && child.kill('SIGKILL')
        },
      ]
      for (const kill of kills.toReversed()) assert.equal((await run(kill)).status, null)
      await assert.rejects(prepare(killed), /lacewing import rest again/)
      const { status, stderr } = await run(() => {})
      assert.equal(status, 0, stderr)
      assert.match(stderr, /^Resuming the import that was broken off\.$/m)
      between.closeAllConnections()
      between.close()
      const whole = await openTarget('sqlite')
      await importInto(whole, url)
      await whole.db.close()
      assert.deepEqual(rowsOf(await exported(killed)), rowsOf(await exported(whole.config)))
      await requireSame(url, killed)
    })
  })

  /** `lacewing verify` finds no difference except what the REST API does not show. */
  async function requireSame(url: string, copy: Config) {
    const db = await openDatabaseOf(copy)
    // Only administrators see this parameter at the source.
    await db.transaction((tx) => storeParameter(tx, 'insidergroup', 'secret'), 'migration')
    await copyKeys(source, db)
    await db.close()
    const people = readPeople([`insider:${INSIDER_KEY}`], undefined, {})
    const result = await withServer(copy, (_send, own) =>
      verifyServers(
        { old: url, new: own, people, sample: undefined, concurrency: 2, examples: 3, rest: REST_DEFAULTS },
        NO_PROGRESS,
      ),
    )
    const others = [...result.tally.differences.keys()].filter((it) => !NOT_SHOWN.test(it))
    assert.deepEqual(others, [], resultAsText(result))
    assert.ok(result.tally.answers.agree > 70, resultAsText(result))
    assert.equal(result.bugs.compared, 8)
    const report = readFileSync(join(copy.dataFolder, 'import/report.txt'), 'utf8')
    assert.match(report, /What the REST API does not show is not here: passwords/)
    assert.match(report, /^bugs +8 +8 /m)
  }

  it('imports what anonymous callers see of one product, and refuses what cannot be', async () => {
    const [target, another, anonymous] = [
      await openTarget('sqlite'),
      await openTarget('sqlite'),
      await openTarget('sqlite'),
    ]
    await withServer(source, async (_, url) => {
      await assert.rejects(importInto(target, url, { products: ['No such'] }), /The source has no product No such/)
      await assert.rejects(importInto(another, url, { key: 'wrong' }), (refusal: Refusal) => {
        assert.match(refusal.message, /does not accept the API key: (?!.*wrong)/)
        assert.equal(refusal.reason, 'api_key_invalid')
        return true
      })
      await assert.rejects(
        importInto(another, url, { products: ['Lamp'] }),
        /Reading from another source, or other products/,
      )
      await importInto(anonymous, url, { products: ['Lamp'], key: undefined })
      await assert.rejects(importInto(anonymous, url), /not empty: it has users/)
    })
    const logins = await rows(anonymous.db, 'select login from users order by id')
    assert.ok(logins.some(({ login }) => login === 'edna@example.com'))
    const bugs = await rows(anonymous.db, 'select id from bugs order by id')
    assert.ok(bugs.some(({ id }) => id === 10) && !bugs.some(({ id }) => id === 13), 'bug 13 is hidden')
    for (const { db } of [target, another, anonymous]) await db.close()
  })

  it('brings who votes for what, with the limits of the products, and names what the source does not tell', async (context) => {
    const target = await openTarget('sqlite')
    const limits = { votesperuser: 9, maxvotesperbug: 4, votestoconfirm: 7 }
    await withServer(await richInstallation('sqlite'), async (send, url) => {
      const { body } = await send('GET', 'bug/10?include_fields=product')
      assert.equal((await send('PUT', `product/${body.bugs[0].product}`, limits)).status, 200)
      await importInto(target, url)
    })
    assert.deepEqual(
      await rows(
        target.db,
        `select bug_id, login, bug_votes.votes, bugs.votes as sum, votesperuser, maxvotesperbug, votestoconfirm from bug_votes
          join users on users.id = user_id join bugs on bugs.id = bug_id join products on products.id = bugs.product_id where bug_id = 10`,
      ),
      [{ bug_id: 10, login: 'edna@example.com', votes: 3, sum: 3, ...limits }],
    )
    const address = await answering(context, {
      version: { version: '5.2' },
      product: { products: [{ id: 3, name: 'Odd', components: [{ id: 5, name: 'C' }], votesperuser: 'many' }] },
      'field/bug': { fields: [{ id: 9, name: 'bug_status', values: [{ name: 'NEW' }] }] },
      bug: { bugs: [{ id: 7 }, { id: 8 }] },
      ...Object.fromEntries(
        [7, 8].map((id) => [
          `bug/${id}`,
          { bugs: [{ id, product: 'Odd', component: 'C', creator: 'ada@example.com', summary: 's', votes: 2 }] },
        ]),
      ),
      'bug/7/votes': { voters: [null, { name: 'ada@example.com', votes: 2 }, { name: 7, votes: 'x' }] },
      'bug/8/votes': { error: true, code: 32614 },
    })
    const other = await openTarget('sqlite')
    await importInto(other, address, { key: undefined })
    assert.deepEqual(await rows(other.db, 'select bug_id, votes from bug_votes'), [{ bug_id: 7, votes: 2 }])
    const report = readFileSync(join(other.config.dataFolder, 'import/report.txt'), 'utf8')
    assert.match(report, /^votes 8: 2 votes are left out: the source does not return who gives them$/m)
    for (const { db } of [target, other]) await db.close()
  })

  it('takes the day of a custom date in the time zone of Bugzilla, which returns midnight there in UTC', () => {
    const times = ['2021-03-03T00:00:00Z', '2021-03-02T23:00:00Z', '2021-03-02T11:00:00Z', '2021-03-03T10:00:00Z']
    for (const time of [...times, '2021-03-03']) assert.equal(restDay(time), '2021-03-03', time)
    assert.deepEqual([restDay('soon'), restDay(null), restDay(undefined)], [null, null, null])
  })

  it('survives a source that answers nonsense', async (context) => {
    const nonsense: Record<string, unknown> = {
      version: { version: '5.2' },
      product_accessible: { ids: 'x' },
      product: {
        products: [
          null,
          {
            id: 3,
            name: 'Odd',
            classification: 7,
            components: [{ id: '5', name: 'C', default_assigned_to: {}, flag_types: [] }, 'x'],
            versions: {},
            milestones: [{ id: -1, name: null }],
          },
        ],
      },
      'field/bug': {
        fields: [
          { id: 9, name: 'bug_status', values: [{ name: null, can_change_to: 'x' }, { name: 'NEW' }, { name: 'NEW' }] },
          { name: 'x"; drop table bugs', id: 3 },
          { id: 77, name: 'cf_x', is_custom: true, type: 2, values: [[]] },
          { id: 78, name: 'cf_X', is_custom: true, type: 3 },
          { id: 77, name: 'cf_x' },
          5,
        ],
      },
      parameters: { parameters: { urlbase: {}, maxattachmentsize: [] } },
      'group?membership': [],
      whoami: 'me',
      user: {
        users: [
          { id: 'x', name: 1 },
          { id: 2 ** 50, name: 'large' },
        ],
      },
      bug: { bugs: [{ id: 8 }, { id: 7 }, { id: 7 }, { id: '9' }, null, { id: -4 }] },
      'bug/7': { error: true, code: 102, message: 'hidden now' },
      'bug/8': {
        bugs: [
          {
            id: 8,
            product: 'Odd',
            component: 'C',
            creator: 'a\u0000b',
            cc: 'x',
            cf_x: {},
            status: 'NEW',
            summary: ['s'],
            groups: ['g', {}],
            alias: 'one',
            dupe_of: 8,
            depends_on: [8, 'x'],
            creation_time: 'yesterday',
            flags: [{ id: {} }],
          },
        ],
      },
      'bug/8/comment': {
        bugs: {
          8: { comments: [{ id: 1, text: 'half \ud800', time: '0000', creator: null, tags: [1] }, { id: 1 }, 'x'] },
        },
      },
      'bug/8/history': {
        bugs: [{ id: 8, history: [{ when: 1, who: [], changes: [{ field_name: 'gone', added: {} }] }] }],
      },
      'bug/8/attachment': { bugs: { 8: [{ id: 4, size: 'many', creator: 3 }, { id: 'x' }] } },
      'bug/attachment/4': { attachments: { 4: { data: 5 } } },
    }
    let isGone = false
    const address = await answering(context, nonsense, () => isGone)
    const target = await openTarget('sqlite')
    isGone = true
    await assert.rejects(importInto(target, address), Refusal)
    isGone = false
    await importInto(target, address)
    assert.deepEqual(
      (await rows(target.db, 'select id from bugs')).map(({ id }) => id),
      [8],
    )
    assert.equal((await rows(target.db, 'select group_id from bug_groups')).length, 1, 'the restriction is kept')
    const report = readFileSync(join(target.config.dataFolder, 'import/report.txt'), 'utf8')
    for (const line of [
      /^bugs 7: left out: the source does not return it: hidden now/m,
      /^groups \d+: g: the source does not show/m,
      /^attachments 4: its content is missing/m,
    ])
      assert.match(report, line)
    await target.db.close()
  })

  it('takes only whole sentences of the tracker for its notes, and keeps texts and the numbers of comments', async (context) => {
    const hasDuplicate = '*** Bug 404 has been marked as a duplicate of this bug. ***'
    const duplicateOf = '*** This bug has been marked as a duplicate of bug 405 ***'
    const texts: [count: number, text: string, more?: object][] = [
      [1, `> ${hasDuplicate}`],
      [2, `${hasDuplicate}\nI do not think so.`],
      [3, `I do not think so.\n\n${hasDuplicate}`],
      [4, `Please read this.\n\nBug 404 is a duplicate of this bug.`],
      [5, hasDuplicate],
      // Two comments of one second, which Bugzilla counts alike.
      [8, `Perhaps:\n\n${duplicateOf}`],
      [8, `The same fault.\n\n${duplicateOf}`, { creation_time: '2024-01-02T00:00:00Z' }],
      [11, 'Created attachment 9\nOf my own\n\nand more', { attachment_id: 9 }],
      [12, 'Created attachment 9\nA patch\n\nand more', { attachment_id: 9 }],
    ]
    const address = await answering(context, {
      version: { version: '5.2' },
      product_accessible: { ids: [3] },
      product: { products: [{ id: 3, name: 'Odd', components: [{ id: 5, name: 'C' }] }] },
      'field/bug': { fields: [{ id: 9, name: 'bug_status', values: [{ name: 'NEW' }] }] },
      bug: { bugs: [{ id: 8 }] },
      'bug/8': { bugs: [{ id: 8, product: 'Odd', component: 'C', creator: 'ada@example.com', summary: 's' }] },
      'bug/8/comment': {
        bugs: {
          8: {
            comments: texts.map(([count, text, more], index) => ({
              id: 100 + index,
              count,
              text,
              creator: 'ada@example.com',
              creation_time: '2024-01-01T00:00:00Z',
              ...more,
            })),
          },
        },
      },
      'bug/8/history': {
        bugs: [
          {
            id: 8,
            history: [
              {
                when: '2024-01-02T00:00:00Z',
                who: 'ada@example.com',
                changes: [{ field_name: 'resolution', added: 'DUPLICATE', removed: '' }],
              },
            ],
          },
        ],
      },
      'bug/8/attachment': { bugs: { 8: [{ id: 9, summary: 'A patch', size: 1, creator: 'ada@example.com' }] } },
      'bug/attachment/9': { attachments: { 9: { data: 'eA==' } } },
    })
    const target = await openTarget('sqlite')
    await importInto(target, address, { key: undefined })
    const kept = await rows(target.db, 'select number, kind, about_id, text from comments order by number')
    assert.deepEqual(
      kept.map(({ number, kind, about_id, text }) => [number, kind, about_id, text]),
      [
        [0, 0, null, ''],
        [1, 0, null, texts[0]?.[1]],
        [2, 0, null, texts[1]?.[1]],
        [3, 0, null, texts[2]?.[1]],
        [4, 0, null, texts[3]?.[1]],
        [5, 2, 404, ''],
        [7, 0, null, texts[5]?.[1]],
        [8, 1, 405, 'The same fault.'],
        [11, 0, null, texts[7]?.[1]],
        [12, 5, 9, 'and more'],
      ],
    )
    const report = readFileSync(join(target.config.dataFolder, 'import/report.txt'), 'utf8')
    assert.match(report, /^bugs 8: the source does not show its comments 0, 6, 9 to 10; their numbers stay free$/m)
    assert.match(report, /^longdescs 107: its text does not begin as those about attachment 9 do/m)
    await target.db.close()
  })
})

/** A source with these answers, by path. It breaks connections off while it is gone. */
async function answering(context: TestContext, answers: Record<string, unknown>, isGone = () => false) {
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '', 'http://x')
    const path = url.pathname.replace('/rest/', '')
    const list =
      path === 'bug' && url.searchParams.has('f1') && url.searchParams.get('v1') !== '0' ? { bugs: [] } : undefined
    const single = path === 'bug' && url.searchParams.has('id') ? { bugs: {} } : undefined
    if (isGone()) request.socket.destroy()
    else
      response
        .writeHead(200, { 'Content-Type': 'application/json' })
        .end(JSON.stringify(list ?? single ?? answers[path] ?? null))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  context.after(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** Without the times of the import itself, and without the address that was read. */
function rowsOf(archive: string): string[] {
  const files = filesIn(archive).filter(({ name }) => /^tables\/(?!imports\/|installation_secrets\/)/.test(name))
  return files.map(({ name, bytes }) => `${name} ${String(bytes).replaceAll(/202[6-9]-\d\d-\d\dT[\d:.]+Z/g, '')}`)
}

async function rows(db: Db, query: string) {
  return db.query<Record<string, unknown>>((q) => ({
    compile: () => sql.raw(query).$castTo<Record<string, unknown>>().compile(q),
  }))
}

/** Keys are not in the REST API. */
async function copyKeys(source: Config, target: Db) {
  const db = await openDatabaseOf(source)
  for (const row of await rows(db, 'select * from api_keys')) {
    const values = Object.values(row).map((value) =>
      value === null ? 'null' : typeof value === 'number' ? value : `'${value}'`,
    )
    await target.script(`insert into api_keys (${Object.keys(row).join(', ')}) values (${values.join(', ')})`)
  }
  await db.close()
}
