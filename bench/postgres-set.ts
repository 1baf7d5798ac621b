import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import pg from 'pg'
import { migrate } from '../src/platform/database/migrations/migrate.ts'
import { openDatabase } from '../src/platform/database/open-database.ts'
import { postgresDialect } from '../src/platform/dialects/postgres-dialect.ts'
import { placeOf, SUMMARY_PLACE, wordsIn, wordsInSummary } from '../src/platform/text/words.ts'
import { startPostgres } from '../test/support/postgres.ts'
import { tellProgress } from './progress.ts'

const ROWS_AT_ONCE = 5000

/** A server as docs/operating.md advises for a machine of this size, instead of the settings of the tests. */
const ADVISED_SETTINGS = {
  shared_buffers: '2GB',
  effective_cache_size: '6GB',
  work_mem: '32MB',
  random_page_cost: 1.1,
  autovacuum: 'on',
  track_counts: 'on',
  plan_cache_mode: 'auto',
  max_parallel_workers_per_gather: 2,
  bgwriter_delay: '200ms',
  wal_writer_delay: '200ms',
}

export interface BenchPostgres {
  /** Of the database with the bugs. */
  url: string
  stop(): Promise<void>
}

/** A PostgreSQL with a copy of the installation in this folder. */
export async function postgresOf(folder: string): Promise<BenchPostgres> {
  const { url, stop } = await startPostgres(tmpdir(), { settings: ADVISED_SETTINGS })
  try {
    await copyToPostgres(folder, url, KEPT)
  } catch (error) {
    await stop()
    throw error
  }
  return { url: `${url}/${KEPT}`, stop }
}

const KEPT = 'bench'
const COPY = 'written'

/**
 * The same for a folder of `reusableSet`. It is kept beside that folder for the next run: copying a million bugs takes many minutes. What
 * writes gets a copy.
 */
export async function keptPostgresOf(folder: string, use: 'reads' | 'writes'): Promise<BenchPostgres> {
  const keptIn = `${folder}-postgres`
  const edition = readFileSync(join(folder, 'made'), 'utf8')
  const made = join(keptIn, 'made')
  const isMade = existsSync(made) && readFileSync(made, 'utf8') === edition
  if (!isMade) rmSync(keptIn, { recursive: true, force: true })
  const { url, stop } = await startPostgres(tmpdir(), { settings: ADVISED_SETTINGS, keptIn })
  try {
    if (!isMade) {
      const started = performance.now()
      await copyToPostgres(folder, url, KEPT)
      writeFileSync(made, edition)
      console.log(
        `copied to PostgreSQL in ${((performance.now() - started) / 1000).toFixed(0)} s; it stays in ${keptIn}`,
      )
    }
    await run(`${url}/postgres`, `drop database if exists ${COPY}`)
    if (use === 'writes') await run(`${url}/postgres`, `create database ${COPY} template ${KEPT} strategy file_copy`)
    return { url: `${url}/${use === 'writes' ? COPY : KEPT}`, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

async function run(url: string, statement: string) {
  const client = new pg.Client(url)
  await client.connect()
  await client.query(statement)
  await client.end()
}

/** Every row of the SQLite file, and the words, which the engines store differently. */
async function copyToPostgres(folder: string, server: string, name: string) {
  await run(`${server}/postgres`, `create database ${name}`)
  const url = `${server}/${name}`
  const db = openDatabase(url)
  await migrate(db)
  await db.close()
  const from = new DatabaseSync(join(folder, 'lacewing.db'), { readOnly: true })
  const client = new pg.Client(url)
  await client.connect()
  // Rows are copied in any order, without checks.
  await client.query("set session_replication_role = 'replica'")
  const indexes = await withoutIndexes(client)
  const tables = (await client.query("select tablename from pg_tables where schemaname = 'public'")).rows
    .map(({ tablename }) => String(tablename))
    .filter((table) => !['schema_migrations', 'bug_words', 'private_words'].includes(table))
  for (const [done, table] of tables.entries()) {
    await copyTable(from, client, table)
    tellProgress(done + 1, tables.length, 'tables')
  }
  await copyWords(from, client)
  await client.query("set maintenance_work_mem = '1GB'")
  for (const [done, index] of indexes.entries()) {
    await client.query(index)
    tellProgress(done + 1, indexes.length, 'indexes')
  }
  await client.query('vacuum analyze')
  await client.end()
  from.close()
}

/** Drops what only makes inserting slower, and returns the statements that create it at the end. */
async function withoutIndexes(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query(
    `select indexrelid::regclass::text as name, pg_get_indexdef(indexrelid) as definition from pg_index
     where indrelid in (select oid from pg_class where relnamespace = 'public'::regnamespace)
     and not exists (select from pg_constraint where conindid = indexrelid)`,
  )
  for (const { name } of rows) await client.query(`drop index ${name}`)
  return rows.map(({ definition }) => String(definition))
}

async function copyTable(from: DatabaseSync, client: pg.Client, table: string) {
  await client.query(`delete from ${table}`)
  const columns = from.prepare(`select * from ${table} limit 0`).columns()
  const names = columns.map(({ name }) => `"${name}"`).join()
  const insert = `insert into ${table} (${names}) select ${names} from jsonb_populate_recordset(null::${table}, $1::jsonb)`
  for (const rows of inPortions(from.prepare(`select * from ${table}`).iterate()))
    await client.query(insert, [JSON.stringify(rows)])
  if (columns.some(({ name }) => name === 'id'))
    await client.query(
      `select setval(sequence, (select coalesce(max(id), 0) + 1 from ${table}), false)
       from pg_get_serial_sequence($1, 'id') as sequence where sequence is not null`,
      [table],
    )
}

async function copyWords(from: DatabaseSync, client: pg.Client) {
  const insert =
    'insert into bug_words select place, words::tsvector, 0 from unnest($1::bigint[], $2::text[]) as w (place, words)'
  const put = (rows: { place: number; words: string[] }[]) =>
    client.query(insert, [rows.map(({ place }) => place), rows.map(({ words }) => postgresDialect.keptWords(words))])
  for (const rows of inPortions(from.prepare('select id, summary from bugs').iterate()))
    await put(
      rows.map((row) => ({
        place: placeOf(Number(row.id), SUMMARY_PLACE),
        words: wordsInSummary(String(row.summary)),
      })),
    )
  for (const rows of inPortions(from.prepare('select bug_id, number, text from comments').iterate()))
    await put(
      rows.map((row) => ({ place: placeOf(Number(row.bug_id), Number(row.number)), words: wordsIn(String(row.text)) })),
    )
}

function* inPortions<Row>(rows: Iterable<Row>): Generator<Row[]> {
  let portion: Row[] = []
  for (const row of rows) {
    portion.push(row)
    if (portion.length < ROWS_AT_ONCE) continue
    yield portion
    portion = []
  }
  if (portion.length > 0) yield portion
}
