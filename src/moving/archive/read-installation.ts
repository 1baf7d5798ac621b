import { Readable } from 'node:stream'
import { EMPTY_KEY } from '../../platform/contents/content-store.ts'
import { LostContent } from '../../platform/contents/verify-content.ts'
import { migrations } from '../../platform/database/migrations/index.ts'
import { allRows, type Snapshot } from '../../platform/database/snapshot.ts'
import { CATALOGUE, quoted } from '../../platform/database/table-columns.ts'
import type { Database } from '../../platform/database/tables.ts'
import { Refusal } from '../../platform/refusal.ts'
import type { ArchivePart, LastId, RowCounts } from './archive-part.ts'
import { ARCHIVED, type ArchivedTable, archivedTable } from './archive-tables.ts'
import { EVENTS_TABLE, selectOfEvents } from './event-rows.ts'

/** Where contents are read from; undefined if they are left where they are. */
export interface ContentSource {
  open(key: string, size: number): Promise<Readable>
}

/** Refuses a database that is not of this release, or that an import has not finished. */
export async function requireReadable(snapshot: Snapshot) {
  const schema = await readSchema(snapshot)
  if (schema !== migrations.length)
    throw new Refusal(
      `The database has the schema ${schema}, and this release has ${migrations.length}. Use the release that runs the server, or start the server of this release once.`,
    )
}

/** The schema of a database that can be archived: also an older one, so that it can be backed up before it is migrated. */
export async function requireArchivable(snapshot: Snapshot): Promise<number> {
  const schema = await readSchema(snapshot)
  if (schema > migrations.length)
    throw new Refusal(
      `The database has the schema ${schema}, and this release has ${migrations.length}. Use the newer release.`,
    )
  if (schema < OLDEST_SCHEMA)
    throw new Refusal(
      `The database has the schema ${schema}, which can be archived from ${OLDEST_SCHEMA} on. Copy it with sqlite3 or pg_dump before you migrate it.`,
    )
  return schema
}

/** The first with all columns of events. */
const OLDEST_SCHEMA = 9

async function readSchema(snapshot: Snapshot): Promise<number> {
  const tables = await columnsByTable(snapshot)
  const schema = tables.has('schema_migrations')
    ? (await allRows(snapshot, 'select max(number) as number from schema_migrations'))[0]?.number
    : null
  if (schema === null || schema === undefined)
    throw new Refusal(
      'The database is empty: there is no installation in it. Check LACEWING_DATA and LACEWING_DATABASE_URL.',
    )
  if (tables.has('imports') && (await allRows(snapshot, 'select id from imports where finished_at is null')).length > 0)
    throw new Refusal('An import into this installation is not finished. Finish it first.')
  return Number(schema)
}

export async function countRows(snapshot: Snapshot): Promise<RowCounts> {
  const counts: Record<string, number> = {}
  for (const table of await archivedTables(snapshot))
    counts[table] = Number((await allRows(snapshot, `select count(*) as n from ${table}`))[0]?.n)
  return counts
}

/** An older schema does not have all of them. */
async function archivedTables(snapshot: Snapshot) {
  const tables = await columnsByTable(snapshot)
  return ARCHIVED.filter((table) => tables.has(table))
}

/** Everything in the database as of the snapshot, in an order that depends only on what it contains. */
export async function* readInstallation(
  snapshot: Snapshot,
  contents: ContentSource | undefined,
): AsyncGenerator<ArchivePart> {
  const columns = await columnsByTable(snapshot)
  for (const table of await archivedTables(snapshot)) {
    const select = selectOf(snapshot, table, columns.get(table) ?? [])
    for await (const rows of snapshot.rows(select)) yield { kind: 'rows', table, rows }
  }
  yield { kind: 'lastIds', lastIds: await readLastIds(snapshot) }
  if (contents === undefined) return
  for await (const rows of snapshot.rows(KEYS_OF_CONTENTS))
    for (const { key, size } of rows) yield await contentPart(contents, String(key), Number(size))
}

/** The contents that attachments have. */
export const KEYS_OF_CONTENTS = `select content_digest as key, max(size) as size from attachments
  where content_digest <> '${EMPTY_KEY}' group by content_digest order by content_digest`

export async function countContents(snapshot: Snapshot): Promise<number> {
  return Number((await allRows(snapshot, `select count(*) as n from (${KEYS_OF_CONTENTS}) as used`))[0]?.n)
}

async function contentPart(contents: ContentSource, key: string, size: number): Promise<ArchivePart> {
  try {
    if (size <= READ_AT_ONCE) {
      const bytes = Buffer.concat(await (await contents.open(key, size)).toArray())
      return { kind: 'content', key, size: bytes.length, bytes: Readable.from([bytes]) }
    }
    // Read to its end first, because damage shows only there.
    let found = 0
    for await (const chunk of await contents.open(key, size)) found += (chunk as Buffer).length
    return { kind: 'content', key, size: found, bytes: await contents.open(key, size) }
  } catch (fault) {
    const reason = ((fault as Error).cause ?? fault) as Error
    if (reason instanceof LostContent) return { kind: 'missing', key }
    throw new Refusal(`The contents of attachments cannot be read: ${reason.message}. Nothing was written.`)
  }
}

const READ_AT_ONCE = 1024 * 1024

export async function columnsByTable(snapshot: Snapshot): Promise<Map<string, string[]>> {
  const columns = new Map<string, string[]>()
  for (const { table_name, column_name } of await allRows(snapshot, CATALOGUE[snapshot.engine].columns)) {
    const known = columns.get(String(table_name)) ?? []
    columns.set(String(table_name), [...known, String(column_name)])
  }
  return columns
}

function selectOf({ engine }: Snapshot, table: keyof Database, columns: readonly string[]) {
  if (table === EVENTS_TABLE) return selectOfEvents(engine, columns)
  const { key, blank } = archivedTable(table) as ArchivedTable
  const selected = columns.map((column) => (blank.includes(column) ? `'' as ${quoted(column)}` : quoted(column)))
  const order = key.map((column) => `${quoted(column)} nulls first`)
  return `select ${selected.join(', ')} from ${quoted(table)} order by ${order.join(', ')}`
}

async function readLastIds(snapshot: Snapshot): Promise<LastId[]> {
  const { tablesWithIds, lastIds } = CATALOGUE[snapshot.engine]
  const numbered = new Set((await allRows(snapshot, tablesWithIds)).map(({ table_name }) => table_name))
  const archived = await archivedTables(snapshot)
  const tables = archived.filter((table) => table !== EVENTS_TABLE && numbered.has(table))
  const found: LastId[] = []
  for (const table of tables)
    for (const { last_id } of await allRows(snapshot, lastIds([table])))
      found.push({ table_name: table, last_id: Number(last_id) })
  return found
}
