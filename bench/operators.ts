import { tmpdir } from 'node:os'
import { OPERATOR_NAMES } from '../src/search/parsing/query.ts'
import { RARE_WORD, timeOf } from './bug-set.ts'
import { originOf, writePart } from './performance-page.ts'
import { keptPostgresOf } from './postgres-set.ts'
import { ADMIN, type Server, startServer } from './processes.ts'
import { markdownTable } from './ratios.ts'
import { reusableSet } from './search-set.ts'
import { wordNumber } from './texts.ts'

/** A kind of field, by one that stands for it, with the values that are searched for. */
interface Family {
  readonly name: string
  readonly field: string
  /** For all operators but those with a part of a text, and for comparisons. */
  readonly value: (size: number) => string
  readonly part: string
}

const family = (name: string, field: string, value: string | ((size: number) => string), part: string): Family => ({
  name,
  field,
  value: typeof value === 'string' ? () => value : value,
  part,
})

const WORD = wordNumber(1000)

const FAMILIES: readonly Family[] = [
  family('id', 'bug_id', (size) => String(size - 100), '77'),
  family('choice', 'priority', 'Highest', 'igh'),
  family('product', 'product', 'Product 3', 'duct 3'),
  family('person', 'assigned_to', 'person7@bench.test', 'person7@'),
  family('time', 'delta_ts', (size) => timeOf(size - 1440), '2010-01'),
  family('summary', 'short_desc', RARE_WORD, WORD),
  family('URL', 'bug_file_loc', 'https://example.org', 'example'),
  family('alias', 'alias', 'alias-100', 'ias-100'),
  family('keyword', 'keywords', 'keyword3', 'word3'),
  family('CC', 'cc', 'person7@bench.test', 'person7@'),
  family('see also', 'see_also', 'https://example.org/101', 'org/101'),
  family('depends on', 'dependson', '100', '77'),
  family('comment', 'longdesc', WORD, WORD),
  family('commenter', 'commenter', 'person7@bench.test', 'person7@'),
  family('attachment', 'attachments.description', WORD, WORD),
  family('whiteboard, history', 'status_whiteboard', 'before', 'before'),
  family('full text', 'content', WORD, WORD),
  family('idle time', 'owner_idle_time', '7d', '7d'),
]

const PARTS: ReadonlySet<string> = new Set(
  OPERATOR_NAMES.filter((name) => /substr|words|regexp/.test(name) && !/^(any|all|no)words$/.test(name)),
)

/** The letter of each plan in the table. */
const PLANS: Readonly<Record<string, string>> = {
  by_columns: 'C',
  by_texts: 'T',
  most_relevant: 'R',
  id_ranges: 'I',
  first_bugs: 'F',
  first_candidates: 'K',
  scan_texts: 'S',
  all_matches: 'A',
}

const TIMES = 3
const LONGEST_MILLISECONDS = 3000
const MANY_MILLISECONDS = 100

/**
 * `npm run bench -- operators 200000`: every operator on every kind of field, with the plan and the shortest of three times in milliseconds.
 * Arguments: the number of bugs, `postgres` for the other engine, `write` for docs/performance.md.
 */
export async function showOperators(args: readonly string[]) {
  const size = Number(args.find((arg) => /^\d+$/.test(arg)) ?? 200_000)
  const folder = await reusableSet(tmpdir(), size)
  const postgres = args.includes('postgres') ? await keptPostgresOf(folder, 'reads') : undefined
  try {
    const server = await startServer(folder, postgres === undefined ? {} : { LACEWING_DATABASE_URL: postgres.url })
    try {
      const rows = await measured(server, size)
      console.log(markdownTable(rows))
      const engine = postgres === undefined ? 'SQLite' : 'PostgreSQL'
      if (args.includes('write'))
        writePart(`operators on ${engine}`, `${markdownTable(rows)}\n\n${originOf(process.argv.slice(2))}`)
    } finally {
      await server.stop()
    }
  } finally {
    await postgres?.stop()
  }
}

async function measured(server: Server, size: number): Promise<string[][]> {
  const rows = [['operator', ...FAMILIES.map(({ name }) => name)]]
  for (const operator of OPERATOR_NAMES) {
    const row = [operator as string]
    for (const { field, value, part } of FAMILIES) {
      const input = PARTS.has(operator) ? part : value(size)
      const query = new URLSearchParams({ f1: field, o1: operator, v1: input, include_fields: 'id', limit: '20' })
      row.push(await cellOf(server, `/rest/bug?${query}`))
    }
    console.log(row.join(' | '))
    rows.push(row)
  }
  return rows
}

/** `0.7 T`; empty if the search is refused. */
async function cellOf(server: Server, path: string): Promise<string> {
  const times: number[] = []
  for (let time = 0; time < TIMES; time++) {
    const milliseconds = await timeOfOne(server, path)
    if (milliseconds === undefined) return ''
    times.push(milliseconds)
    if (milliseconds > MANY_MILLISECONDS * 5) break
  }
  const shortest = Math.min(...times)
  if (shortest >= LONGEST_MILLISECONDS) return `**> ${LONGEST_MILLISECONDS}**`
  const text = `${shortest < 10 ? shortest.toFixed(1) : shortest.toFixed(0)} ${await plansOf(server, path)}`
  return shortest > MANY_MILLISECONDS ? `**${text}**` : text
}

async function timeOfOne(server: Server, path: string): Promise<number | undefined> {
  const started = performance.now()
  try {
    const response = await get(server, path)
    if (response.status === 400) return undefined
    await response.text()
  } catch {
    return LONGEST_MILLISECONDS
  }
  return performance.now() - started
}

async function plansOf(server: Server, path: string): Promise<string> {
  try {
    const { explanation } = (await (await get(server, `${path}&explain=1`)).json()) as Explained
    return explanation.plans.map(({ strategy }) => PLANS[strategy] ?? '?').join('')
  } catch {
    return '?'
  }
}

interface Explained {
  readonly explanation: { readonly plans: readonly { readonly strategy: string }[] }
}

function get({ port }: Server, path: string): Promise<Response> {
  return fetch(`http://127.0.0.1:${port}${path}`, {
    headers: { Accept: 'application/json', 'X-TRACKER-API-KEY': ADMIN.LACEWING_ADMIN_API_KEY },
    signal: AbortSignal.timeout(LONGEST_MILLISECONDS),
  })
}
