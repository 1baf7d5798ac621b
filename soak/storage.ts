import { createHash } from 'node:crypto'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import pg from 'pg'
import { startPostgres } from '../test/support/postgres.ts'

export type Engine = 'sqlite' | 'postgres'

/** The storage of a server, inspected without the server. */
export interface Storage {
  engine: Engine
  folder: string
  /** The environment with which a server uses it. */
  environment: Record<string, string>
  rows(sql: string): Promise<Record<string, unknown>[]>
  /** The errors that the engine itself finds. */
  damage(): Promise<string[]>
  remove(): Promise<void>
}

export function makeStorage(engine: Engine): Promise<Storage> {
  return engine === 'sqlite' ? sqlitePlace() : postgresStorage()
}

function newFolder() {
  return mkdtempSync(join(tmpdir(), 'lacewing-soak-'))
}

async function sqlitePlace(): Promise<Storage> {
  const folder = newFolder()
  const read = (sql: string) => {
    const database = new DatabaseSync(join(folder, 'lacewing.db'), { timeout: 10_000 })
    try {
      return database.prepare(sql).all() as Record<string, unknown>[]
    } finally {
      database.close()
    }
  }
  return {
    engine: 'sqlite',
    folder,
    environment: {},
    rows: async (sql) => read(sql),
    damage: async () => [
      ...read('pragma integrity_check').flatMap(({ integrity_check: it }) => (it === 'ok' ? [] : String(it))),
      ...read('pragma foreign_key_check').map(
        (row) => `a row of ${row.table} refers to a missing row of ${row.parent}`,
      ),
    ],
    remove: async () => rmSync(folder, { recursive: true, force: true }),
  }
}

async function postgresStorage(): Promise<Storage> {
  const postgres = await startPostgres()
  const folder = newFolder()
  const pool = new pg.Pool({ connectionString: `${postgres.url}/postgres`, max: 2 })
  // The next query fails with the same error.
  pool.on('error', () => {})
  return {
    engine: 'postgres',
    folder,
    environment: { LACEWING_DATABASE_URL: `${postgres.url}/postgres` },
    rows: async (sql) => (await pool.query(sql)).rows,
    damage: async () => [],
    async remove() {
      await pool.end()
      await postgres.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** Files of attachments that are missing or damaged. */
export async function wrongFiles({ folder, rows }: Storage): Promise<string[]> {
  const named = await rows('select id, size, content_digest from attachments')
  return named.flatMap(({ id, size, content_digest: digest }) => {
    const file = join(folder, 'attachments', String(digest).slice(0, 2), String(digest))
    if (!existsSync(file)) return `attachment ${id} has no content`
    const bytes = readFileSync(file)
    const isWhole = bytes.length === Number(size) && createHash('sha256').update(bytes).digest('hex') === digest
    return isWhole ? [] : `the content of attachment ${id} is damaged`
  })
}
