import { DatabaseSync } from 'node:sqlite'
import type { CompiledQuery } from 'kysely'
import pg from 'pg'
import { isVisible } from '../../src/access/visibility/visible-bugs.ts'
import type { Db } from '../../src/platform/database/db.ts'
import { TextScan } from '../../src/platform/database/slow-reads/text-scan.ts'
import type { Dialect } from '../../src/platform/dialects/dialect.ts'
import { addTextFunctions } from '../../src/platform/dialects/sqlite-text-functions.ts'
import { cast } from './cast.ts'
import { fileBug } from './file-bug.ts'
import type { World } from './world.ts'

/** Typical searches of people and programs, by topic. */
const SEARCHES: Readonly<Record<string, string>> = {
  'bugs by number': '/rest/bug?id=3,5,8&limit=20',
  'product and status, newest first':
    '/rest/bug?product=TestProduct&status=CONFIRMED&order=bug_id%20DESC&limit=20&include_fields=id,summary',
  'product, open, last changed first':
    '/rest/bug?product=TestProduct&bug_status=__open__&order=changeddate%20DESC&limit=20&include_fields=id,summary',
  'component, by priority': '/rest/bug?component=TestComponent&order=priority&limit=20&include_fields=id,summary',
  "somebody's open bugs": `/rest/bug?assigned_to=${cast.ada.login}&bug_status=__open__&limit=20&include_fields=id,summary`,
  'reported by somebody': `/rest/bug?creator=${cast.rhea.login}&limit=20&include_fields=id,summary`,
  'somebody on the CC list': `/rest/bug?cc=${cast.rhea.login}&limit=20`,
  'somebody in one of several roles': `/rest/bug?email1=${cast.rhea.login}&emailtype1=exact&emailassigned_to1=1&emailreporter1=1&emailcc1=1&emaillongdesc1=1&limit=20`,
  'an alias': '/rest/bug?alias=the-alias&limit=20',
  'a keyword': '/rest/bug?keywords=planned&limit=20',
  'created since': '/rest/bug?creation_time=2020-01-01T00:00:00Z&order=opendate%20DESC&limit=20',
  'changed since': '/rest/bug?last_change_time=2020-01-01T00:00:00Z&order=changeddate&limit=20',
  'a part of the summary': '/rest/bug?summary=marmot&limit=20',
  'a part of the summary, too short for an index': '/rest/bug?summary=ma&limit=20',
  'a part of the whiteboard': '/rest/bug?whiteboard=marmot&limit=20',
  'one line of two words': '/rest/bug?quicksearch=marmot%20burrow&limit=20',
  'one line as it is typed': '/rest/bug?quicksearch=marm&order=changeddate%20DESC&limit=6',
  'one line with fields': '/rest/bug?quicksearch=ALL%20product%3ATest%20%40ada%20marmot&limit=20',
  'full text, ranked': '/rest/bug?f1=content&o1=matches&v1=marmot%20burrow&order=relevance%20DESC&limit=20',
  'full text, a phrase, newest first':
    '/rest/bug?f1=content&o1=matches&v1=%22marmot%20burrow%22&order=bug_id%20DESC&limit=20',
  'full text without a word': '/rest/bug?f1=content&o1=matches&v1=marmot%20-burrow&limit=20',
  'a part of a comment': '/rest/bug?f1=longdesc&o1=substring&v1=marmot&order=bug_id&limit=1',
  'changed by somebody since': `/rest/bug?j_top=AND_G&f1=bug_status&o1=changedby&v1=${cast.edna.login}&f2=bug_status&o2=changedafter&v2=2020-01-01&limit=20`,
  'a field changed to a value': '/rest/bug?chfield=bug_status&chfieldfrom=2020-01-01&chfieldvalue=RESOLVED&limit=20',
  'a field that was ever changed': '/rest/bug?f1=priority&o1=everchanged&limit=20',
  'commented by somebody': `/rest/bug?f1=commenter&o1=equals&v1=${cast.rhea.login}&limit=20`,
  'asked of somebody by a flag': `/rest/bug?f1=requestees.login_name&o1=equals&v1=${cast.edna.login}&limit=20`,
  'waiting for a bug': '/rest/bug?f1=dependson&o1=equals&v1=3&limit=20',
  'own tags': '/rest/bug?tags=soon&limit=20',
  'everything open, counted': '/rest/bug?bug_status=__open__&count_only=1',
  'everything open, counted by product': '/rest/report?x_axis_field=product&bug_status=__open__',
  'everything, counted over time': '/rest/report/over_time?from=2026-01-01&to=2026-02-01&product=TestProduct',
  'ages of open bugs': '/rest/report/age?bug_status=__open__&as_of=2026-01-01',
  'time to close': '/rest/report/time_to_close?from=2026-01-01&to=2026-02-01&product=TestProduct',
  'everything, counted by an earlier priority': '/rest/report?x_axis_field=priority&as_of=2026-01-01',
  'perhaps the same bug': '/rest/bug/possible_duplicates?summary=marmot%20burrow',
}

const BUGS = 3000

/** Every search with its SQL on this engine and the query plan. */
export async function searchPlans(world: World): Promise<string> {
  await fillWith(world, BUGS)
  const explain = world.engine === 'sqlite' ? explainOnSqlite(world) : await explainOnPostgres(world)
  const visibility = visibilityIn(world.db.dialect)
  const pages: string[] = []
  for (const [name, path] of Object.entries(SEARCHES)) {
    const queries = await queriesOf(world, path)
    const returned = []
    for (const query of queries)
      returned.push(`${query.sql.replace(visibility, '<is visible>').trim()}\n${indented(await explain.plan(query))}`)
    pages.push(`## ${name}\nGET ${path}\n\n${returned.join('\n\n')}`)
  }
  await explain.end()
  return `${pages.join('\n\n\n')}\n`
}

/** Enough rows that an index is worth using. */
async function fillWith({ db, rhea }: World, count: number) {
  const id = await fileBug(rhea, { summary: 'A marmot has its burrow', whiteboard: 'marmot' })
  const [row] = await db.query((q) => q.selectFrom('bugs').selectAll().where('id', '=', id))
  const copied = Object.keys(row ?? {}).filter((column) => !['id', 'summary', 'summary_key'].includes(column))
  await db.script(`insert into bugs (summary, summary_key, ${copied.join()})
    with recursive numbers (number) as (select 1 union all select number + 1 from numbers where number < ${count})
    select 'Bug ' || number, 'bug ' || number, ${copied.join()} from bugs cross join numbers where id = ${id}`)
}

/** The statements of a call, except those of every call. */
async function queriesOf({ db, ada }: World, path: string): Promise<CompiledQuery[]> {
  const queries: CompiledQuery[] = []
  const watched = db as Db & { querySlowly?: unknown }
  const original = db.querySlowly.bind(db)
  watched.querySlowly = (build, limits) => {
    const query = build(db.dialect.builder, db.dialect).compile()
    // The number of text reads depends on how long they take.
    const isKnown = hasScans(query) && queries.some(({ sql }) => sql === query.sql)
    // Estimates are plans themselves.
    if (!isKnown && !query.sql.startsWith('explain ')) queries.push(...withScans(query))
    return original(build, limits)
  }
  const few = db.allOfFewRows.bind(db)
  watched.allOfFewRows = (statement, params, limits) => {
    const { sql, valuesFor } = statement.for(db.dialect)
    queries.push({ sql, parameters: valuesFor(params) } as unknown as CompiledQuery)
    return few(statement, params, limits)
  }
  const { status, text } = await ada.get(path)
  delete (watched as Partial<Db>).querySlowly
  delete (watched as Partial<Db>).allOfFewRows
  if (status !== 200) throw new Error(`${path} was refused: ${text}`)
  return queries
}

function hasScans({ parameters }: CompiledQuery) {
  return parameters.some((value) => value instanceof TextScan)
}

/** What is read outside SQL for a query, and the query itself. */
function withScans(query: CompiledQuery): CompiledQuery[] {
  const scans = query.parameters.filter((value) => value instanceof TextScan)
  const parameters = query.parameters.map((value) => (value instanceof TextScan ? '[]' : value))
  return [...scans.map(({ rows }) => ({ ...query, sql: rows.sql, parameters: rows.values })), { ...query, parameters }]
}

/** The same in every search, and long. */
function visibilityIn(dialect: Dialect): RegExp {
  const rules = { or_groups: false, useqacontact: true }
  const condition = isVisible(dialect, rules, { viewerId: 0, viewerGroups: '[]' })
  const { sql } = condition.compile(dialect.builder)
  return new RegExp(sql.replace(/[^\w\s]/g, '\\$&').replace(/\\\$\d+/g, '\\$\\d+'), 'g')
}

interface Explainer {
  plan(query: CompiledQuery): Promise<string[]> | string[]
  end(): Promise<void>
}

function explainOnSqlite({ db, databaseUrl }: World): Explainer {
  const connection = new DatabaseSync(databaseUrl, { readOnly: true })
  addTextFunctions(connection)
  return {
    plan({ sql, parameters }) {
      const rows = connection.prepare(db.dialect.explained(sql)).all(...(parameters as (string | number | null)[]))
      return db.dialect.planIn(rows)
    },
    async end() {
      connection.close()
    },
  }
}

async function explainOnPostgres({ databaseUrl }: World): Promise<Explainer> {
  const client = new pg.Client(databaseUrl)
  await client.connect()
  // What it would do among many more bugs than a test has time to make.
  await client.query('analyze; set enable_seqscan = off')
  return {
    async plan({ sql, parameters }) {
      const { rows } = await client.query(`explain (costs off) ${sql}`, [...parameters])
      return rows.map((row) => withoutValues(String(row['QUERY PLAN'])))
    },
    end: () => client.end(),
  }
}

/** Removes values and times, which are not part of the plan. */
function withoutValues(line: string) {
  return line.replace(/'[^']*'/g, "'…'").replace(/\b\d+\b/g, 'N')
}

function indented(lines: readonly string[]) {
  return lines.map((line) => `    ${line}`).join('\n')
}
