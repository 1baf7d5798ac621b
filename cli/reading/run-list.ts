import type { ParamsOf } from '../../client/index.ts'
import { type Context, wrongCommandLine } from '../context.ts'
import { CommandFailure } from '../failures/command-failure.ts'
import { EXIT } from '../failures/exit-codes.ts'
import type { Connection } from '../servers/connection.ts'
import { jsonText } from '../text/clean-text.ts'
import { csvLine } from '../text/csv.ts'
import { rowOf, tableLines } from '../text/table.ts'
import { type FoundBug, foundBugs } from './found-bugs.ts'
import { withSavedSearch } from './saved-searches.ts'
import { type SearchOptions, searchParams } from './search-options.ts'
import { shownTime, shownValue, styleOf } from './shown-value.ts'

export interface ListOptions extends SearchOptions {
  readonly columns?: string
  readonly limit?: string
  readonly all?: boolean
  readonly count?: boolean
  readonly csv?: boolean
}

const USUAL_COLUMNS = 'id,status,priority,assigned_to,summary'
const USUAL_LIMIT = 50
/** A table needs all rows to find the widths of its columns. */
const LONGEST_TABLE = 10_000

export async function runList(words: readonly string[], options: ListOptions, { output, connect }: Context) {
  if (options.csv && output.isJson) throw wrongCommandLine('--csv and --json exclude each other.')
  const connection = connect()
  const params = await withSavedSearch(searchParams(words, options), connection)
  if (options.count) return printCount(params, connection, output)
  const columns = columnsOf(options.columns ?? USUAL_COLUMNS)
  // The status has another colour if the bug is closed.
  const fields = [...new Set([...columns, ...(columns.includes('status') ? ['is_open'] : [])])].join(',')
  const search = { ...params, include_fields: fields, with_total: 1 }
  const pages = foundBugs(connection, search, limitOf(options))
  if (output.isJson) return writeJson(pages, columns, output)
  if (options.csv || !output.isTerminal) return writeRows(pages, columns, options.csv === true, output)
  const [bugs, total] = await collected(pages)
  const cells = bugs.map((bug) =>
    columns.map((name) => ({ text: cellText(name, bug[name]), style: styleOf(name, bug[name], bug.is_open) })),
  )
  if (bugs.length > 0) await output.lines(tableLines(columns, cells, output.width))
  if (bugs.length < LONGEST_TABLE) noteCount(bugs.length, total, output)
  else output.note(`A table has at most ${LONGEST_TABLE} bugs. All of them: --csv, --json, or a pipe.`)
  noteUnknown(columns, bugs, output)
}

async function printCount(params: Readonly<Record<string, unknown>>, { client, name }: Connection, output: Output) {
  // The limit is for a server that does not count, and sends bugs.
  const counting = { ...params, count_only: true, order: undefined, limit: 1 } as ParamsOf<'GET /bug'>
  const { bug_count: count } = await client.get('/bug', counting)
  if (count === undefined) throw new CommandFailure(`${name} does not count.`, EXIT.notOnThisServer)
  await output.print({ bug_count: count }, [String(count)])
}

type Output = Context['output']
type Pages = ReturnType<typeof foundBugs>

/** A column that no bug has is most often a name with a mistake in it. */
function noteUnknown(columns: readonly string[], bugs: readonly FoundBug[], output: Output) {
  const unknown = bugs.length === 0 ? [] : columns.filter((name) => bugs.every((bug) => !Object.hasOwn(bug, name)))
  if (unknown.length > 0) output.note(`No bug has a field ${unknown.join(', ')}.`)
}

function noteCount(shown: number, total: number | undefined, output: Output) {
  if (shown === 0) output.note('No bugs were found.')
  else if (total !== undefined && total > shown) output.note(`${shown} of ${total} bugs. More with --limit or --all.`)
}

async function collected(pages: Pages): Promise<[bugs: FoundBug[], total: number | undefined]> {
  const bugs: FoundBug[] = []
  let total: number | undefined
  for await (const page of pages) {
    bugs.push(...page.bugs)
    total ??= page.total
    if (bugs.length >= LONGEST_TABLE) break
  }
  return [bugs.slice(0, LONGEST_TABLE), total]
}

/** One document, written while it is read: a long list does not have to fit into memory. */
async function writeJson(pages: Pages, columns: readonly string[], output: Output) {
  let [count, total]: [number, number | undefined] = [0, undefined]
  for await (const page of pages) {
    const texts = page.bugs.map((bug) => `\n${jsonText(chosen(bug, columns), 0)}`)
    const separator = count > 0 && texts.length > 0 ? ',' : ''
    // Nothing is printed before the first answer is understood, so that an error is a document of its own.
    const beginning = count === 0 && total === undefined ? '{"bugs":[' : separator
    if (count === 0) noteUnknown(columns, page.bugs, output)
    await output.write(`${beginning}${texts.join(',')}`)
    count += texts.length
    total ??= page.total ?? -1
  }
  await output.write(`\n],"total_matches":${jsonText(total === -1 ? null : total)}}\n`)
}

function chosen(bug: FoundBug, columns: readonly string[]) {
  return Object.fromEntries(columns.filter((name) => Object.hasOwn(bug, name)).map((name) => [name, bug[name]]))
}

async function writeRows(pages: Pages, columns: readonly string[], isCsv: boolean, output: Output) {
  let [shown, total]: [number, number | undefined] = [0, undefined]
  for await (const page of pages) {
    const rows = page.bugs.map((bug) => columns.map((name) => shownValue(bug[name])))
    const lines = rows.map((row) => (isCsv ? csvLine(row) : `${rowOf(row)}\n`))
    if (shown === 0) noteUnknown(columns, page.bugs, output)
    if (isCsv && shown === 0) lines.unshift(csvLine(columns))
    await output.write(lines.join(''))
    shown += rows.length
    total ??= page.total
  }
  noteCount(shown, total, output)
}

function cellText(column: string, value: unknown) {
  return column.endsWith('_time') ? shownTime(value) : shownValue(value)
}

function columnsOf(text: string): string[] {
  const names = text.split(',').map((name) => name.trim())
  if (names.some((name) => !/^\w+$/.test(name)))
    throw wrongCommandLine(`--columns must be names of fields with commas between them, such as ${USUAL_COLUMNS}.`)
  return [...new Set(names)]
}

function limitOf({ limit, all }: ListOptions): number {
  if (all) return Number.POSITIVE_INFINITY
  if (limit === undefined) return USUAL_LIMIT
  if (!/^[1-9]\d{0,8}$/.test(limit)) throw wrongCommandLine('--limit must be a whole number from 1 on.')
  return Number(limit)
}
