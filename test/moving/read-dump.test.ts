import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { gunzipSync, gzipSync, zstdCompressSync } from 'node:zlib'
import { readParams } from '../../src/moving/bugzilla/read-params.ts'
import { jsonOf } from '../../src/moving/bugzilla/row-tally.ts'
import { stageDump } from '../../src/moving/bugzilla/stage-dump.ts'
import { timeZoneNamed } from '../../src/moving/bugzilla/time-zone.ts'
import { NO_PROGRESS } from '../../src/platform/progress.ts'
import { Refusal } from '../../src/platform/refusal.ts'
import { mysqlDump, postgresDump, type SourceDatabase, type SourceTable, withoutNul } from '../support/bugzilla-dump.ts'
import { otherReleases, withoutColumn } from '../support/bugzilla-releases.ts'
import { required } from '../support/copy-database.ts'
import { importInto, openTarget, writeDump } from '../support/import-bugzilla.ts'
import { isEveryCombination, sampled } from '../support/sample.ts'
import { smallBugzilla } from '../support/small-bugzilla.ts'
import { untidyBugzilla } from '../support/untidy-bugzilla.ts'

let folder = ''
before(() => {
  folder = mkdtempSync(join(required('LACEWING_TEST_FOLDER'), 'dump-'))
})
after(() => rmSync(folder, { recursive: true, force: true }))

/** All rows that were read from a dump, in their order. */
async function rowsIn(dump: Buffer): Promise<Record<string, string[]>> {
  const staging = await stageDump(writeDump({ folder }, dump), join(folder, 'staging.db'), NO_PROGRESS)
  const names = [...staging.dumpTables().keys()].sort()
  const rows = Object.fromEntries(
    names.map((name) => [name, staging.all(`select * from "dump_${name}" order by rowid`).map(jsonOf)]),
  )
  staging.remove()
  return rows
}

describe('reading a dump', () => {
  const database = smallBugzilla()
  let expected: Record<string, string[]> = {}
  before(async () => {
    expected = await rowsIn(mysqlDump(database))
    assert.ok(Object.keys(expected).length > 50)
    assert.match(expected.longdescs?.join() ?? '', /Grüße/)
  })

  const dumps: [title: string, dump: () => Buffer][] = [
    ['blobs as escaped text', () => mysqlDump(database, { blobs: 'escaped' })],
    ['blobs with _binary and one row per statement', () => mysqlDump(database, { blobs: 'binary', rowsPerInsert: 1 })],
    ['double quotes, bare names and column lists', () => mysqlDump(database, { isUnusual: true })],
    ['tables in another order', () => mysqlDump(database, { order: (names) => names.toReversed() })],
    ['gzip', () => gzipSync(mysqlDump(database))],
    ['zstd', () => zstdCompressSync(mysqlDump(database))],
    ['pg_dump with COPY', () => postgresDump(withoutNul(database))],
    ['pg_dump with escaped blobs', () => postgresDump(withoutNul(database), 'copy', 'escape')],
    ['pg_dump with INSERT', () => postgresDump(withoutNul(database), 'inserts')],
    [
      'pg_dump with the line ends of Windows',
      () => Buffer.from(postgresDump(withoutNul(database)).toString('latin1').replaceAll('\n', '\r\n'), 'latin1'),
    ],
    [
      'a definition of the tables before the dump',
      () => Buffer.concat([mysqlDump(withoutRows(database)), mysqlDump(database)]),
    ],
  ]
  for (const [title, dump] of dumps) it(`reads ${title}`, async () => assert.deepEqual(await rowsIn(dump()), expected))

  it('reads columns in another order and columns of a superset', async () => {
    const other: SourceDatabase = new Map(
      [...database].map(([name, { columns, rows }]) => [
        name,
        { columns: columns.toReversed(), rows: rows.map((row) => row.toReversed()) },
      ]),
    )
    const rows = await rowsIn(mysqlDump(other, { rowsPerInsert: 3 }))
    assert.deepEqual(JSON.parse(rows.bugs?.[0] ?? ''), JSON.parse(expected.bugs?.[0] ?? ''))
  })

  it('passes over views, triggers, routines and settings of the server', async () => {
    const dump = mysqlDump(database).toString('latin1')
    const at = dump.indexOf('DROP TABLE')
    const others = Buffer.from(dump.slice(0, at) + OTHER_STATEMENTS + dump.slice(at), 'latin1')
    assert.deepEqual(await rowsIn(others), expected)
  })

  it('reads a dump without definitions of tables, in which texts of digits stay texts', async () => {
    const { columns, rows } = database.get('bugs') as SourceTable
    const paid: SourceTable = { columns: [...columns, ['cf_paid', '']], rows: rows.map((row) => [...row, '007']) }
    const dump = mysqlDump(new Map(database).set('bugs', paid), { isUnusual: true }).toString('latin1')
    const definition = /^DROP TABLE.*\nCREATE TABLE(?:.*\n)*?\) ENGINE=InnoDB;\n/gm
    const read = await rowsIn(Buffer.from(dump.replaceAll(definition, ''), 'latin1'))
    assert.equal(read.bugs?.length, expected.bugs?.length)
    assert.deepEqual(JSON.parse(read.bugs?.[0] ?? ''), { ...JSON.parse(expected.bugs?.[0] ?? ''), cf_paid: '007' })
  })

  it('reads the parameters of releases before 5.0, which are not JSON', () => {
    const file = join(folder, 'params')
    const params = `%param = (\n  'announcehtml' => 'it\\'s \\\\ here',\n  'maintainer' => "J\\x{f6}rg \\@ \\"x\\"\\n",\n  'or_groups' => 0,\n  'urlbase' => undef\n);\n`
    writeFileSync(file, params)
    assert.deepEqual(readParams(file), {
      announcehtml: "it's \\ here",
      maintainer: 'Jörg @ "x"\n',
      or_groups: '0',
      urlbase: '',
    })
    writeFileSync(file, params.slice(0, -20))
    assert.throws(() => readParams(file), /cannot be read: it is damaged at character/)
  })

  it('refuses what is not a whole dump of Bugzilla 4.4 or newer, with a sentence', async () => {
    const dump = mysqlDump(database)
    const pg = postgresDump(withoutNul(database))
    const without = (...names: string[]) => new Map([...database].filter(([name]) => !names.includes(name)))
    const cases: [Buffer, RegExp][] = [
      [Buffer.alloc(0), /no tables/],
      [Buffer.from('hello'), /ends within a statement|not SQL/],
      [Buffer.from('\u007fELF\u0001\u0002'), /not SQL/],
      [Buffer.from('PGDMP\u0001'), /custom format/],
      [Buffer.from('toc.dat\0\0'), /tar format/],
      [Buffer.from('BZh91AY&SY'), /Decompress it first/],
      [Buffer.from('\ufeffCREATE TABLE', 'utf16le'), /UTF-16, as PowerShell/],
      [mysqlDump(withoutRows(database)), /no rows of profiles, groups, fielddefs, bug_status.*--no-data/],
      [Buffer.concat([dump, Buffer.from('USE `copy`;\n'), dump]), /defines the table \w+ twice.*several databases/],
      [
        mysqlDump(new Map([['wp_posts', { columns: [['ID', 'int(11)']], rows: [[1]] }]])),
        /not the dump of a Bugzilla database/,
      ],
      [mysqlDump(without('longdescs', 'fielddefs')), /no table longdescs, fielddefs/],
      [mysqlDump(withoutColumn('profiles', 'last_seen_date')(without('bug_tag'))), /older release than Bugzilla 4\.4/],
      [gzipSync(dump).subarray(0, 2000), /decompressed/],
      ...sampled([0.5, 0.2, 0.8, 0.99], 2).flatMap((share): [Buffer, RegExp][] => [
        [dump.subarray(0, Math.floor(dump.length * share)), /cut short|damaged|cannot be read/],
        [pg.subarray(0, Math.floor(pg.length * share)), /cut short|damaged|cannot be read/],
      ]),
    ]
    for (const [bytes, sentence] of cases)
      await assert.rejects(rowsIn(bytes), (fault: Error) => {
        assert.ok(fault instanceof Refusal, fault.stack)
        assert.match(fault.message, sentence)
        return true
      })
    await assert.rejects(stageDump('/no/such/file', join(folder, 'staging.db'), NO_PROGRESS), /cannot be read/)
  })

  it('imports the databases of 4.4, 5.1 and bugzilla.mozilla.org like one of 5.2, and in the soak those of 5.0 and Red Hat', async () => {
    const imported = async (source: SourceDatabase) => {
      const target = await openTarget('sqlite')
      await importInto(target, writeDump(target, mysqlDump(source)))
      const rows: Record<string, string[]> = {}
      for (const table of COMPARED) {
        const all = await target.db.query((q) => q.selectFrom(table).selectAll())
        rows[table] = all.map((row) => JSON.stringify(row).replaceAll(/202[6-9]-[\dT:-]+Z/g, 'NOW')).sort()
      }
      const comments = await target.db.query((q) => q.selectFrom('comments').select('is_markdown').orderBy('id'))
      await target.db.close()
      const report = readFileSync(join(target.config.dataFolder, 'import/report.txt'), 'utf8')
      return { rows, report, markdown: comments.filter((it) => it.is_markdown === 1).length, all: comments.length }
    }
    const base = await imported(database)
    for (const release of sampled(otherReleases(database), 2)) {
      const { rows, report, markdown, all } = await imported(release.database)
      for (const table of COMPARED)
        if (!release.differs.includes(table))
          assert.deepEqual(rows[table], base.rows[table], `${release.name} ${table}`)
      for (const line of release.report) assert.match(report, line, release.name)
      assert.equal(markdown, release.name === '5.1' ? 1 : release.name.includes('mozilla') ? all - 1 : 0)
      if (release.name === '4.4') assert.match(rows.bug_aliases?.join() ?? '', /^[^}]*lamp-one[^}]*\}$/)
      if (release.name.includes('mozilla')) assert.match(rows.users?.join() ?? '', /2018-01-01T11:00:00Z/)
    }
  })

  it('keeps the bugs of an untidy database', async () => {
    const target = await openTarget('postgres', { LACEWING_BASE_URL: 'https://new.test' })
    await importInto(target, writeDump(target, mysqlDump(untidyBugzilla())), NO_PROGRESS, 'Europe/Berlin', false)
    const { db } = target
    const report = readFileSync(join(target.config.dataFolder, 'import/report.txt'), 'utf8')
    const kept = gunzipSync(readFileSync(join(target.config.dataFolder, 'import/left-out.jsonl.gz'))).toString()
    assert.match(report, /^bugs +12 +10 +0 +2 /m)
    assert.match(report, /^longdescs +320 +318 +0 +2 /m)
    assert.match(report, /^profiles 402: created as unknown-user@imported\.invalid: .*bugs\.assigned_to/m)
    assert.match(report, /not imported: bugs\.cf_of_an_extension, profiles\.extern_id, profiles\.nick\./)
    assert.match(kept, /"table":"profiles","row":\{"userid":20,"extern_id":"ldap-1","nick":""\}/)
    const bugs = await db.query((q) =>
      q.selectFrom('bugs').select(['id', 'creator_id', 'summary', 'whiteboard', 'url']),
    )
    const bug = (id: number) => bugs.find((it) => it.id === id)
    assert.equal(bug(30)?.creator_id, 402)
    assert.match(report, /^bugs_activity +9 +5 +2 +2 +1: its bug is not there; 1: its field does not exist$/m)
    assert.match(report, /^groups 4040: created as missing-group-4040/m)
    for (const line of [
      /^Parameters have their defaults, because --params was not given: no user sees private/m,
      /^profiles 401: it was disabled without a reason/m,
      /^duplicates 30: left out: bug 30 is not closed as a duplicate any more/m,
      /^flags 300: its time is impossible/m,
      /^audit_log Bugzilla::Product 3 name: its author 555 does not exist/m,
      /^audit_log Bugzilla::Product 3 name: its time is impossible/m,
      /^profiles_activity 80: its author 555 does not exist/m,
      /^user_api_keys 900: the time of its last use is impossible/m,
      /^profiles 20: "0000-00-00" is not a day/m,
      /^classifications 10: renamed to classification-10/m,
      /^whine_schedules 71: it was mailed at 0 o’clock of Europe\/Berlin/m,
      /^tag +\d+ +\d+ +0 +1 +no bug has it$/m,
      /^constructor +1 +0 +0 +1 +there is no place/m,
      /^bugs 34: left out: it has no product or component/m,
    ])
      assert.match(report, line)
    for (const row of [/"table":"tag","row":\{"id":700,/, /"table":"namedqueries","row":.*Default query/])
      assert.match(kept, row)
    assert.deepEqual(
      await db.query((q) => q.selectFrom('bug_groups').select('group_id').where('bug_id', '=', 30)),
      [{ group_id: 4040 }],
      'a bug stays hidden if its group is gone',
    )
    assert.deepEqual([bug(33)?.summary, bug(33)?.whiteboard, bug(33)?.url], ['grün ', 'a😀b', 'ü😀\ufffdß'])
    const names = await db.query((q) =>
      q
        .selectFrom('bugs')
        .innerJoin('field_values as priority', 'priority.id', 'bugs.priority_id')
        .innerJoin('field_values as status', 'status.id', 'bugs.status_id')
        .select(['priority.name as priority', 'status.name as status', 'status.is_open'])
        .where('bugs.id', 'in', [31, 32])
        .orderBy('bugs.id'),
    )
    assert.deepEqual(names, [
      { priority: '---', status: 'CONFIRMED', is_open: 1 },
      { priority: 'High', status: 'WEIRD', is_open: 0 },
    ])
    assert.deepEqual(
      await db.query((q) => q.selectFrom('bug_see_also').select(['url', 'local_bug_id']).where('id', '=', 1)),
      [{ url: 'https://new.test/show_bug.cgi?id=12', local_bug_id: 12 }],
      'a link that Bugzilla has marked as its own leads here, also without the old address',
    )
    const long = await db.query((q) => q.selectFrom('comments').select(['user_id', 'text']).where('id', '=', 20_000))
    assert.deepEqual([long[0]?.user_id, long[0]?.text.length], [402, 150_000])
    const milestones = await db.query((q) =>
      q.selectFrom('milestones').select('is_active').where('product_id', '=', 40),
    )
    assert.deepEqual(milestones, [{ is_active: 1 }])
    const controls = await db.query((q) =>
      q.selectFrom('group_controls').select('group_id').where('product_id', '=', 40),
    )
    assert.equal(controls.length, 16)
    const series = await db.query((q) => q.selectFrom('series').select(['id', 'is_public']).orderBy('id'))
    assert.deepEqual(
      series.map((it) => [it.id, it.is_public]),
      [
        [5, 0],
        [80, 1],
      ],
      'a series of a category that had groups is not shown to others',
    )
    assert.equal((await db.query((q) => q.selectFrom('scheduled_mail_searches').select('id'))).length, 3)
    await db.close()
  })

  it('imports or refuses a damaged dump, and never crashes', async () => {
    const clean = withoutNul(database)
    const wholes = [mysqlDump(database), postgresDump(clean), postgresDump(clean, 'inserts')]
    // A fixed sequence, so that a failure can be repeated.
    const random = numbersFrom(Number(process.env.FUZZ_SEED ?? 7))
    let imported = 0
    for (let round = 0; round < Number(process.env.FUZZ_ROUNDS ?? (isEveryCombination ? 40 : 2)); round++) {
      const damage = DAMAGES[round % DAMAGES.length] as Damage
      const dump = damage(wholes[round % wholes.length] as Buffer, random)
      const target = await openTarget(round % 2 === 0 ? 'sqlite' : 'postgres')
      try {
        const { summary } = await importInto(target, writeDump(target, dump))
        assert.match(summary, /^bugs /m)
        imported++
      } catch (fault) {
        assert.ok(fault instanceof Refusal, `round ${round}: ${(fault as Error).stack}`)
        assert.deepEqual(await target.db.query((q) => q.selectFrom('users').select('id')), [])
      }
      await target.db.close()
    }
    assert.ok(imported > 0)
  })
})

/** What dumps of whole servers, and of installations with extensions, have besides tables. */
const OTHER_STATEMENTS = `/*M!999999\\- enable the sandbox mode */
SET @@GLOBAL.GTID_PURGED=/*!80000 '+'*/ '3E11FA47-71CA:1-5';
CREATE DATABASE /*!32312 IF NOT EXISTS*/ \`bugs\` /*!80016 DEFAULT ENCRYPTION='N' */;
USE \`bugs\`;
/*!50001 CREATE VIEW \`v\` AS SELECT 1 AS \`a\`*/;
DELIMITER ;;
/*!50003 CREATE*/ /*!50003 TRIGGER t BEFORE INSERT ON bugs FOR EACH ROW BEGIN
  -- it's a comment
  /* within a comment */ INSERT INTO log (a) VALUES (NEW.bug_id);
  INSERT INTO bugs VALUES (1,'it''s;');
END */;;
CREATE DEFINER=\`root\`@\`%\` FUNCTION \`f\`(a int) RETURNS int
BEGIN
  # a comment; with 'one quote
  RETURN a--1;
END ;;
DELIMITER ;
`

/** What must not differ between releases. */
const COMPARED = [
  ...(['users', 'groups', 'user_group_grants', 'api_keys', 'mail_choices', 'mail_forms', 'watched_users'] as const),
  ...(['products', 'components', 'versions', 'milestones', 'keywords', 'field_values', 'flag_types'] as const),
  ...(['bugs', 'comments', 'comment_tags', 'attachments', 'flags', 'bug_changes', 'bug_aliases', 'bug_cc'] as const),
  ...(['bug_see_also', 'bug_custom_values', 'last_visits', 'ignored_bugs', 'saved_searches', 'series'] as const),
]

type Damage = (dump: Buffer, random: (below: number) => number) => Buffer

/** Changed bytes, numbers that are too large, lines in another order or missing, and other character sets. */
const DAMAGES: readonly Damage[] = [
  (dump, random) => {
    const changed = Buffer.from(dump)
    for (let flips = 0; flips < 1 + random(20); flips++) changed[random(dump.length)] = random(256)
    return changed
  },
  (dump, random) => {
    const text = dump.toString('latin1')
    const large = () => (random(12) === 0 ? String(2 ** (30 + random(30))) : undefined)
    return Buffer.from(
      text.replace(/(?<=[(,\t])\d{1,4}(?=[,)\t])/g, (digits) => large() ?? digits),
      'latin1',
    )
  },
  (dump, random) => {
    const lines = dump.toString('latin1').split('\n')
    const [moved] = lines.splice(random(lines.length), 1)
    if (random(2) === 0) lines.splice(random(lines.length), 0, moved as string)
    return Buffer.from(lines.join('\n'), 'latin1')
  },
  (dump) => Buffer.from(dump.toString('utf8'), 'latin1'),
  (dump, random) => {
    const text = dump.toString('latin1')
    return Buffer.from(
      text.replace(/'[^'\\\n]{1,40}'/g, (quoted) => (random(15) === 0 ? "'\u00ff\u00fe\u00f0 %s x'" : quoted)),
      'latin1',
    )
  },
]

function numbersFrom(start: number) {
  let seed = start
  return (below: number) => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648
    return Math.floor((seed / 2_147_483_648) * below)
  }
}

function withoutRows(database: SourceDatabase): SourceDatabase {
  return new Map([...database].map(([name, { columns }]) => [name, { columns, rows: [] }]))
}

describe('local times', () => {
  it('become UTC, also around the changes of the clock', () => {
    const zone = timeZoneNamed('Europe/Berlin')
    const cases: [string, string | undefined][] = [
      ['2021-01-15 12:00:00', '2021-01-15T11:00:00Z'],
      ['2021-07-15 12:00:00', '2021-07-15T10:00:00Z'],
      ['2021-03-28 01:59:59', '2021-03-28T00:59:59Z'],
      ['2021-03-28 02:30:00', '2021-03-28T01:30:00Z'],
      ['2021-03-28 03:00:00', '2021-03-28T01:00:00Z'],
      ['2021-10-31 01:59:59', '2021-10-30T23:59:59Z'],
      ['2021-10-31 02:30:00', '2021-10-31T01:30:00Z'],
      ['2021-10-31 03:00:00', '2021-10-31T02:00:00Z'],
      ['1999-12-31 23:59:59.123', '1999-12-31T22:59:59Z'],
      ['1985-07-15 12:00:00', '1985-07-15T10:00:00Z'],
      ['2060-07-15 12:00:00', '2060-07-15T10:00:00Z'],
      ['0000-00-00 00:00:00', undefined],
      ['2021-02-30 00:00:00', undefined],
      ['soon', undefined],
    ]
    for (const [local, utc] of cases) assert.equal(zone?.toUtc(local), utc, local)
    assert.equal(timeZoneNamed('UTC')?.toUtc('2021-03-28 02:30:00'), '2021-03-28T02:30:00Z')
    assert.equal(timeZoneNamed('Nowhere/Never'), undefined)
  })
})
