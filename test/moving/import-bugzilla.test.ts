import assert from 'node:assert/strict'
import { cpSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { gunzipSync, gzipSync } from 'node:zlib'
import { sql } from 'kysely'
import { type App, buildApp } from '../../src/app.ts'
import { columnsOf, rawRows } from '../../src/moving/archive/database-catalogue.ts'
import { importBugzilla } from '../../src/moving/bugzilla/import-bugzilla.ts'
import { importLeftOut } from '../../src/moving/bugzilla/import-left-out.ts'
import { assignEventPositions } from '../../src/outbound/events/assign-event-positions.ts'
import type { Db } from '../../src/platform/database/db.ts'
import { INDEXES_OF } from '../../src/platform/database/table-columns.ts'
import { NO_PROGRESS, type Progress } from '../../src/platform/progress.ts'
import { prepare } from '../../src/prepare.ts'
import { checkInstallation } from '../../src/upkeep/check/check-installation.ts'
import { exported, filesIn } from '../support/archive.ts'
import type { BodyAt } from '../support/body-types.ts'
import {
  mysqlDump,
  postgresDump,
  type SourceDatabase,
  type SourceTable,
  type SourceValue,
  withoutNul,
} from '../support/bugzilla-dump.ts'
import { importInto, openTarget, type Target, writeDump } from '../support/import-bugzilla.ts'
import { isEveryCombination, itInSoak, sampled } from '../support/sample.ts'
import { SEARCHES, searchedBugzilla } from '../support/searched-bugzilla.ts'
import { smallBugzilla } from '../support/small-bugzilla.ts'
import { sure } from '../support/sure.ts'

const LOG = { info() {}, warn() {}, error() {}, flush: async () => {} }
const [ADMIN, EDNA, REVOKED, INSIDER] = ['k', 'e', 'r', 'i'].map((letter) => letter.repeat(40)) as [
  string,
  string,
  string,
  string,
]

const LAST_IMPORTED = 15

for (const engine of ['sqlite', 'postgres'] as const)
  describe(`an imported Bugzilla (${engine})`, () => {
    let target: Target
    let app: App
    let url = ''
    let summary = ''
    const get = async <const Path extends string>(path: Path, key?: string) => {
      const response = await fetch(`${url}/rest/${path}`, {
        headers: key === undefined ? {} : { 'X-Tracker-API-Key': key },
      })
      const body = (await response.json()) as BodyAt<'GET', `/rest/${Path}`>
      return { status: response.status, body }
    }
    const bug = async (id: number, key = ADMIN) =>
      (await get(`bug/${id}?include_fields=_default,_custom`, key)).body.bugs[0]

    before(async () => {
      target = await openTarget(engine)
      summary = (await importInto(target, writeDump(target, mysqlDump(searchedBugzilla())))).summary
      app = buildApp(target.db, target.config, LOG as never, ({ db, log }) => assignEventPositions(db, log))
      url = await app.listen({ host: '127.0.0.1', port: 0 })
    })
    after(async () => {
      await app?.close()
      await target?.db.close()
    })

    it('has the bug with all its fields, in UTC', async () => {
      const it = await bug(10)
      assert.equal(it.creation_time, '2020-01-02T02:04:05Z')
      assert.equal(it.last_change_time, '2021-07-01T10:00:00Z')
      assert.deepEqual(
        [
          it.product,
          it.component,
          it.version,
          it.target_milestone,
          it.status,
          it.priority,
          it.qa_contact,
          it.whiteboard,
          it.deadline,
        ],
        ['Lamp', 'Bulb', '1.0', '---', 'CONFIRMED', 'High', 'insider@example.com', '[board]', '2021-03-04'],
      )
      assert.deepEqual(
        [it.alias, it.cc, it.keywords, it.depends_on, it.url],
        [['lamp-one'], ['insider@example.com'], ['crash'], [12], 'http://lamp.test/'],
      )
      assert.deepEqual([it.estimated_time, it.remaining_time, it.actual_time], [2.5, 1, 0.75])
      assert.deepEqual(
        [it.cf_text, it.cf_pick, it.cf_many, it.cf_long, it.cf_when, it.cf_ref, it.cf_day, it.cf_count, it.cf_odd],
        [
          'quoted \'"\\ text\twith tabs',
          'red',
          ['north', 'south'],
          'Zeile 1\r\nZeile 2 🐛',
          '2021-07-01T12:00:00Z',
          12,
          '2021-02-03T00:00:00Z',
          '-7',
          'odd',
        ],
      )
      assert.deepEqual(it.see_also, ['http://bugs.old.test/show_bug.cgi?id=12', 'https://github.com/o/r/issues/8'])
      assert.deepEqual(
        it.flags.map((flag) => [flag.id, flag.name, flag.status, flag.setter, flag.requestee]),
        [[71, 'blocker', '+', 'edna@example.com', undefined]],
      )
    })

    it('has comments in the order of their times, with kinds, hours, tags and privacy', async () => {
      const comments = sure((await get('bug/10/comment', INSIDER)).body.bugs['10']).comments
      assert.deepEqual(
        comments.map((it) => [it.id, it.count, it.is_private]),
        [
          [63, 0, false],
          [50, 1, false],
          [52, 2, false],
          [53, 3, true],
          [54, 4, false],
          [55, 5, false],
          [56, 6, false],
          [57, 7, false],
        ],
      )
      assert.equal(comments[2].text, 'Grüße')
      assert.match(comments[4].text, /5\nA picture\n\nlook$/)
      assert.match(comments[5].text, /15/)
      assert.match(comments[6].text, /^twice encoded: grÃ¼n\n\nThis bug was confirmed by popular vote\.$/)
      assert.deepEqual(comments[1].tags, ['spam'])
      const publicOnes = sure((await get('bug/10/comment')).body.bugs['10']).comments
      assert.equal(publicOnes.length, 7)
      assert.equal((await bug(15)).dupe_of, 10)
    })

    it('has the history, with split values joined', async () => {
      const { history } = (await get('bug/10/history', ADMIN)).body.bugs[0]
      const cc = history[0].changes.find((it) => it.field_name === 'cc')
      assert.equal(cc.added.split(', ').length, 40)
      assert.equal(history[0].when, '2020-01-31T23:00:00Z')
      assert.deepEqual(
        history.map((it) => it.changes.length),
        [2, 1, 1],
      )
      assert.equal(history[1].changes[0].attachment_id, 5)
    })

    it('has attachments with the bytes of the dump and of files, and deleted ones', async () => {
      const list = sure((await get('bug/10/attachment', INSIDER)).body.bugs['10'])
      assert.deepEqual(
        list.map((it) => [it.id, it.file_name, it.is_private, it.is_obsolete, it.size]),
        [
          [5, 'a.png', 0, 0, 9],
          [6, 'b.txt', 1, 0, 11],
          [107, 'c.txt', 0, 1, 0],
        ].map(([id, name, isPrivate, isObsolete, size]) => [id, name, isPrivate === 1, isObsolete === 1, size]),
      )
      assert.deepEqual([...Buffer.from(list[0].data, 'base64')], [0, 1, 39, 92, 10, 13, 26, 255, 34])
      assert.equal(Buffer.from(list[1].data, 'base64').toString(), 'from a file')
      assert.deepEqual(
        list[0].flags.map((it) => [it.id, it.requestee]),
        [[70, 'insider@example.com']],
      )
    })

    it('keeps restrictions, and shows hidden bugs only to members', async () => {
      assert.equal((await get('bug/13')).status, 401)
      assert.equal((await get('bug/13', INSIDER)).body.bugs[0].summary, 'Hidden wire')
      assert.equal((await get('bug/13', EDNA)).status, 200, 'Edna is on the CC list')
    })

    it('repairs what an old database has lost, with a line in the report', async () => {
      const it = await bug(12)
      assert.deepEqual(
        [it.creator, it.priority, it.version, it.target_milestone],
        ['user-77@imported.invalid', 'P9', 'gone', 'never'],
      )
      assert.deepEqual(it.cf_many, ['west'])
      assert.match((await bug(14)).component, /Missing component 700/)
      assert.equal((await get('bug/11', ADMIN)).status, 404)
      const report = readFileSync(join(target.config.dataFolder, 'import/report.txt'), 'utf8')
      for (const line of [
        /^profiles 77: created as user-77@imported\.invalid/m,
        /^profiles 4: its password .* cannot be checked/m,
        /^profiles 5: the login name became EDNA@example\.com \(5\)/m,
        /^groups 14: its user_regexp "\(\?<=x\)y" cannot be used/m,
        /^bugs 11: left out: its creation was interrupted/m,
        /^bugs 14: a time of it is impossible/m,
        /^bugs 14: its deadline "0000-00-00 00:00:00" is not a date/m,
        /^longdescs 52: thetext was not UTF-8/m,
        /^longdescs 56: thetext seems to be encoded twice/m,
        /^longdescs 62: left out: its bug 999 is not there/m,
        /^longdescs 63: its time is impossible/m,
        /^bugs_activity 7: left out: its field 4000 does not exist/m,
        /^dependencies 12 → 10: left out: it would close a circle/m,
        /^bugs_aliases LAMP-ONE: left out/m,
        /^cc 10 99: left out/m,
        /^priority P9: created as an inactive value/m,
        /^versions 23: created for the product Lamp: "gone"/m,
        /^fielddefs cf_odd: its type 99 is unknown/m,
        /^flagtypes 4: the request group 404 does not exist/m,
        /^namedqueries 32: renamed to with a login \(32\)/m,
        /^whine_queries 4: left out: there is no search "no such search"/m,
        /^params\.json defaultseverity: left out/m,
        /Columns that are unknown here and were not imported: bugs\.cf_of_an_extension, profiles\.nick\./,
      ])
        assert.match(report, line)
      assert.match(summary, /^bugs +6 +5 +0 +1 /m)
      assert.match(summary, /^bugs_activity +8 +4 +2 +2 /m)
      const kept = gunzipSync(readFileSync(join(target.config.dataFolder, 'import/left-out.jsonl.gz')))
        .toString()
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line))
      for (const table of ['quips', 'an_extension', 'longdescs_tags_activity', 'bugs', 'longdescs'])
        assert.ok(
          kept.some((it) => it.table === table),
          table,
        )
    })

    it('has votes and their limits, also those that an earlier release had left out', async () => {
      assert.equal((await get('bug/10?include_fields=votes')).body.bugs[0]?.votes, 3)
      const file = join(target.config.dataFolder, 'left-out.jsonl.gz')
      const row = (table: string, row: object) => `${JSON.stringify({ table, row })}\n`
      const rows = [
        row('votes', { who: 2, bug_id: 10, vote_count: 9 }),
        row('votes', { who: 1, bug_id: 10, vote_count: 2 }),
        row('votes', { who: 4711, bug_id: 10, vote_count: 1 }),
        row('votes', { who: 1, bug_id: 10, vote_count: -1 }),
        row('quips', { quip: 'x' }),
        row('products', { id: 3, votesperuser: 7, maxvotesperbug: 3, votestoconfirm: 5 }),
      ]
      writeFileSync(file, gzipSync(rows.join('')))
      assert.deepEqual(await importLeftOut(target.db, file), { votes: 1, products: 1, skipped: 2 })
      assert.deepEqual(await importLeftOut(target.db, file), { votes: 0, products: 0, skipped: 4 })
      const { body } = await get('bug/10/votes', ADMIN)
      assert.deepEqual([body.votes, body.voter_count, body.votesperuser, body.votestoconfirm], [5, 2, 7, 5])
      writeFileSync(file, 'no archive')
      await assert.rejects(importLeftOut(target.db, file), /cannot be read/)
    })

    it('lets users log in with their old passwords, and stores them as any other then', async () => {
      const login = (name: string, password: string) => get(`login?login=${name}&password=${password}`)
      assert.equal((await login('edna@example.com', 'wrong')).status, 401)
      assert.equal((await login('edna@example.com', 'password1')).status, 200)
      assert.equal((await login('admin@example.com', 'adminpass1')).status, 200)
      assert.equal((await login('old@example.com', 'password1')).status, 401)
      const [row] = await rowsOf(target.db, sql`select password_hash from users where id = 2`)
      assert.match(String(row?.password_hash), /^argon2id\$/)
      assert.equal((await login('edna@example.com', 'password1')).status, 200)
      assert.equal((await get('whoami', REVOKED)).status, 400)
    })

    it('goes on above the highest numbers, and finds what was imported', async () => {
      const found = await get('bug?quicksearch=flickers%20gr%C3%BC%C3%9Fe&include_fields=id,type', EDNA)
      assert.deepEqual(found.body.bugs, [{ id: 10, type: '--' }])
      const post = await fetch(`${url}/rest/bug`, {
        method: 'POST',
        headers: { 'X-Tracker-API-Key': EDNA, 'Content-Type': 'application/json' },
        body: JSON.stringify({
          product: 'Lamp',
          component: 'Bulb',
          version: '1.0',
          summary: 'New',
          severity: 'normal',
        }),
      })
      assert.deepEqual(await post.json(), { id: 16 })
      assert.equal((await get('bug/16?include_fields=type', EDNA)).body.bugs[0].type, 'defect')
      const comments = sure((await get('bug/16/comment', EDNA)).body.bugs['16']).comments
      assert.ok(comments[0].id > 63)
      assert.deepEqual(
        (await rowsOf(target.db, sql`select count(*) as n from jobs`)).map(({ n }) => Number(n)),
        [0],
      )
    })

    it('has searches, series, scheduled mail, mail preferences, tags and logs', async () => {
      const { body } = await get('saved_search', EDNA)
      assert.deepEqual(
        body.saved_searches.map((it) => [it.id, it.name, it.shared_with]),
        [
          [4, 'Open lamps', 'editbugs'],
          [8, 'Popular lamps', null],
        ],
      )
      assert.equal(body.saved_searches[1].query, 'product=Lamp&f1=votes&o1=greaterthan&v1=3')
      const mail = (await get('user/edna@example.com/mail', EDNA)).body
      assert.deepEqual(
        [mail.preferences.cc.comment, mail.preferences.cc.other, mail.preferences.flags.answered],
        [false, true, false],
      )
      assert.deepEqual([mail.watched_users, mail.ignored_bugs], [['insider@example.com'], [10]])
      const counts = await rowsOf(target.db, sql`select on_day, bug_count from series_counts order by on_day`)
      assert.deepEqual(
        counts.map((it) => [it.on_day, it.bug_count]),
        [
          ['2020-01-01', 3],
          ['2020-01-08', 4],
        ],
      )
      const times = await rowsOf(target.db, sql`select day, time, to_user_id from scheduled_mail_times`)
      assert.deepEqual(
        times.map((it) => [it.day, it.time, it.to_user_id]),
        [['MF', '8', 2]],
      )
      const classes = await rowsOf(target.db, sql`select class from audit_log where at < '2021' order by id`)
      assert.deepEqual(
        classes.map((it) => it.class),
        ['Product', 'FieldValue', 'User'],
      )
      const fields = (await get('field/bug', ADMIN)).body.fields
      assert.equal(fields.find((it) => it.name === 'cf_pick').id, 102)
    })

    it('runs saved searches and reports, with the names that objects have here', async () => {
      const { saved_searches } = (await get('saved_search', INSIDER)).body
      const own = new Map(saved_searches.map((it) => [it.name, it] as const))
      assert.equal(own.get('by product')?.query, 'product=LAMP+%289%29&query_format=advanced')
      assert.equal(own.get('by component')?.query, 'component=BULB+%2813%29&order=assigned_to%2Cbugs.bug_id')
      assert.equal(own.get('of Edna')?.query, 'savedsearch=Open+lamps&sharer_id=2')
      assert.equal(own.get('With a login')?.query, 'bug_id=10')
      assert.equal(own.get('by me')?.query, 'f1=cc&o1=equals&v1=%25user%25', 'what does not differ stays')
      for (const [index, [name, , found]] of SEARCHES.entries()) {
        const here = index === SEARCHES.length - 1 ? `${name} (${20 + index})` : name
        const { body } = await get(`bug?include_fields=id&savedsearch=${encodeURIComponent(here)}`, INSIDER)
        assert.deepEqual(
          body.bugs?.map((it) => it.id).filter((id: number) => id <= LAST_IMPORTED),
          found,
          `${name}: ${own.get(here)?.query} ${JSON.stringify(body)}`,
        )
      }
      const reports = (await get('saved_report', INSIDER)).body.saved_reports
      const { body } = await get(`report?${reports.find((it) => it.name === 'Who').query}`, INSIDER)
      assert.deepEqual(body.counts, [{ x: 'EDNA@example.com (5)', y: 'RESOLVED', bug_count: 1 }])
    })

    it('refuses a second import', async () => {
      await assert.rejects(importInto(target, writeDump(target, mysqlDump(smallBugzilla()))), /not empty: it has users/)
    })
  })

async function rowsOf(db: Db, query: ReturnType<typeof sql>) {
  return db.query<Record<string, unknown>>((q) => ({
    compile: () => query.$castTo<Record<string, unknown>>().compile(q),
  }))
}

/** Ends the import at the nth report of its progress. */
function breakAt(count: number): Progress {
  let calls = 0
  const call = () => {
    if (++calls === count) throw new Error('broken off')
  }
  return { begin: call, advance: call, end: call, note() {} }
}

const BOTH_WAYS = [
  ['postgres', 'sqlite'],
  ['sqlite', 'postgres'],
] as const

describe('an import that is broken off', () => {
  it('keeps a server from starting with a new installation also if it is killed while it reads', async () => {
    const [whole, killed] = [await openTarget('sqlite'), await openTarget('sqlite')]
    const folderOf = ({ config }: Target) => join(config.dataFolder, 'import')
    const begin = (what: string) => {
      if (what === 'Reading the dump') cpSync(folderOf(whole), folderOf(killed), { recursive: true })
    }
    const dump = writeDump(whole, mysqlDump(smallBugzilla()))
    await importInto(whole, dump, { ...NO_PROGRESS, begin })
    await assert.rejects(prepare(killed.config), /The import that began at .* was broken off\. Give the command again/)
    await importInto(killed, dump)
    for (const { config, db } of [whole, killed]) {
      await (await prepare(config)).db.close()
      await db.close()
    }
  })

  for (const engine of sampled(['sqlite', 'postgres'] as const, 2))
    it(`keeps a server from starting with a new installation also after an error while it reads (${engine})`, async () => {
      const broken = await openTarget(engine)
      const folder = join(broken.config.dataFolder, 'import')
      await assert.rejects(importInto(broken, join(folder, 'none.sql')), /cannot be read/)
      assert.deepEqual(readdirSync(folder), [], 'nothing had begun')
      const file = writeDump(broken, mysqlDump(smallBugzilla()))
      await assert.rejects(importInto(broken, file, breakWithin('Reading the dump')), /^Error: broken off$/)
      await assert.rejects(prepare(broken.config), /import that began at .* was broken off\. Give the command again/)
      await importInto(broken, file)
      assert.ok(!existsSync(join(folder, 'unfinished-import')))
      await (await prepare(broken.config)).db.close()
      await broken.db.close()
    })

  it('goes on without doubles, and no server starts before it is finished', async () => {
    const dump = mysqlDump(smallBugzilla())
    const [whole, broken] = [await openTarget('sqlite'), await openTarget('sqlite')]
    await importInto(whole, writeDump(whole, dump))
    const file = writeDump(broken, dump)
    let breaks = 0
    for (let at = isEveryCombination ? 1 : 2; ; at += isEveryCombination ? 1 : 3) {
      const fault = await importInto(broken, at % 2 === 0 || at < 7 ? file : undefined, breakAt(at)).then(
        () => undefined,
        (caught: Error) => caught,
      )
      if (fault === undefined) break
      assert.match(fault.message, /^broken off$/)
      breaks++
      if (at === 8) {
        await assert.rejects(prepare(broken.config), /import that began at .* was broken off/)
        await assert.rejects(
          importInto(broken, writeDump(broken, Buffer.concat([dump, Buffer.from('-- x\n')]), 'other.sql')),
          /another dump was broken off/,
        )
        await assert.rejects(
          importInto(broken, file, NO_PROGRESS, 'Asia/Tokyo'),
          /broken off has read times as Europe\/Berlin. .* without --time-zone/,
        )
      }
    }
    assert.ok(breaks >= (isEveryCombination ? 8 : 3), `${breaks}`)
    assert.deepEqual(await everything(broken), await everything(whole))
    for (const { db } of [whole, broken]) await db.close()
  })

  for (const [engine, other] of BOTH_WAYS)
    itInSoak(
      `goes on within many bugs, which a thread prepares, from pg_dump on ${engine} as from mariadb-dump on ${other}`,
      async () => {
        const source = withManyBugs(2100)
        const broken = await openTarget(engine)
        const indexes = async () =>
          (await rawRows(broken.db, INDEXES_OF[engine](['bugs', 'comments']))).map(({ name }) => String(name)).sort()
        const before = await indexes()
        assert.ok(before.length >= 10)
        const file = writeDump(broken, postgresDump(withoutNul(source)))
        await assert.rejects(importInto(broken, file, breakWithin('Reading the dump')), /^Error: broken off$/)
        await assert.rejects(importInto(broken, file, breakWithin('Importing bugs')), /^Error: broken off$/)
        assert.deepEqual(await indexes(), [], 'they are built at the end')
        await assert.rejects(importInto(broken, undefined, breakWithin('Building indexes')), /^Error: broken off$/)
        await importInto(broken, undefined)
        assert.deepEqual(readdirSync(join(broken.config.dataFolder, 'import')).sort(), [
          'left-out.jsonl.gz',
          'report.txt',
        ])
        assert.deepEqual(await indexes(), before)
        await requireAllBugs(broken, source)
        await broken.db.close()
        const whole = await openTarget(other)
        await importInto(whole, writeDump(whole, mysqlDump(source)))
        await whole.db.close()
        assert.deepEqual(await archivedRows(broken), await archivedRows(whole))
      },
    )
})

/** Each bug and each comment is there once, with its text, and what is derived from them is right. */
async function requireAllBugs({ db, config }: Target, source: SourceDatabase) {
  const many =
    (source.get('bugs') as SourceTable).rows.length - (smallBugzilla().get('bugs') as SourceTable).rows.length
  const bugs = await rowsOf(db, sql`select id, summary from bugs where id >= 1000 order by id`)
  assert.deepEqual(
    bugs.map(({ id, summary }) => [Number(id), summary]),
    Array.from({ length: many }, (_, index) => [1000 + index, `Bug number ${1000 + index}`]),
  )
  const comments = await rowsOf(db, sql`select id, bug_id, text from comments where bug_id >= 1000 order by id`)
  assert.deepEqual(
    comments.map(({ id, bug_id }) => [Number(id), Number(bug_id)]),
    Array.from({ length: 2 * many }, (_, index) => [2000 + index, 1000 + Math.floor(index / 2)]),
  )
  assert.equal(new Set(comments.map(({ text }) => text)).size, 1, 'they have one text in the source')
  const checked = await checkInstallation(db, config, { repair: false, withContents: false }, NO_PROGRESS)
  assert.deepEqual(
    checked.filter(({ count }) => count > 0).map(({ name }) => name),
    [],
  )
}

/** Ends the import when this step has made some progress. */
function breakWithin(step: string): Progress {
  let current = ''
  return {
    begin: (begun) => {
      current = begun
    },
    advance: () => {
      if (current === step) throw new Error('broken off')
    },
    end() {},
    note() {},
  }
}

/** The small Bugzilla with many more bugs, each with two comments. */
function withManyBugs(count: number): SourceDatabase {
  const database = smallBugzilla()
  const [bugs, comments] = ['bugs', 'longdescs'].map((name) => database.get(name) as SourceTable) as [
    SourceTable,
    SourceTable,
  ]
  const [bug, comment] = [bugs.rows[0] as SourceValue[], comments.rows[0] as SourceValue[]]
  const column = (table: SourceTable, name: string) => table.columns.findIndex(([it]) => it === name)
  for (let id = 1000; id < 1000 + count; id++) {
    bugs.rows.push(bug.with(column(bugs, 'bug_id'), id).with(column(bugs, 'short_desc'), `Bug number ${id}`))
    for (const number of [2 * id, 2 * id + 1])
      comments.rows.push(comment.with(column(comments, 'comment_id'), number).with(column(comments, 'bug_id'), id))
  }
  return database
}

describe('rows of a dump that nothing explains', () => {
  it('are named in the report, and kept where they mean something', async () => {
    const database = smallBugzilla()
    const table = (name: string) => database.get(name) as SourceTable
    // Edna is in no group that gives her 9; the administrator is in 1, which gives 2.
    table('user_group_map').rows.push([2, 9, 0, 1], [1, 2, 0, 1], [4000, 2, 0, 0])
    table('email_setting').rows.push([4000, 0, 0], [2, 9, 9])
    table('longdescs_tags').rows.push([3, 4711, 'lost'])
    const products = table('products')
    database.set('products', {
      columns: [...products.columns, ['votesperuser', 'smallint(6)'], ['maxvotesperbug', 'smallint(6)']],
      rows: products.rows.map((row, index) => [...row, index, 10_000]),
    })
    const bugs = table('bugs')
    const [bug] = bugs.rows
    if (bug !== undefined)
      bugs.rows[0] = bug.with(
        bugs.columns.findIndex(([name]) => name === 'cf_count'),
        -2_147_483_648,
      )
    const target = await openTarget('sqlite')
    const dump = writeDump(target, mysqlDump(database))
    const options = { dump, paramsFile: undefined, attachmentsFolder: undefined, reportFile: undefined }
    await assert.rejects(
      importBugzilla(target.db, target.config, { ...options, timeZone: undefined }, NO_PROGRESS),
      /does not say of which time zone\. Name it with --time-zone/,
    )
    const askTimeZone = async () => 'Asia/Tokyo'
    const finished = await importBugzilla(
      target.db,
      target.config,
      { ...options, timeZone: undefined, askTimeZone },
      NO_PROGRESS,
    )
    finished.removeStaging()
    assert.match(finished.summary, /^Times were read as Asia\/Tokyo\.$/m)
    const report = readFileSync(finished.file, 'utf8')
    for (const line of [
      /^user_group_map 2 in 9: no group .* it is a direct one now$/m,
      /^user_group_map 4000: left out: the user does not exist$/m,
      /^email_setting 4000: left out: the user does not exist$/m,
      /^email_setting 2 9 9: left out: there is no such role or event here$/m,
      /^longdescs_tags 4711: left out: its comment is not there$/m,
      /^attach_data 9: left out: its attachment is not there$/m,
    ])
      assert.match(report, line)
    assert.doesNotMatch(report, /nothing that was imported refers to it|^user_group_map 1 in 2/m)
    const grants = await rowsOf(
      target.db,
      sql`select "right", source from user_group_grants where user_id = 2 and group_id = 9`,
    )
    assert.deepEqual(grants, [{ right: 'member', source: 'direct' }])
    const [smallest] = await rowsOf(target.db, sql`select min(number_value) as n from bug_custom_values`)
    assert.equal(Number(smallest?.n), -2_147_483_648)
    const kept = gunzipSync(readFileSync(join(target.config.dataFolder, 'import/left-out.jsonl.gz'))).toString()
    assert.match(
      kept,
      /"table":"attach_data","note":"left out: its attachment is not there","row":\{"id":9,"thedata":\{"base64":"b3JwaGFu"\}\}/,
    )
    assert.deepEqual(
      await rowsOf(target.db, sql`select votesperuser, maxvotesperbug from products order by id`),
      [0, 1].map((votesperuser) => ({ votesperuser, maxvotesperbug: 10_000 })),
    )
    await target.db.close()
  })
})

/** All rows of the archive of an installation by table, which are the same on both engines except for these numbers. */
async function archivedRows({ config }: Target) {
  const rows: Record<string, string[]> = {}
  for (const { name, bytes } of filesIn(await exported(config))) {
    const [folder, table = ''] = name.split('/')
    if (folder !== 'tables' || /^(imports|installation_secrets)$/.test(table)) continue
    const text = withoutTimeOfImport(String(bytes))
    const lines = table === 'bug_custom_values' ? text.replaceAll(/^\{"id":\d+,/gm, '{') : text
    rows[table] = [...(rows[table] ?? []), ...lines.split('\n')]
  }
  rows.bug_custom_values?.sort()
  return rows
}

function withoutTimeOfImport(text: string) {
  return text.replaceAll(/20[2-9]\d-\d\d-\d\dT\d\d:\d\d:\d\dZ/g, (time) => (time > '2026-06' ? 'NOW' : time))
}

/** All rows of all tables. The time of the import differs. */
async function everything({ db }: Target) {
  const contents: Record<string, string[]> = {}
  for (const name of (await columnsOf(db)).keys()) {
    if (DIFFERS.test(name)) continue
    const rows = await rowsOf(db, sql`select * from ${sql.table(name)}`)
    contents[name] = rows.map((row) => withoutTimeOfImport(JSON.stringify(row))).sort()
  }
  return contents
}

/** Secrets, the journal of the import itself, and how indexes are stored. */
const DIFFERS =
  /^(imports|sqlite_sequence|installation_secrets|schema_migrations)$|_(data|idx|content|docsize|config)$|trigrams|_index$/
