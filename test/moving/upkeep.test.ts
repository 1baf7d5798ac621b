import assert from 'node:assert/strict'
import { cpSync, existsSync, mkdirSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { before, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { rawRows } from '../../src/moving/archive/database-catalogue.ts'
import type { Config } from '../../src/platform/config/config.ts'
import { NO_PROGRESS } from '../../src/platform/progress.ts'
import { Refusal } from '../../src/platform/refusal.ts'
import { openDatabaseOf, prepare } from '../../src/prepare.ts'
import { endSessions, makeAdministrator, resetFactors, setPassword } from '../../src/upkeep/administer-accounts.ts'
import { backUp, getBackupFile } from '../../src/upkeep/backup.ts'
import { checkInstallation } from '../../src/upkeep/check/check-installation.ts'
import { moveInstallation } from '../../src/upkeep/move.ts'
import { readStatus } from '../../src/upkeep/status.ts'
import {
  ADMIN_KEY,
  emptyConfig,
  exported,
  filesIn,
  imported,
  migratedConfig,
  newFile,
  richInstallation,
  withServer,
} from '../support/archive.ts'
import { lacewingInThisProcess } from '../support/lacewing-command.ts'
import { itInSoak } from '../support/sample.ts'
import { until } from '../support/until.ts'

/** What is wrong, by the name of the check. */
async function wrongIn(config: Config, repair = false): Promise<Record<string, number>> {
  const db = await openDatabaseOf(config)
  try {
    const results = await checkInstallation(db, config, { repair, withContents: true }, NO_PROGRESS)
    return Object.fromEntries(results.filter(({ count }) => count > 0).map(({ name, count }) => [name, count]))
  } finally {
    await db.close()
  }
}

/** Runs SQL without the checks of the database, as a fault of the disk or of a program would. */
async function damage({ databaseUrl }: Config, sql: string) {
  if (databaseUrl.startsWith('postgres')) {
    const client = new pg.Client(databaseUrl)
    await client.connect()
    await client.query(`set session_replication_role = replica; ${sql}`)
    await client.end()
  } else {
    const db = new DatabaseSync(databaseUrl, { enableForeignKeyConstraints: false })
    db.exec(sql)
    db.close()
  }
}

const rowsAfterManifest = (file: string) =>
  filesIn(file)
    .slice(1)
    .filter(({ name }) => name.startsWith('tables/'))
    .map(({ name, bytes }) => `${name} ${bytes}`)

for (const [engine, other] of [
  ['sqlite', 'postgres'],
  ['postgres', 'sqlite'],
] as const)
  describe(`the upkeep of an installation (${engine})`, () => {
    let config: Config

    before(async () => {
      config = await richInstallation(engine)
    })

    // upkeep-commands.test.ts checks sound installations on both engines.
    it('finds planted faults, and repairs what can be derived', async () => {
      const broken = await richInstallation(engine)
      const db = await openDatabaseOf(broken)
      const [content] = await rawRows(db, `select content_digest as key, bug_id from attachments where size = 20`)
      const [keyed] = await rawRows(db, `select id from bugs where lists <> 0 order by id limit 1`)
      await db.close()
      const [bug, key] = [Number(content?.bug_id), String(content?.key)]
      // Of an imported bug: the words of the newest ones are not in the index of SQLite yet.
      const place = 10 * 2 ** 20
      const farPlace = 2_000_000_000 * 2 ** 20
      await damage(broken, `update bugs set lists = 0 where id = ${keyed?.id}`)
      await damage(broken, `update bugs set actual_hundredths = actual_hundredths + 5 where id = ${bug}`)
      await damage(broken, `update users set login_key = 'other', has_factor = 1 where id = 1`)
      await damage(
        broken,
        `insert into jobs (queue, lane, payload, created_at, attempts) values ('mail', 'x', '{}', '2026-01-01T00:00:00Z', 0)`,
      )
      await damage(broken, `insert into bug_cc (bug_id, user_id) values (${bug}, 987654)`)
      await damage(broken, `delete from stored_contents where key = '${key}'`)
      await damage(broken, `update attachments set size = 5 where id = 107`)
      await damage(
        broken,
        `update comments set number = -1 where id = (select min(id) from comments where text = '' and number > 0)`,
      )
      if (engine === 'sqlite') {
        await damage(broken, `delete from bug_words_index where rowid = ${place}`)
        await damage(
          broken,
          `insert into private_words_index (rowid, words) values (${place + 900}, ' word '), (${farPlace}, ' word ')`,
        )
        await damage(broken, `delete from summary_trigrams where rowid = ${bug}; delete from due_trigrams`)
      } else {
        await damage(broken, `update bug_words set words = 'other'::tsvector where place = ${place}`)
        await damage(
          broken,
          `insert into private_words values (${place + 900}, 'word'::tsvector, 0), (${farPlace}, 'word'::tsvector, 0)`,
        )
        await damage(broken, `select setval(pg_get_serial_sequence('bugs', 'id'), 1)`)
      }
      const file = join(broken.dataFolder, 'attachments', key.slice(0, 2), key)
      writeFileSync(file, 'some other bytes..')
      const found = await wrongIn(broken)
      assert.deepEqual(Object.keys(found).sort(), [
        'contents of attachments',
        'folded names',
        'lists of bugs',
        ...(engine === 'postgres' ? ['next ids'] : []),
        'numbers of comments',
        'records of contents',
        'references',
        ...(engine === 'sqlite' ? ['search index of parts of texts'] : []),
        'search index of words',
        'second factors',
        'sizes of attachments',
        'waiting deliveries',
        'work times',
      ])
      assert.equal(found['search index of words'], 3)
      assert.deepEqual(await wrongIn(broken, true), found)
      rmSync(file)
      assert.deepEqual(await wrongIn(broken), {
        references: 1,
        'numbers of comments': 1,
        'sizes of attachments': 1,
        'contents of attachments': 1,
      })
      const { status, stdout } = await lacewingInThisProcess(['check'], broken)
      assert.equal(status, 1)
      assert.match(stdout, /1 rows of bug_cc refer to users 987654, which does not exist/)
      assert.match(stdout, /is not in any store/)
    })

    const itFromPostgres = engine === 'postgres' ? it : itInSoak
    itFromPostgres('backs up while the server writes, verifies, keeps the newest, and restores on SQLite', async () => {
      const folder = dirname(newFile())
      const options = { attachmentsByReference: false, keep: 1 }
      const [killed, running] = ['2026-01-01T000000.000Z', '2026-01-02T000000.000Z'].map((time) =>
        join(folder, `lacewing-${time}.tar.gz.a1B2c3.part`),
      ) as [string, string]
      mkdirSync(folder, { recursive: true })
      for (const file of [killed, running]) writeFileSync(file, 'half')
      utimesSync(killed, 0, Date.now() / 1000 - 90_000)
      await backUp(config, folder, options, NO_PROGRESS)
      await withServer(config, async (send) => {
        let isDone = false
        const writing = (async () => {
          for (let n = 0; !isDone || n === 0; n++) {
            const { status } = await send('POST', 'bug/10/comment', { comment: `while it runs ${n}` })
            assert.equal(status, 201)
            // The backup needs the processor too, and each comment makes it longer.
            await sleep(20)
          }
        })()
        await backUp(config, folder, options, NO_PROGRESS)
        isDone = true
        await writing
        assert.equal((await readStatus(config)).engine, engine)
      })
      assert.deepEqual([existsSync(killed), existsSync(running)], [false, true])
      assert.equal(readdirSync(folder).length, 2)
      const restored = await migratedConfig(other)
      await imported(restored, getBackupFile(folder))
      assert.deepEqual(await wrongIn(restored), {})
      assert.throws(() => getBackupFile(join(folder, 'none')), Refusal)
    })

    it('does not move with the data folder of another installation, where the attachments are not', async () => {
      const moved = { ...config, databaseUrl: (await migratedConfig(other)).databaseUrl }
      const db = await openDatabaseOf(moved)
      try {
        const { dataFolder } = await migratedConfig(other)
        await assert.rejects(
          moveInstallation({ ...config, dataFolder }, db, NO_PROGRESS),
          /^Error: LACEWING_DATA is .*, which has 0 of the first \d+ contents of attachments: .* Nothing was moved\./,
        )
        assert.deepEqual(await rawRows(db, 'select id from users'), [])
        assert.ok(!existsSync(join(dataFolder, 'import', 'unfinished-move')))
      } finally {
        await db.close()
      }
    })

    // commands.test.ts moves from SQLite to PostgreSQL.
    itFromPostgres('moves to the other engine without a difference', async () => {
      const changed = await exported(config)
      const moved = { ...config, databaseUrl: (await migratedConfig(other)).databaseUrl }
      const db = await openDatabaseOf(moved)
      // What a kill leaves: the data folder while rows are written, and an empty database.
      const killed = await migratedConfig(other)
      const begin = () =>
        cpSync(join(config.dataFolder, 'import'), join(killed.dataFolder, 'import'), { recursive: true })
      await moveInstallation(config, db, { ...NO_PROGRESS, begin })
      await assert.rejects(prepare(killed), /The move to another database that began at 20\S+ was broken off/)
      const old = { ...killed, databaseUrl: config.databaseUrl }
      for (const started of [old, moved]) await (await prepare(started)).db.close()
      await assert.rejects(moveInstallation(config, db, NO_PROGRESS), /The installation is not empty/)
      await db.close()
      assert.deepEqual(rowsAfterManifest(await exported(moved)), rowsAfterManifest(changed))
      assert.deepEqual(await wrongIn(moved), {})
    })

    // upkeep-commands.test.ts does this with commands on both engines.
    const itOnSqlite = engine === 'sqlite' ? it : itInSoak
    itOnSqlite('makes administrators, sets passwords and ends sessions', async () => {
      const db = await openDatabaseOf(config)
      const login = 'edna@example.com'
      try {
        assert.equal(await makeAdministrator(db, login), true)
        assert.equal(await makeAdministrator(db, login), false)
        await assert.rejects(makeAdministrator(db, 'no one'), /There is no account no one/)
        await assert.rejects(setPassword(db, login, 'x'), Refusal)
        await setPassword(db, login, 'a lamp on a table')
        await withServer(config, async (send) => {
          const signedIn = () => send('GET', `login?login=${login}&password=a%20lamp%20on%20a%20table`, undefined, '')
          assert.equal((await signedIn()).status, 200)
          const { body } = await signedIn()
          const { body: who } = await send('GET', `user/${body.id}?token=${body.token}`, undefined, '')
          assert.ok(who.users[0].groups.some(({ name }: { name: string }) => name === 'admin'))
          assert.equal(await endSessions(db, login), 2)
          // On SQLite a server looks twice a second for what others have written.
          await until(
            async () => (await send('GET', `user/${body.id}?token=${body.token}`, undefined, '')).status === 400,
          )
          assert.equal((await send('GET', 'whoami', undefined, ADMIN_KEY)).status, 200)
        })
        assert.equal(await endSessions(db, undefined), 0)
        assert.equal(await resetFactors(db, login), 0)
        const entries = await rawRows(
          db,
          `select field, added from audit_log where user_id is null order by id desc limit 2`,
        )
        assert.deepEqual(
          entries.map(({ field, added }) => `${field} ${added}`),
          ['password ********', 'groups admin'],
        )
      } finally {
        await db.close()
      }
    })
  })

describe('the commands of upkeep', () => {
  it('print the status as JSON, and refuse what is not there', async () => {
    const config = await emptyConfig('sqlite')
    const missing = await lacewingInThisProcess(['status'], config)
    assert.deepEqual([missing.status, missing.stdout], [1, ''])
    assert.match(missing.stderr, /^The database .* cannot be used: the file .* does not exist\.\n$/)
    const rich = await richInstallation('sqlite')
    const { status, stdout } = await lacewingInThisProcess(['status', '--json'], rich)
    assert.equal(status, 0)
    const shown = JSON.parse(stdout)
    assert.equal(shown.is_served, false)
    assert.equal(shown.schema, shown.newest_schema)
    assert.ok(shown.counts.bugs > 3)
  })
})
