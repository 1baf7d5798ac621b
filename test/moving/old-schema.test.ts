import assert from 'node:assert/strict'
import { mkdtempSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { readConfig } from '../../src/platform/config/config.ts'
import { migrations } from '../../src/platform/database/migrations/index.ts'
import { migrate } from '../../src/platform/database/migrations/migrate.ts'
import { openDatabaseOf, openMigrated } from '../../src/prepare.ts'
import { required } from '../support/copy-database.ts'
import { lacewingInThisProcess } from '../support/lacewing-command.ts'
import { sampledOn } from '../support/sample.ts'
import { emptyInstallation } from '../support/server-process.ts'

/** The oldest that can be archived, and two others with fewer tables than the current one. */
const OLD_SCHEMAS = [9, 15, 28]

for (const engine of ['sqlite', 'postgres'] as const)
  describe(`a database of an older schema on ${engine}`, () => {
    const configOf = async () => readConfig(await emptyInstallation(engine))
    /** Runs it with what it writes to standard error. */
    const listening = async (work: () => Promise<unknown>) => {
      const { error } = console
      const lines: string[] = []
      console.error = (line: string) => void lines.push(line)
      try {
        await work()
      } finally {
        console.error = error
      }
      return lines
    }

    it('is backed up as it is, and the backup is migrated when it is restored', async () => {
      for (const schema of sampledOn(engine, OLD_SCHEMAS, 4)) {
        const config = await configOf()
        const db = await openDatabaseOf(config)
        await migrate(db, schema)
        await db.script(`insert into parameters (name, value) values ('maintainer', 'ada@example.com')`)
        await db.close()
        const folder = mkdtempSync(join(required('LACEWING_TEST_FOLDER'), 'old-schema-'))
        const written = await lacewingInThisProcess(['backup', folder], config)
        assert.equal(written.status, 0, written.stderr)
        const target = await configOf()
        const restored = await lacewingInThisProcess(['restore', folder], target)
        assert.equal(restored.status, 0, restored.stderr)
        const copy = await openDatabaseOf(target)
        const rows = await copy.query((q) =>
          q.selectFrom('parameters').select('value').where('name', '=', 'maintainer'),
        )
        const versions = await copy.query((q) => q.selectFrom('state_versions').select('oldest_writer'))
        await copy.close()
        assert.deepEqual([rows, versions], [[{ value: 'ada@example.com' }], [{ oldest_writer: '6.0.0' }]])
      }
    })

    it('is migrated with lines that say from, to, each step, the end, and that a backup is the only way back', async () => {
      const config = await configOf()
      const db = await openDatabaseOf(config)
      await migrate(db, migrations.length - 2)
      await db.close()
      const opened = () => listening(async () => (await openMigrated(config)).close())
      const [first = '', ...others] = await opened()
      const [from, to] = [migrations.length - 2, migrations.length]
      assert.match(
        first,
        new RegExp(`^Migrating the database \\S+ from schema ${from} to ${to}, in 2 steps\\. Only a backup leads back`),
      )
      assert.deepEqual(
        others.slice(0, 2),
        migrations.slice(from).map(({ number, name }) => `Step ${number}: ${name}`),
      )
      assert.match(others[2] ?? '', new RegExp(`^The database has the schema ${to} now\\. It took [\\d.]+ seconds\\.$`))
      assert.deepEqual(await opened(), [], 'there is nothing to migrate any more')
      const empty = await configOf()
      assert.deepEqual(
        await listening(async () => (await openMigrated(empty)).close()),
        [],
        'an empty one is not migrated',
      )
    })
  })
