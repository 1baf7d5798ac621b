import { sql } from 'kysely'
import type { Db } from '../db.ts'
import { migrations } from './index.ts'

/**
 * Migrates the database to this release, or up to an older schema. If several processes start at once, one migrates and
 * the others wait.
 */
export async function migrate(db: Db, schema = migrations.length) {
  await db.transaction(async (tx) => {
    await tx.script('create table if not exists schema_migrations (number integer primary key, name text not null)')
    const done = await tx.query((q) => ({
      compile: () => sql<{ number: number }>`select number from schema_migrations`.compile(q),
    }))
    const newest = Math.max(0, ...done.map((row) => row.number))
    if (newest > migrations.length) throw new NewerDatabase(newest, migrations.length)
    for (const migration of migrations.slice(newest, schema)) {
      for (const script of [migration.up, migration[tx.dialect.engine] ?? ''])
        await tx.script(withColumnTypes(script, tx.dialect.columnTypes))
      await migration.fill?.(tx)
      await tx.script(`insert into schema_migrations (number, name) values (${migration.number}, '${migration.name}')`)
    }
  }, 'migration')
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
