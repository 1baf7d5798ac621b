import { sql } from 'kysely'
import type { Db } from '../db.ts'
import { isOlder } from '../oldest-writer.ts'
import { migrations } from './index.ts'

/** What a migration reports while it runs. Creating the tables of an empty database is not reported. */
export interface MigrationReport {
  begins(from: number, to: number): void
  step(number: number, name: string): void
  ends(from: number, to: number): void
}

/**
 * Migrates the database to this release, or up to an older schema. If several processes start at once, one migrates and
 * the others wait.
 */
export async function migrate(db: Db, schema = migrations.length, report?: MigrationReport) {
  await db.transaction(async (tx) => {
    await tx.script('create table if not exists schema_migrations (number integer primary key, name text not null)')
    const done = await tx.query((q) => ({
      compile: () => sql<{ number: number }>`select number from schema_migrations`.compile(q),
    }))
    const newest = Math.max(0, ...done.map((row) => row.number))
    if (newest > migrations.length) throw new NewerDatabase(newest, migrations.length)
    const steps = migrations.slice(newest, schema)
    const reported = newest > 0 && steps.length > 0 ? report : undefined
    reported?.begins(newest, schema)
    for (const migration of steps) {
      reported?.step(migration.number, migration.name)
      for (const script of [migration.up, migration[tx.dialect.engine] ?? ''])
        await tx.script(withColumnTypes(script, tx.dialect.columnTypes))
      await migration.fill?.(tx)
      await tx.script(`insert into schema_migrations (number, name) values (${migration.number}, '${migration.name}')`)
    }
    if (steps.length > 0) await storeOldestWriter(tx, schema)
    reported?.ends(newest, schema)
  }, 'migration')
}

/** Servers that run meanwhile read it with their next request. It never becomes older. */
async function storeOldestWriter(tx: Db, schema: number) {
  const done = migrations.slice(0, schema)
  if (!done.some(({ name }) => name === 'oldest-writer')) return
  const newest = done
    .map((migration) => migration.oldestWriter)
    .reduce((one, other) => (isOlder(one, other) ? other : one))
  const [row] = await tx.query((q) => q.selectFrom('state_versions').select('oldest_writer'))
  if (row !== undefined && isOlder(row.oldest_writer, newest))
    await tx.script(`update state_versions set oldest_writer = '${newest}'`)
}

export class NewerDatabase extends Error {
  constructor(found: number, known: number) {
    super(
      `The database was written by a newer release (its schema is ${found}, this release knows ${known}). Install that release to use it.`,
    )
  }
}

function withColumnTypes(script: string, columnTypes: Readonly<Record<string, string>>) {
  return script.replace(/\{(\w+)\}/g, (_, word) => columnTypes[word] ?? unknownWord(word))
}

function unknownWord(word: string): never {
  throw new Error(`A migration uses {${word}}, which no dialect knows`)
}
