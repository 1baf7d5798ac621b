import assert from 'node:assert/strict'
import { cpSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'
import { gunzipSync } from 'node:zlib'
import { storeParameter } from '../../src/access/installation.ts'
import { ARCHIVE_TABLES, ARCHIVED, archivedTable } from '../../src/moving/archive/archive-tables.ts'
import { columnsOf, rawRows } from '../../src/moving/archive/database-catalogue.ts'
import { CHECKSUMS, LAST_IDS, MANIFEST } from '../../src/moving/archive/manifest.ts'
import type { Config } from '../../src/platform/config/config.ts'
import { CATALOGUE } from '../../src/platform/database/table-columns.ts'
import { NO_PROGRESS } from '../../src/platform/progress.ts'
import { Refusal } from '../../src/platform/refusal.ts'
import { openDatabaseOf, prepare } from '../../src/prepare.ts'
import { backUp } from '../../src/upkeep/backup.ts'
import { checkInstallation } from '../../src/upkeep/check/check-installation.ts'
import { moveInstallation } from '../../src/upkeep/move.ts'
import {
  type ArchiveFile,
  archiveOf,
  emptyConfig,
  exported,
  filesIn,
  INSIDER_KEY,
  imported,
  migratedConfig,
  newFile,
  richInstallation,
  tarOf,
  withServer,
} from '../support/archive.ts'
import { openTarget } from '../support/import-bugzilla.ts'
import { S3Server } from '../support/s3-server.ts'
import { isEveryCombination, itInSoak, sampled } from '../support/sample.ts'

/** What follows the manifest, unpacked. */
const afterManifest = (file: string) =>
  filesIn(file)
    .slice(1)
    .map(({ name, bytes }) => `${name} ${bytes.toString('base64')}`)

const DISCUSSION_TABLES = [
  ...(['comment_versions', 'comment_mentions', 'comment_reactions', 'canned_replies', 'bug_votes'] as const),
  ...(['bug_presences', 'watches', 'reminders', 'mail_times', 'inbox_entries'] as const),
]

const TRIAGE_TABLES = [
  'absences',
  'rotations',
  'rotation_members',
  'triage_queues',
  'triage_decisions',
  'triage_snoozes',
] as const

describe('the list of tables of an archive', () => {
  const columns: Awaited<ReturnType<typeof columnsOf>>[] = []
  for (const engine of ['sqlite', 'postgres'] as const)
    it(`decides on every table, after the tables it refers to, with the same columns on both engines (${engine})`, async () => {
      const { db } = await openTarget(engine)
      columns.push(await columnsOf(db))
      for (const table of ARCHIVED) assert.deepEqual(columns.at(-1)?.get(table), columns[0]?.get(table), table)
      const tables = [...(columns.at(-1)?.keys() ?? [])]
      const own =
        /^(schema_migrations|sqlite_sequence|due_trigrams|(summary|whiteboard)_trigrams.*|(bug|private)_words_index.*)$/
      assert.deepEqual(
        tables.filter((table) => !own.test(table)).sort(),
        Object.keys(ARCHIVE_TABLES).sort(),
        'decide in archive-tables.ts whether a new table is archived or derived',
      )
      const order = new Map(ARCHIVED.map((table, index) => [table as string, index]))
      for (const { table_name, column_name, parent } of await rawRows(db, CATALOGUE[engine].foreignKeys)) {
        const isOwn =
          table_name === parent && archivedTable(String(parent))?.ownReferences.includes(String(column_name))
        const isBefore = (order.get(String(parent)) ?? Infinity) < (order.get(String(table_name)) ?? -1)
        assert.ok(isOwn || isBefore, `${table_name}.${column_name} refers to ${parent}`)
      }
      await db.close()
    })
})

const WAYS = [
  ['sqlite', 'postgres'],
  ['postgres', 'sqlite'],
] as const

// The other way, upkeep.test.ts moves an installation without a difference, and restores a backup, which is an archive.
for (const [from, to] of isEveryCombination ? WAYS : WAYS.slice(0, 1))
  describe(`an archive of ${from}`, () => {
    let source: Config
    let copy: Config
    let archive = ''

    before(async () => {
      source = await richInstallation(from)
      archive = await exported(source)
      copy = await migratedConfig(to)
    })

    it('is the same whenever the same state is exported, also compressed', async () => {
      const again = await exported(source)
      assert.deepEqual(afterManifest(again), afterManifest(archive))
      const [one, other] = [readFileSync(archive), readFileSync(again)]
      assert.equal(one.compare(other, other.length - one.length + 2000, other.length, 2000, one.length), 0)
      const names = new Set(filesIn(archive).map(({ name }) => name.split('/')[1]))
      const tables = ['bugs', 'comments', 'outbox', 'flags', 'attachments', 'saved_searches', 'bug_changes']
      for (const table of [...tables, 'dashboards', 'dashboard_groups', ...TRIAGE_TABLES, ...DISCUSSION_TABLES])
        assert.ok(names.has(table), `${table} has rows`)
    })

    it(`becomes the same installation on ${to}`, async () => {
      const { contents } = await imported(copy, archive)
      assert.ok(contents >= 2)
      assert.deepEqual(afterManifest(await exported(copy)), afterManifest(archive))
    })

    it('has everything that callers see: bugs, search, contents, and numbers that go on', async () => {
      const seen = (config: Config) =>
        withServer(config, async (send) => {
          const { body: found } = await send('GET', 'bug?quicksearch=ALL%20zeppelin&include_fields=id')
          const { body: hidden } = await send(
            'GET',
            'bug?longdesc=xylophone&longdesc_type=anywords&include_fields=id',
            undefined,
            INSIDER_KEY,
          )
          const { body: part } = await send(
            'GET',
            'bug?whiteboard=he%20boa&whiteboard_type=substring&include_fields=id',
          )
          const id = found.bugs[0]?.id
          const { body: bug } = await send('GET', `bug/${id}`)
          const { body: files } = await send('GET', `bug/${id}/attachment`)
          const { body: history } = await send('GET', `bug/${id}/history`)
          const { product, component, version } = bug.bugs[0]
          const { body: made } = await send('POST', 'bug', { product, component, version, summary: 'new' })
          return { found, hidden, part, bug, files, history, next: made.id }
        })
      const one = await seen(source)
      assert.equal(one.found.bugs.length, 1)
      assert.equal(one.hidden.bugs.length, 1)
      assert.equal(one.part.bugs.length, 1)
      assert.deepEqual(await seen(copy), one)
    })

    // upkeep.test.ts makes backups, which are archives, while a server writes.
    itInSoak('is of one moment while the server writes', async () => {
      await withServer(source, async (send) => {
        let isDone = false
        const { body } = await send('GET', 'bug/10')
        const { product, component, version } = body.bugs[0]
        const writing = (async () => {
          for (let n = 0; !isDone; n++) {
            const { body: made } = await send('POST', 'bug', { product, component, version, summary: `During ${n}` })
            await send('POST', `bug/${made.id}/comment`, { comment: 'and a comment' })
          }
        })()
        const moment = await exported(source)
        isDone = true
        await writing
        await imported(await migratedConfig(to), moment)
      })
    })

    it('leaves contents and waiting deliveries out on request', async () => {
      const bare = await migratedConfig('sqlite')
      const file = await exported(source, true)
      assert.equal(filesIn(file).filter(({ name }) => name.startsWith('contents/')).length, 0)
      const { contents } = await imported(bare, file, { discardWaiting: true })
      assert.equal(contents, 0)
      const db = await openDatabaseOf(bare)
      const [newest] = await rawRows(db, 'select max(id) as id from outbox')
      for (const { position } of await rawRows(db, `select position from consumers where name in ('mail', 'webhooks')`))
        assert.equal(position, newest?.id)
      await db.close()
    })
  })

describe('an archive of an older release', () => {
  it('becomes an installation of this one, the same on both engines', async () => {
    const file = fileURLToPath(new URL('./archives/schema-26.tar.gz', import.meta.url))
    const archives: string[][] = []
    for (const engine of ['sqlite', 'postgres'] as const) {
      const config = await emptyConfig(engine)
      const { manifest, contents } = await imported(config, file)
      assert.deepEqual([manifest.schema, contents], [26, 2])
      const db = await openDatabaseOf(config)
      const results = await checkInstallation(db, config, { repair: false, withContents: true }, NO_PROGRESS)
      await db.close()
      assert.deepEqual(
        results.filter(({ count }) => count > 0).map(({ name }) => name),
        [],
      )
      const files = filesIn(await exported(config)).filter(({ name }) => /^tables\/(?!installation_secrets)/.test(name))
      archives.push(files.map(({ name, bytes }) => `${name} ${bytes}`))
      const found = await withServer(config, (send) =>
        send('GET', 'bug?quicksearch=ALL%20xylophone&include_fields=id,type'),
      )
      assert.deepEqual(found.body.bugs, [{ id: 10, type: '--' }])
    }
    assert.deepEqual(archives[0], archives[1])
  })
})

describe('an import of an archive that is killed or fails', () => {
  for (const engine of sampled(['sqlite', 'postgres'] as const, 2))
    it(`keeps a server from starting with an empty installation until it is repeated (${engine})`, async () => {
      const archive = await exported(await richInstallation('sqlite'))
      const [whole, killed, failed] = [
        await migratedConfig(engine),
        await migratedConfig(engine),
        await migratedConfig(engine),
      ]
      // What a kill leaves: the data folder while the archive is read or rows are written, and an empty database.
      const copy = () =>
        cpSync(join(whole.dataFolder, 'import'), join(killed.dataFolder, 'import'), { recursive: true })
      const refusal = /restore of an archive that began at 20\S+ was broken off\. Give the command again/
      const seen: string[] = []
      const begin = (what: string) => {
        rmSync(join(killed.dataFolder, 'import'), { recursive: true, force: true })
        copy()
        seen.push(what)
      }
      const advance = () => assert.ok(existsSync(join(killed.dataFolder, 'import', 'unfinished-archive')))
      await imported(whole, archive, {}, { ...NO_PROGRESS, begin, advance })
      assert.deepEqual(seen, ['Verifying the archive', 'Importing'])
      await assert.rejects(prepare(killed), refusal)
      const [cut, saved] = [
        join(killed.dataFolder, 'cut'),
        join(killed.dataFolder, 'import', `archive-${'a'.repeat(16)}.tar.gz`),
      ]
      writeFileSync(cut, readFileSync(archive).subarray(0, 3000))
      writeFileSync(saved, 'standard input, with secrets')
      await assert.rejects(imported(killed, cut), /cut short/)
      await assert.rejects(prepare(killed), refusal)
      assert.ok(!existsSync(saved))
      await imported(killed, archive)
      await assert.rejects(imported(failed, join(failed.dataFolder, 'none')), /does not exist/)
      assert.ok(!existsSync(join(failed.dataFolder, 'import', 'unfinished-archive')))
      await assert.rejects(imported(failed, cut), /cut short/)
      await assert.rejects(prepare(failed), refusal)
      await imported(failed, archive)
      copy()
      for (const config of [whole, killed, failed]) await (await prepare(config)).db.close()
    })
})

describe('an archive of an installation whose attachments are in S3', () => {
  const store = new S3Server()
  let source: Config
  let inFolder: Config
  let archive = ''
  const contentsIn = (file: string) => filesIn(file).filter(({ name }) => name.startsWith('contents/')).length
  const readAttachment = (config: Config) =>
    withServer(config, async (send) => {
      const { body } = await send('GET', `bug/attachment/${attachment}`)
      return Buffer.from(body.attachments?.[attachment]?.data ?? '', 'base64').toString()
    })
  let attachment = 0

  before(async () => {
    await store.open()
    source = await richInstallation('sqlite')
    const db = await openDatabaseOf(source)
    await db.transaction(async (tx) => {
      for (const [name, value] of Object.entries(store.parameters()))
        await storeParameter(tx, name as 's3_region', value)
    }, 'migration')
    await db.close()
    attachment = await withServer(source, async (send) => {
      const { body } = await send('POST', 'bug/10/attachment', {
        data: Buffer.from('in the bucket').toString('base64'),
        file_name: 'b.txt',
        summary: 'b',
        content_type: 'text/plain',
      })
      return body.ids[0]
    })
    archive = await exported(source)
  })
  after(() => store.close())

  it('has the contents of the bucket and of the folder, which an import stores in the bucket or in the folder', async () => {
    const withStore = await migratedConfig('sqlite')
    store.served.length = 0
    const { contents } = await imported(withStore, archive)
    assert.equal(contents, contentsIn(archive))
    assert.equal(store.served.filter((line) => line.startsWith('PUT')).length, contents - 1, 'one was there already')
    assert.equal(await readAttachment(withStore), 'in the bucket')
    assert.deepEqual(afterManifest(await exported(withStore)), afterManifest(archive))
    inFolder = await migratedConfig('sqlite')
    store.served.length = 0
    await imported(inFolder, archive, { attachmentsInFolder: true })
    assert.equal(await readAttachment(inFolder), 'in the bucket')
    assert.equal(contentsIn(await exported(inFolder)), contents)
    assert.deepEqual(store.served, [], 'a copy leaves the bucket alone')
  })

  itInSoak(
    'leaves contents in the bucket if they are exported by reference, or if the installation is moved',
    async () => {
      const file = await exported(source, true)
      const copy = await migratedConfig('sqlite')
      const { contents } = await imported(copy, file)
      assert.deepEqual([contents, contentsIn(file)], [0, 0])
      assert.equal(await readAttachment(copy), 'in the bucket')
      const moved = { ...source, databaseUrl: (await migratedConfig('sqlite')).databaseUrl }
      const db = await openDatabaseOf(moved)
      await moveInstallation(source, db, NO_PROGRESS)
      await db.close()
      assert.equal(await readAttachment(moved), 'in the bucket')
    },
  )

  itInSoak('is neither written nor imported while the bucket does not respond', async () => {
    await store.close()
    const folder = dirname(newFile())
    const keep = { attachmentsByReference: false, keep: 1 }
    await assert.rejects(
      backUp(source, folder, keep, NO_PROGRESS),
      /cannot be read: The S3 store 127\.0\.0\.1:\d+ does not respond \(ECONNREFUSED\)\. Nothing was written/,
    )
    const db = await openDatabaseOf(source)
    const checked = await checkInstallation(db, source, { repair: false, withContents: true }, NO_PROGRESS)
    await db.close()
    assert.deepEqual(
      checked.flatMap(({ sentences }) => sentences.map((it) => it.replace(/:\d+ /, ' '))),
      ['The S3 store 127.0.0.1 does not respond (ECONNREFUSED): the other contents were not checked'],
    )
    assert.deepEqual(readdirSync(folder), [])
    const target = await emptyConfig('sqlite')
    await assert.rejects(imported(target, archive), /cannot be stored: .*add --attachments-in-folder/)
    await imported(target, archive, { attachmentsInFolder: true })
    assert.equal(await readAttachment(target), 'in the bucket')
    await store.open()
  })

  it('keeps older backups if contents are lost', async () => {
    const folder = dirname(newFile())
    const options = { attachmentsByReference: false, keep: 1 }
    assert.equal((await backUp(inFolder, folder, options, NO_PROGRESS)).lostContents, 0)
    rmSync(join(inFolder.dataFolder, 'attachments'), { recursive: true })
    const { lostContents, deleted } = await backUp(inFolder, folder, options, NO_PROGRESS)
    assert.deepEqual([lostContents, deleted], [contentsIn(archive), []])
    assert.equal(readdirSync(folder).length, 2)
  })
})

const FOREIGN_FILES = ['../../etc/passwd', '/etc/passwd', 'tables/../users/000001.jsonl', 'contents/../x', 'other']
const WRONG_COUNTS = [{ counts: null }, { counts: [1] }, { counts: { bugs: 'x' } }, { contents: -1 }]
const WRONG_CHECKSUMS = [
  [],
  {},
  { files: [1], contents: {}, missing_contents: [] },
  { files: [], contents: null },
] as const

describe('an archive that is not whole', () => {
  let archive = ''
  let files: ArchiveFile[] = []
  let target: Config
  let countsBefore: unknown

  before(async () => {
    archive = newFile()
    const all = filesIn(await exported(await richInstallation('sqlite')))
    // Without the largest content: each test below verifies many archives.
    const small = all.filter(({ name, bytes }) => !name.startsWith('contents/') || bytes.length < 1_000_000)
    assert.equal(small.length, all.length - 1)
    writeFileSync(
      archive,
      archiveOf(small, (manifest) => manifest.contents--),
    )
    files = filesIn(archive)
    // Making the tables takes longer than most of these imports.
    target = await migratedConfig('sqlite')
    countsBefore = await rowCounts()
  })
  after(async () => assert.deepEqual(await rowCounts(), countsBefore, 'nothing was imported'))

  const rowCounts = async () => {
    const db = await openDatabaseOf(target)
    const counts = []
    for (const table of ARCHIVED) counts.push([table, await rawRows(db, `select count(*) as n from ${table}`)])
    await db.close()
    return counts
  }

  const refused = async (bytes: Buffer, why: RegExp, what = '', into = target) => {
    const file = newFile()
    writeFileSync(file, bytes)
    await assert.rejects(imported(into, file), (fault) => {
      assert.ok(fault instanceof Refusal, `${what}: ${(fault as Error).stack}`)
      assert.match(fault.message, why, what)
      return true
    })
  }

  const unpacksTo = (bytes: Buffer, expected: Buffer) => {
    try {
      return gunzipSync(bytes).equals(expected)
    } catch {
      return false
    }
  }

  it('is refused when it is cut anywhere', async () => {
    const bytes = readFileSync(archive)
    for (const part of sampled([...Array(12).keys()], 4))
      await refused(bytes.subarray(0, Math.floor((bytes.length * part) / 12)), /cut short|is empty/, `${part} of 12`)
    await refused(bytes.subarray(0, bytes.length - 1), /cut short/)
    const tar = gunzipSync(bytes)
    await refused(tarOf(files.slice(0, -1)), /cut short/, 'without checksums')
    await refused(tar, /not a \.tar\.gz/)
  })

  it('is refused when bytes of it are changed', async () => {
    const bytes = readFileSync(archive)
    const whole = gunzipSync(bytes)
    for (const part of sampled([...Array(24).keys()], 4)) {
      const changed = Buffer.from(bytes)
      let at = 600 + Math.floor(((bytes.length - 620) * part) / 24)
      // A few bytes, such as the time in the header of the second member, say nothing about the contents.
      for (; unpacksTo(changed, whole); at++) changed[at] = (bytes[at] as number) ^ 0x55
      await refused(changed, /damaged|altered|cut short|not JSON|after its end|not written by/, `byte ${at - 1}`)
    }
    const bugs = files.findIndex(({ name }) => name.startsWith('tables/bugs/'))
    const altered = files.map((file, index) =>
      index === bugs ? { ...file, bytes: Buffer.from(String(file.bytes).replace('zeppelin', 'Zeppelin')) } : file,
    )
    await refused(tarOf(altered), /tables\/bugs\/000001\.jsonl" was altered/)
    const content = files.findIndex(({ name }) => name.startsWith('contents/'))
    await refused(
      archiveOf(files.map((file, index) => (index === content ? { ...file, bytes: Buffer.from('other') } : file))),
      /contents\/.* was altered/,
    )
    const manifest = files.map((file) =>
      file.name === MANIFEST
        ? { ...file, bytes: Buffer.from(String(file.bytes).replace('"included"', '"by reference"')) }
        : file,
    )
    await refused(tarOf(manifest), /manifest was altered/)
  })

  it('is refused when it has files, tables, columns or rows that do not belong to it', async () => {
    const line = (name: string, row: object): ArchiveFile => ({ name, bytes: Buffer.from(`${JSON.stringify(row)}\n`) })
    const withFile = (file: ArchiveFile, table = '') =>
      archiveOf([...files, file], (manifest) => {
        if (table !== '') manifest.counts = { ...manifest.counts, [table]: (manifest.counts[table] ?? 0) + 1 }
      })
    for (const name of sampled(FOREIGN_FILES, 3))
      await refused(withFile(line(name, {})), /which does not belong to it/, name)
    await refused(withFile(line('tables/bug_words/000001.jsonl', { place: 1 })), /does not belong to it/)
    await refused(withFile(line('tables/schema_migrations/000001.jsonl', { number: 1 })), /does not belong to it/)
    await refused(tarOf([...files, { name: 'link', bytes: Buffer.alloc(0), type: '2' }]), /not a file/)
    await refused(withFile(line('tables/keywords/000009.jsonl', { id: 9 })), /has \d+ rows, and the manifest says/)
    const keyword = { id: 99, name: 'a', name_key: 'a', description: '' }
    const inKeywords = (row: object) => withFile(line('tables/keywords/000009.jsonl', row), 'keywords')
    await refused(inKeywords({ ...keyword, '"; drop table users; --': 1 }), /has no column/)
    await refused(inKeywords({ ...keyword, name: { deep: true } }), /no usable value in name/)
    await refused(inKeywords({ ...keyword, id: 1.5 }), /no usable value in id/)
    await refused(inKeywords({ id: 99, name: 'a' }), /contradict each other/)
    const grant = { user_id: 999_999, group_id: 1, right: 'member', source: 'direct' }
    const withGrant = withFile(line('tables/user_group_grants/000009.jsonl', grant), 'user_group_grants')
    const empty = await emptyConfig('sqlite')
    await refused(withGrant, /contradict/, 'a grant of no user', empty)
    const db = await openDatabaseOf(empty)
    assert.deepEqual([...(await columnsOf(db)).keys()], [], 'no table was made')
    await db.close()
    await refused(archiveOf(files.slice(0, 5)), /manifest says/)
  })

  it('is refused when a newer release has written it, and is accepted in parts of any size', async () => {
    await refused(
      archiveOf(files, (manifest) => Object.assign(manifest, { schema: 9999, release: '99.0.0' })),
      /release 99\.0\.0, which is newer/,
    )
    await refused(
      archiveOf(files, (manifest) => Object.assign(manifest, { version: 2 })),
      /newer/,
    )
    for (const schema of sampled([0, -1, 1.5, '3', null], 4))
      await refused(
        archiveOf(files, (manifest) => Object.assign(manifest, { schema })),
        /no schema/,
      )
    for (const wrong of sampled(WRONG_COUNTS, 3))
      await refused(
        archiveOf(files, (manifest) => Object.assign(manifest, wrong)),
        /no usable counts/,
      )
    for (const checksums of sampled(WRONG_CHECKSUMS, 3))
      await refused(
        tarOf([...files.slice(0, -1), { name: CHECKSUMS, bytes: Buffer.from(JSON.stringify(checksums)) }]),
        /checksums\.json" is damaged|not a JSON object/,
      )
    await refused(archiveOf(files.filter(({ name }) => name !== LAST_IDS)), /"last-ids\.jsonl" is missing/)
    await refused(
      archiveOf(files.filter(({ name }) => !name.startsWith('tables/comments/'))),
      /table "comments" has 0 rows, and the manifest says/,
    )
    const file = newFile()
    writeFileSync(file, archiveOf(files))
    const accepted = await migratedConfig('sqlite')
    await imported(accepted, file)
    await assert.rejects(imported(accepted, file), /The installation is not empty/)
  })
})
