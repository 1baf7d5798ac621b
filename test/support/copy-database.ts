import { copyFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'

export type Engine = 'sqlite' | 'postgres'

/** Databases that worlds are copied from: with the users of cast.ts, or migrated and without rows. */
export type Template = 'cast' | 'migrated'

export function postgresTemplate(template: Template) {
  return `lacewing_template_${template}`
}

export function sqliteTemplate(folder: string, template: Template) {
  return join(folder, `template-${template}.db`)
}

let copies = 0
const closedDatabases: string[] = []
/** Other servers of a test may still use the newest ones. */
const CLOSED_KEPT = 4

/** A database with the users of cast.ts, unless another template is given, without a server. */
export function copyDatabase(engine: Engine, folder: string, template: Template = 'cast'): string | Promise<string> {
  return engine === 'sqlite' ? copySqlite(folder, template) : copyPostgres(postgresTemplate(template))
}

function copySqlite(folder: string, template: Template) {
  const file = join(folder, 'lacewing.db')
  copyFileSync(sqliteTemplate(required('LACEWING_TEST_FOLDER'), template), file)
  return file
}

export async function copyPostgres(template: string) {
  const url = required('LACEWING_TEST_POSTGRES_SOCKET')
  const name = `world_${process.pid}_${++copies}`
  const client = new pg.Client(`${url}/postgres`)
  await client.connect()
  // PostgreSQL refuses two copies of one template at the same time, so the test processes take turns.
  await client.query('select pg_advisory_lock(1)')
  await client.query(`create database ${name} template ${template} strategy file_copy`)
  await dropOldDatabases(client)
  await client.end()
  return `${url}/${name}`
}

/** Drops a PostgreSQL database of a world that was closed, once a few more are closed. */
export function dropLater(url: string) {
  closedDatabases.push(new URL(url).pathname.slice(1))
}

/** The databases of a whole run would take several gigabytes of memory. */
async function dropOldDatabases(client: pg.Client) {
  while (closedDatabases.length > CLOSED_KEPT)
    await client.query(`drop database if exists ${closedDatabases.shift()} with (force)`)
}

/** The same database through PgBouncer, if the tests run with one. */
export function poolerOf(url: string): string | undefined {
  const { LACEWING_TEST_POOLER: pooler } = process.env
  return pooler === undefined || !URL.canParse(url) ? undefined : `${pooler}${new URL(url).pathname}`
}

export function required(name: string): string {
  const value = process.env[name]
  if (!value) throw new Error(`${name} is not set: run tests with npm test -- <files>`)
  return value
}
