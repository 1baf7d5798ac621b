import { readSettings } from '../../access/installation.ts'
import type { Settings } from '../../platform/config/settings.ts'
import { digestIn } from '../../platform/contents/content-store.ts'
import type { Contents } from '../../platform/contents/contents.ts'
import type { ConfigurationTransaction, Db } from '../../platform/database/db.ts'
import { insertValues, insertWords, type NewWords } from '../../platform/database/insert-rows.ts'
import type { SnapshotRow } from '../../platform/database/snapshot.ts'
import type { Database } from '../../platform/database/tables.ts'
import { Refusal } from '../../platform/refusal.ts'
import { placeOf, SUMMARY_PLACE, wordsIn, wordsInSummary } from '../../platform/text/words.ts'
import type { ArchivePart, LastId } from './archive-part.ts'
import { archivedTable } from './archive-tables.ts'
import { columnsOf, rawRows } from './database-catalogue.ts'
import { EVENTS_TABLE, storedEvent } from './event-rows.ts'
import { forgetStore } from './forget-store.ts'
import { UnreadableArchive } from './unreadable-archive.ts'

export interface LoadedParts {
  rows: number
  contents: number
}

type Table = keyof Database
type Value = string | number | null

/** Fills empty tables. It must run in the transaction that makes or checks them. */
export class InstallationLoader {
  private readonly tx: ConfigurationTransaction
  private readonly contents: Contents
  private readonly isStoreForgotten: boolean
  private readonly columns: ReadonlyMap<string, readonly string[]>
  private settings: Settings | undefined
  private readonly loaded = { rows: 0, contents: 0 }
  /** Ids and references within a table, for when all of its rows are there. */
  private readonly references = new Map<string, [id: Value, refersTo: Value][]>()

  private constructor(
    tx: ConfigurationTransaction,
    contents: Contents,
    isStoreForgotten: boolean,
    columns: ReadonlyMap<string, readonly string[]>,
  ) {
    this.tx = tx
    this.contents = contents
    this.isStoreForgotten = isStoreForgotten
    this.columns = columns
  }

  static async of(tx: ConfigurationTransaction, contents: Contents, isStoreForgotten: boolean) {
    return new InstallationLoader(tx, contents, isStoreForgotten, await columnsOf(tx))
  }

  async load(parts: AsyncIterable<ArchivePart>, onRows: (rows: number) => void): Promise<LoadedParts> {
    // Migrations insert rows into these.
    await this.tx.script('delete from state_versions; delete from consumers')
    for await (const part of parts) {
      if (part.kind === 'rows') await this.loadRows(part.table, part.rows)
      if (part.kind === 'lastIds') await this.finishRows(part.lastIds)
      if (part.kind === 'content') await this.storeContent(part.key, part.bytes)
      onRows(this.loaded.rows)
    }
    return this.loaded
  }

  private async loadRows(table: Table, rows: readonly SnapshotRow[]) {
    const [first] = rows
    if (first === undefined) return
    const listed = Object.keys(first)
    const known = this.columns.get(table)
    if (archivedTable(table) === undefined || known === undefined)
      throw new UnreadableArchive(`it has rows of a table ${table}, which does not exist`)
    const unknown = listed.find((column) => !known.includes(column))
    if (unknown !== undefined)
      throw new UnreadableArchive(`the table ${table} has no column ${JSON.stringify(unknown.slice(0, 100))}`)
    const stored = table === EVENTS_TABLE ? rows.map((row) => storedEvent(this.tx.dialect.engine, row)) : rows
    const columns = table === EVENTS_TABLE ? ['id', ...listed] : listed
    const cells = stored.map((row) => this.cellsOf(table, columns, row))
    await insertValues(this.tx, table, columns, cells.flat())
    await this.indexWords(table, rows)
    this.loaded.rows += rows.length
  }

  private cellsOf(table: Table, columns: readonly string[], row: SnapshotRow): Value[] {
    const own = archivedTable(table)?.ownReferences ?? []
    if (Object.keys(row).length !== columns.length)
      throw new UnreadableArchive(`the rows of the table ${table} do not all have the same columns`)
    return columns.map((column) => {
      const value = row[column]
      if (value !== null && typeof value !== 'string' && !Number.isSafeInteger(value))
        throw new UnreadableArchive(`a row of the table ${table} has no usable value in ${column}`)
      if (value === null || !own.includes(column)) return value as Value
      const key = `${table} ${column}`
      const known = this.references.get(key) ?? []
      known.push([row.id as Value, value as Value])
      this.references.set(key, known)
      return null
    })
  }

  /** The words of bugs and comments are not in the archive: the engines store them in different ways. */
  private async indexWords(table: Table, rows: readonly SnapshotRow[]) {
    if (table === 'bugs') await insertWords(this.tx, 'bug_words', rows.map(summaryWords))
    if (table !== 'comments') return
    const isPublic = (row: SnapshotRow) => row.is_private === 0
    await insertWords(this.tx, 'bug_words', rows.filter(isPublic).map(commentWords))
    await insertWords(this.tx, 'private_words', rows.filter((row) => !isPublic(row)).map(commentWords))
  }

  private async finishRows(lastIds: readonly LastId[]) {
    for (const [key, references] of this.references) {
      const [table = '', column = ''] = key.split(' ')
      for (const [id, refersTo] of references)
        await this.tx.query((q) =>
          q
            .updateTable(table as 'bugs')
            .set({ [column]: refersTo })
            .where('id', '=', id as number),
        )
    }
    for (const { table_name: table, last_id } of lastIds) {
      if (archivedTable(table) === undefined || !Number.isSafeInteger(last_id) || last_id < 0)
        throw new UnreadableArchive('its list of last ids is damaged')
      await setLastId(this.tx, table, last_id)
    }
    const [events] = await rawRows(this.tx, `select coalesce(max(id), 0) as last from ${EVENTS_TABLE}`)
    await setLastId(this.tx, EVENTS_TABLE, Number(events?.last))
    if (this.isStoreForgotten) await forgetStore(this.tx)
    this.settings = await readSettings(this.tx)
  }

  private async storeContent(key: string, bytes: AsyncIterable<Buffer>) {
    if (this.settings === undefined) throw new UnreadableArchive('its files are in the wrong order')
    const chunks: Buffer[] = []
    for await (const chunk of bytes) chunks.push(chunk)
    const content = { key, digest: digestIn(key), bytes: Buffer.concat(chunks) }
    await this.contents.put(this.settings, content).catch((fault) => {
      throw new Refusal(sentenceFor(fault.cause ?? fault, this.settings?.attachment_store))
    })
    // An idle transaction would be ended while many contents are stored.
    await rawRows(this.tx, 'select 1 as one')
    this.loaded.contents++
  }
}

function sentenceFor({ message }: Error, store: string | undefined) {
  const instead = store === 's3' ? ' To store them in the data folder instead, add --attachments-in-folder.' : ''
  return `The contents of attachments cannot be stored: ${message}. Nothing was imported.${instead}`
}

async function setLastId(tx: Db, table: string, last: number) {
  if (tx.dialect.engine === 'sqlite') {
    await tx.script(`delete from sqlite_sequence where name = '${table}'`)
    if (last > 0) await tx.script(tx.dialect.idsBeginAfter(table as Table, last))
  } else if (last > 0) await tx.script(tx.dialect.idsBeginAfter(table as Table, last))
}

function summaryWords({ id, summary }: SnapshotRow): NewWords {
  return { place: placeOf(Number(id), SUMMARY_PLACE), words: wordsInSummary(String(summary)) }
}

function commentWords({ bug_id, number, text }: SnapshotRow): NewWords {
  return { place: placeOf(Number(bug_id), Number(number)), words: wordsIn(String(text)) }
}
