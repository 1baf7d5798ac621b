import { tmpdir } from 'node:os'
import { RARE_WORD, timeOf } from './bug-set.ts'
import { keptPostgresOf } from './postgres-set.ts'
import { ADMIN, type Server, startLoader, startServer } from './processes.ts'
import { reusableSet } from './search-set.ts'
import { wordNumber } from './texts.ts'

interface Search {
  name: string
  path(size: number): string
  /** Whether an index can answer it, so that its time hardly grows with the number of bugs. */
  isIndexed: boolean
}

const FEW = 'include_fields=id,summary,status&limit=20'
const NEWEST = `${FEW}&order=bug_id%20DESC`
const [MIDDLING, OTHER] = [wordNumber(1000), wordNumber(1500)]

const search = (name: string, query: string | ((size: number) => string), isIndexed = true): Search => ({
  name,
  isIndexed,
  path: (size) => `/rest/bug?${typeof query === 'string' ? query : query(size)}`,
})

const SEARCHES: readonly Search[] = [
  search('product and status, newest', `product=Product%203&status=CONFIRMED&${NEWEST}`),
  search('product, open, last changed', `product=Product%203&bug_status=__open__&${FEW}&order=changeddate%20DESC`),
  search("assignee's open bugs", `assigned_to=person7@bench.test&bug_status=__open__&${FEW}`),
  search('rare part of summaries', `summary=${RARE_WORD.slice(1)}&${NEWEST}`),
  search('common part of summaries', `summary=error&${NEWEST}`),
  search('common part, last changed', `summary=error&${FEW}&order=changeddate%20DESC`),
  search('part that no summary has', `summary=qqxqq&${NEWEST}`),
  search('frequent parts, never together', `summary=windowerror&${NEWEST}`),
  search('quicksearch of two words', `quicksearch=${MIDDLING}%20${OTHER}&${FEW}`),
  search('quicksearch of two common words', `quicksearch=memory%20error&${FEW}`),
  search('full text, ranked', `f1=content&o1=matches&v1=${MIDDLING}%20${OTHER}&${FEW}&order=relevance%20DESC`),
  search('full text of common words, ranked', `f1=content&o1=matches&v1=memory%20error&${FEW}&order=relevance%20DESC`),
  search('full text of a phrase', `f1=content&o1=matches&v1=%22memory%20network%22&${FEW}&order=relevance%20DESC`),
  search(
    'changed in the last week by someone',
    (size) =>
      `j_top=AND_G&f1=status_whiteboard&o1=changedby&v1=person7@bench.test&f2=status_whiteboard&o2=changedafter&v2=${weekBefore(size)}&${NEWEST}`,
  ),
  {
    name: 'everything open, counted by product',
    path: () => '/rest/report?x_axis_field=product&bug_status=__open__',
    isIndexed: false,
  },
  search('everything open, counted', 'bug_status=__open__&count_only=1', false),
]

/** Reads every comment; no index helps. */
const SLOWEST = '/rest/bug?f1=longdesc&o1=regexp&v1=qu+x%5B0-9%5D%7B3%7D&limit=20'

function weekBefore(size: number) {
  return timeOf(size - 7 * 24 * 60).slice(0, 10)
}

/**
 * `npm run bench -- search 20000 1000000`: sizes, `postgres` for the other engine, `in=/folder` for the folder of the
 * bugs.
 */
export async function showSearches(args: readonly string[]) {
  const sizes = args.filter((arg) => /^\d+$/.test(arg)).map(Number)
  const root = args.find((arg) => arg.startsWith('in='))?.slice(3) ?? tmpdir()
  const columns: Measured[] = []
  for (const size of sizes.length > 0 ? sizes : [20_000]) {
    const folder = await reusableSet(root, size)
    const postgres = args.includes('postgres') ? await keptPostgresOf(folder, 'reads') : undefined
    try {
      columns.push(await measureOn(folder, size, postgres ? { LACEWING_DATABASE_URL: postgres.url } : {}))
    } finally {
      await postgres?.stop()
    }
  }
  show(columns)
}

interface Measured {
  size: number
  /** By search. */
  times: Times[]
}

/** In milliseconds. The shortest time estimates what an idle machine would take. */
interface Times {
  median: number
  shortest: number
}

async function measureOn(folder: string, size: number, more: Record<string, string>): Promise<Measured> {
  const server = await startServer(folder, more)
  try {
    const times: Times[] = []
    for (const { path } of SEARCHES) times.push(await timesOf(server, path(size)))
    await showReadsDuringSearch(server, size)
    return { size, times }
  } finally {
    await server.stop()
  }
}

const TIMES = 15

async function timesOf(server: Server, path: string): Promise<Times> {
  const times: number[] = []
  for (let time = 0; time < TIMES + 2; time++) times.push(await timeOfOne(server, path))
  const sorted = times.slice(2).sort((a, b) => a - b)
  return { median: sorted[Math.floor(TIMES / 2)] as number, shortest: sorted[0] as number }
}

async function timeOfOne({ port }: Server, path: string) {
  const started = performance.now()
  const response = await fetch(`http://127.0.0.1:${port}${path}`, {
    headers: { Accept: 'application/json', 'X-TRACKER-API-KEY': ADMIN.LACEWING_ADMIN_API_KEY },
  })
  const text = await response.text()
  if (!response.ok) throw new Error(`${path} was refused: ${text}`)
  return performance.now() - started
}

const MOST_GROWTH = 3
const LONGEST_MILLISECONDS = 100

function show(columns: readonly Measured[]) {
  const titles = [
    ...columns.flatMap(({ size }) => [`at ${size}`, 'shortest']),
    ...(columns.length > 1 ? ['growth', 'wanted'] : []),
  ]
  console.log('milliseconds'.padEnd(38) + titles.map((title) => title.padStart(12)).join(''))
  for (const [place, { name, isIndexed }] of SEARCHES.entries()) {
    const times = columns.map((column) => column.times[place] as Times)
    const growth = (times.at(-1)?.shortest ?? 0) / (times[0]?.shortest ?? 1)
    const compared = columns.length > 1 ? [growth.toFixed(1), isIndexed ? MOST_GROWTH.toFixed(1) : '-'] : []
    const figures = [...times.flatMap(({ median, shortest }) => [median.toFixed(1), shortest.toFixed(1)]), ...compared]
    console.log(name.padEnd(38) + figures.map((figure) => figure.padStart(12)).join(''))
  }
  console.log(`wanted: each under ${LONGEST_MILLISECONDS} ms, and no more growth of the shortest time than that`)
}

const MOST_SLOWDOWN = 5

/** How long reading a bug takes while another client repeats the slowest search. */
async function showReadsDuringSearch(server: Server, size: number) {
  const reader = startLoader()
  const target = { host: '127.0.0.1', port: server.port, headers: {}, path: '/rest/bug/{id}?permissive=1', most: size }
  const reading = () => reader.load(target, { connections: 2, milliseconds: 5000 })
  try {
    await reading()
    const idle = await reading()
    const searching = searchAgainAndAgain(server)
    const busy = await reading()
    await searching.end()
    const figures = `p99 of GET bug/(id): ${idle.p99.toFixed(2)} ms idle, ${busy.p99.toFixed(2)} ms beside the slowest search`
    console.log(`${figures}: ${(busy.p99 / idle.p99).toFixed(1)} times (wanted: at most ${MOST_SLOWDOWN})`)
  } finally {
    await reader.stop()
  }
}

/** The search may take so long that it is refused in the end. */
function searchAgainAndAgain({ port }: Server) {
  let isWanted = true
  const searching = (async () => {
    while (isWanted) await (await fetch(`http://127.0.0.1:${port}${SLOWEST}`)).text()
  })()
  return {
    end() {
      isWanted = false
      return searching
    },
  }
}
