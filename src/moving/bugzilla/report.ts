import { once } from 'node:events'
import type { WriteStream } from 'node:fs'
import { join } from 'node:path'
import { createGzip } from 'node:zlib'
import { dictionary } from '../../platform/text/dictionary.ts'
import { writeWholeFile } from '../../platform/whole-file.ts'
import type { ImportContext } from './import-context.ts'
import { type ImportCounts, jsonOf } from './row-tally.ts'
import { PASSING_COLUMNS, PASSING_TABLES } from './staging/passing-tables.ts'
import { SOURCE_TABLES, type SourceColumns } from './staging/source-tables.ts'

export interface ImportReport {
  /** For the screen: the table of counts, and where the rest is. */
  readonly summary: string
  readonly file: string
}

export interface ReportOptions {
  readonly folder: string
  readonly reportFile: string | undefined
  readonly wasZoneGiven: boolean
  readonly wereParamsGiven: boolean
  /** What is said about the source, instead of the name of a dump and its time zone. */
  readonly heading?: readonly string[]
}

const NONE: ImportCounts = { made: 0, joined: 0, leftOut: {} }
const WITHOUT_PARAMS =
  'Parameters have their defaults, because --params was not given: no user sees private comments or hours of work.'
const NO_PLACE = 'there is no place for it here; kept in the file'

/** Writes the report, and a file with all rows that have no place here. */
export async function writeReport(context: ImportContext, options: ReportOptions): Promise<ImportReport> {
  const { journal, staging, zone } = context
  const keptFile = join(options.folder, 'left-out.jsonl.gz')
  const kept = await writeWholeFile(keptFile, (output) => keepRows(context, output))
  const file = options.reportFile ?? join(options.folder, 'report.txt')
  const table = tableOfCounts(context)
  const facts = staging.facts()
  const heading = [
    ...(options.heading ?? [
      `Import of a Bugzilla database from ${facts?.name ?? ''}, begun at ${journal.begunAt}.`,
      `Times were read as ${zone.name}${options.wasZoneGiven ? '' : ', because --time-zone was not given'}.`,
      ...(options.wereParamsGiven ? [] : [WITHOUT_PARAMS]),
    ]),
    ...(facts?.hasEndMarker
      ? []
      : ['The dump has no line that marks its end, so it cannot be known whether it is whole.']),
    ...extraColumns(context),
  ]
  const notes = await writeWholeFile(file, async (output) => {
    let lines = 0
    await write(output, `${heading.join('\n')}\n\n${table}\n\n`)
    for await (const rows of journal.listNotes()) {
      lines += rows.length
      await write(output, rows.map((row) => `${row.source_table} ${row.source_key}: ${row.note}\n`).join(''))
    }
    return lines
  })
  const summary = [
    ...heading,
    '',
    table,
    '',
    `${notes} ${notes === 1 ? 'row was' : 'rows were'} changed or left out: each has a line in ${file}`,
    `${kept} rows that have no place here are in ${keptFile}`,
  ].join('\n')
  return { summary, file }
}

async function write(output: WriteStream | ReturnType<typeof createGzip>, text: string) {
  if (!output.write(text)) await once(output, 'drain')
}

/** What became of the rows of each table. */
function tableOfCounts({ staging, journal }: ImportContext): string {
  const tables = staging.dumpTables()
  const lines: string[][] = []
  const line = (name: string, read: number, counts: ImportCounts) => {
    const leftOut = Object.entries(counts.leftOut)
    const sum = leftOut.reduce((total, [, count]) => total + count, 0)
    const why = leftOut.map(([reason, count]) => (count === sum ? reason : `${count}: ${reason}`)).join('; ')
    lines.push([name, String(read), String(counts.made), String(counts.joined), String(sum), why])
  }
  for (const name of [...tables.keys()].sort()) {
    const read = staging.count(`"dump_${name}"`)
    const counts = journal.countsFor(name)
    const isImported = Object.hasOwn(SOURCE_TABLES, name) || counts !== undefined
    if (read === 0 && counts === undefined) continue
    line(
      name,
      read,
      isImported ? accounted(counts ?? NONE, read) : { made: 0, joined: 0, leftOut: { [NO_PLACE]: read } },
    )
  }
  for (const [name, count] of staging.skippedTables())
    line(name, count, { made: 0, joined: 0, leftOut: { [PASSING_TABLES[name] ?? '']: count } })
  const params = journal.counts['params.json']
  if (params !== undefined)
    line('params.json', params.made + Object.values(params.leftOut).reduce((sum, it) => sum + it, 0), params)
  return aligned([['table', 'read', 'made', 'joined', 'left out', 'why'], ...lines])
}

/** Rows that no other row led to, such as the content of an attachment that is not there. */
function accounted(counts: ImportCounts, read: number): ImportCounts {
  const sum = counts.made + counts.joined + Object.values(counts.leftOut).reduce((total, count) => total + count, 0)
  return sum >= read ? counts : { ...counts, leftOut: { ...counts.leftOut, [UNUSED]: read - sum } }
}

const UNUSED = 'nothing that was imported refers to it'

function aligned(lines: readonly (readonly string[])[]): string {
  const widths = [0, 1, 2, 3, 4].map((column) => Math.max(...lines.map((line) => (line[column] ?? '').length)))
  return lines
    .map((line) =>
      line
        .map((cell, column) =>
          column === 0 ? cell.padEnd(widths[0] ?? 0) : column === 5 ? cell : cell.padStart(widths[column] ?? 0),
        )
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

function extraColumns(context: ImportContext): string[] {
  const extra = [...extraColumnsOf(context)].flatMap(([table, columns]) =>
    columns.map((column) => `${table}.${column}`),
  )
  if (extra.length === 0) return []
  return [
    `Columns that are unknown here and were not imported: ${extra.sort().join(', ')}. Their values are kept in the file.`,
  ]
}

/** A column of every Bugzilla that only installations with LDAP or the like fill. */
const RARELY_USED = 'profiles.extern_id'

/** Columns that an extension or another dialect of Bugzilla has added, by table. */
function extraColumnsOf({ staging }: ImportContext): ReadonlyMap<string, readonly string[]> {
  const custom = new Set(staging.all('select name from fielddefs where custom = 1').map((row) => String(row.name)))
  const extra = [...staging.dumpTables()].map(([table, columns]) => {
    const known: SourceColumns | undefined = Object.hasOwn(SOURCE_TABLES, table)
      ? (SOURCE_TABLES as Record<string, SourceColumns>)[table]
      : undefined
    const isExtra = (column: string) =>
      known !== undefined &&
      !Object.hasOwn(known, column) &&
      (`${table}.${column}` !== RARELY_USED || staging.first(`select 1 from "dump_${table}" where ${column} <> ''`)) &&
      !(table === 'bugs' && custom.has(column)) &&
      !PASSING_COLUMNS.has(`${table}.${column}`)
    return [table, columns.filter(isExtra)] as const
  })
  return new Map(extra.filter(([, columns]) => columns.length > 0))
}

/**
 * Keeps what was not taken over: rows of tables that have no place here, rows that were left out, and the values of
 * columns that have no place.
 */
async function keepRows(context: ImportContext, output: WriteStream): Promise<number> {
  const { staging, journal } = context
  const gzip = createGzip()
  gzip.pipe(output)
  let rows = 0
  const keep = async (table: string, query: string) => {
    for (const row of staging.iterate(query)) {
      rows++
      await write(gzip, `{"table":${JSON.stringify(table)},"row":${jsonOf(row)}}\n`)
    }
  }
  for (const name of staging.dumpTables().keys()) {
    if (isWhollyKept(name, journal.countsFor(name))) await keep(name, `select * from "dump_${name}"`)
    else if (PARTLY[name] !== undefined)
      await keep(
        name,
        `select * from "dump_${name}" where rowid in (select source_row from ${name} where ${PARTLY[name]})`,
      )
  }
  for (const [name, extra] of extraColumnsOf(context)) {
    const [key = '', ...columns] = [staging.dumpTables().get(name)?.[0] ?? '', ...extra].map((column) => `"${column}"`)
    const isFilled = columns.map((column) => `coalesce(${column}, '') not in ('', 0, '0', '---')`).join(' or ')
    const selected = [...new Set([key, ...columns])].join(', ')
    await keep(name, `select ${selected} from "dump_${name}" where ${isFilled}`)
  }
  for await (const page of journal.listNotes())
    for (const { source_table, note, source_row } of page)
      if (source_row !== null) {
        rows++
        const row = source_table === 'attach_data' ? contentIn(context, source_row) : source_row
        await write(gzip, `${JSON.stringify({ table: source_table, note })?.slice(0, -1)},"row":${row}}\n`)
      }
  gzip.end()
  await once(output, 'finish')
  return rows
}

/** The line in the report has only the number and the size of a content. */
function contentIn({ staging }: ImportContext, row: string): string {
  const { id } = JSON.parse(row) as { id: number | string | null }
  const content = staging.first('select id, thedata from attach_data where id = ?', id)
  return content === undefined ? row : jsonOf(content)
}

/** Which rows have no place, of tables of which only a part has one. */
const PARTLY: Readonly<Record<string, string>> = dictionary({
  category_group_map: 'true',
  email_setting: 'relationship = 5',
  namedqueries: `name = '(Default query)'`,
  namedqueries_link_in_footer: 'true',
  profile_setting: 'true',
  tag: 'id not in (select tag_id from bug_tag where tag_id is not null)',
})

function isWhollyKept(name: string, counts: ImportCounts | undefined) {
  return !Object.hasOwn(SOURCE_TABLES, name) && counts === undefined
}
