import {
  DummyDriver,
  Kysely,
  type RawBuilder,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
  sql,
} from 'kysely'
import type { SqlValue } from '../database/statements/builder.ts'
import type { Database } from '../database/tables.ts'
import type { WordTerm } from '../text/word-terms.ts'
import type { Dialect, WordIndex } from './dialect.ts'
import { amongBugs, bugAt, firstPlaceOf, withinRange } from './word-places.ts'

export const sqliteDialect: Dialect = {
  engine: 'sqlite',
  builder: new Kysely<Database>({
    dialect: {
      createAdapter: () => new SqliteAdapter(),
      createDriver: () => new DummyDriver(),
      createIntrospector: (db) => new SqliteIntrospector(db),
      createQueryCompiler: () => new SqliteQueryCompiler(),
    },
  }),
  columnTypes: { id: 'integer primary key autoincrement', text: 'text', positions: '' },
  integersIn: (json) => sql`(select value as id from json_each(${json}))`,
  textsIn: (json) => sql`(select value from json_each(${json}))`,
  recordsIn: (json, columns) =>
    sql`(select ${sql.join(
      Object.keys(columns).map((column) => sql`value ->> ${sql.lit(column)} as ${sql.ref(column)}`),
    )} from json_each(${json}))`,
  jsonListOf: (rows) => sql`(select json_group_array(value) from (${rows}))`,
  jsonObjectsOf: (rows, columns) => sql`(select json_group_array(json_object(${pairs(columns)})) from (${rows}))`,
  locked: () => sql``,
  lockedBesideReferences: () => sql``,
  transactionsTakeTurns: true,
  // An autoincrement column always continues after its largest id.
  idsFollowThoseIn: () => sql`0`,
  idsBeginAfter: (table, id) => `insert into sqlite_sequence (name, seq) values ('${table}', ${id})`,
  idsBeginAtOne: '',
  engineVersion: () => sql`sqlite_version()`,
  databaseBytes: () => sql`(select page_count * page_size from pragma_page_count(), pragma_page_size())`,
  now: () => sql`strftime('%Y-%m-%dT%H:%M:%SZ', 'now')`,
  secondsFromNow: (seconds) => sql`strftime('%Y-%m-%dT%H:%M:%SZ', 'now', ${seconds} || ' seconds')`,
  notByIndex: (column) => sql<string>`+${column}`,
  groupedByEach: (rows, columns, counts) => {
    const by = (column: string) =>
      sql`select ${sql.lit(column)} as what, ${sql.ref(column)} as value, ${counts} from grouped group by value`
    return sql`select * from (with grouped as materialized (${rows}) ${sql.join(columns.map(by), sql` union all `)})`
  },
  hoursBetween: (from, to) => sql`((unixepoch(${to}) - unixepoch(${from})) / 3600)`,
  // No other request is served while a statement reads.
  rowsAtOnce: 250,
  idsFollowCommits: true,
  contains: hasPart,
  containsPart: hasPart,
  piecesOf: trigramsIn,
  matchOf: allPieces,
  bugWithPiece: (column, match, after) => {
    const index = sql.table(`${column}_trigrams`)
    return sql`select rowid from ${index} where ${index} match ${match} limit 1 offset ${sql.lit(after)}`
  },
  bugsWithPieces: (column, pieces, range) => {
    const index = sql.table(`${column}_trigrams`)
    const wanted = allPieces(pieces)
    // The `+ 0` keeps SQLite from querying the index once per bug of the other list.
    return sql`select rowid + 0 as id from ${index} where ${index} match ${wanted}${amongBugs('rowid', range)}
      union all select bug_id from due_trigrams where ${sql.ref(column)} = 1${amongBugs('bug_id', range)}`
  },
  readsInOrder: false,
  estimatesRows: false,
  unindexed: (column) => sql`+${column}`,
  skipsThroughIndexes: true,
  plansTogether: false,
  judgesTexts: false,
  // Checked only for every 64th bug: calling a function costs more than looking at a bug.
  requireTime: (bugId) => sql<boolean>`(${bugId} & 63 <> 0 or require_time())`,
  isRowAllowed: sql<boolean>`is_row_allowed()`,
  isInShortList: (number, list) => sql<boolean>`${number} in (${list})`,
  keptWords: (words) => (words.length === 0 ? '' : ` ${words.join(' ')} `),
  asWords: (kept) => sql<string>`${kept}`,
  bugsWithWords: (index, term, range) => {
    const { table, indexed, waiting } = wordsLookedFor(index, term)
    return sql`select ${bugAt('rowid')} as id from ${table} where ${indexed}${withinRange('rowid', range)}
      union all select ${bugAt('place')} from ${sql.table(index)} where ${waiting}${withinRange('place', range)}`
  },
  firstBugsWithAll: (index, terms, from, most) => {
    const { table, indexed, waiting } = wordsLookedFor(index, ...terms)
    const first = firstPlaceOf(sql`${from}`)
    return sql`select id from (
      select id from (select ${bugAt('rowid')} as id from ${table} where ${indexed} and rowid >= ${first} order by rowid limit ${most})
      union all select ${bugAt('place')} from ${sql.table(index)} where ${waiting} and place >= ${first}
    ) order by id limit ${most}`
  },
  lastBugsWithAll: (index, terms, holds, most) => {
    const { table, match, waiting } = wordsLookedFor(index, ...terms)
    const place = `${index}_index.rowid`
    // A cross join keeps the order of the tables: the index is read from its end, until there are enough.
    const found = sql`select bugs.id as id from ${table} cross join bugs on bugs.id = ${bugAt(place)}
      where ${match} and ${sql.ref(place)} not in (select place from ${sql.table(index)}) and ${holds}
      order by ${sql.ref(place)} desc limit ${most}`
    return sql`select id from (
      select id from (${found})
      union all select bugs.id from ${sql.table(index)} cross join bugs on bugs.id = ${bugAt('place')} where ${waiting} and ${holds}
    ) order by id desc limit ${most}`
  },
  hasWords: (index, term, bugId) => {
    const { table, indexed, waiting } = wordsLookedFor(index, term)
    const here = (column: string) =>
      sql`${sql.ref(column)} >= ${firstPlaceOf(bugId)} and ${sql.ref(column)} < ${firstPlaceOf(sql`${bugId} + 1`)}`
    return sql<boolean>`(exists (select 1 from ${table} where ${indexed} and ${here('rowid')})
      or exists (select 1 from ${sql.table(index)} where ${waiting} and ${here('place')}))`
  },
  firstListed: (list, p, order) => {
    if (list === 'aliases')
      return {
        listed: sql`select bug_id as value from bug_aliases where (id & 15 <> 0 or is_row_allowed()) and ${hasPart(sql`alias_key`, p.part)} limit ${p.most}`,
        isOrdered: false,
      }
    const isWords = list === 'bug_words' || list === 'private_words'
    const index = sql.table(isWords ? `${list}_index` : `${list}_trigrams`)
    const [from, to] = isWords ? [p.fromPlace, p.toPlace] : [p.from, p.to]
    const isCurrent = isWords ? sql` and rowid not in (select place from ${sql.table(list)})` : sql``
    return {
      listed: sql`select ${isWords ? bugAt('rowid') : sql`rowid`} as value from ${index} where ${index} match ${p.match}
        and rowid >= cast(${from} as bigint) and rowid <= cast(${to} as bigint)${isCurrent}
        order by rowid ${sql.raw(order === 'desc' ? 'desc' : 'asc')} limit ${p.most}`,
      isOrdered: true,
      waiting: isWords
        ? sql`select ${bugAt('place')} as value from ${sql.table(list)} where ${hasPart(sql`words`, p.part)}`
        : sql`select bug_id as value from due_trigrams where ${sql.ref(list)} = 1`,
    }
  },
  textsToFind: (sought) =>
    'text' in sought
      ? { match: allPieces(sought.pieces), part: sought.text }
      : { match: phraseOf(sought), part: partOf(sought) },
  plannedOnce: (text) => text.replaceAll(/\blimit \?/g, 'limit (? + 0)'),
  explained: (text) => `explain query plan ${text}`,
  planIn: indentedPlan,
  isUniqueViolation: (fault) => [1555, 2067].includes(sqliteCode(fault)),
  isForeignKeyViolation: (fault) => sqliteCode(fault) === 787,
}

/** Rows wait in a separate table until there are enough to move into the index (see 0005-search.ts). */
function wordsLookedFor(index: WordIndex, ...terms: readonly WordTerm[]) {
  const table = sql.table(`${index}_index`)
  const match = sql`${table} match ${terms.map(phraseOf).join(' AND ')}`
  return {
    table,
    match,
    indexed: sql`${match} and rowid not in (select place from ${sql.table(index)})`,
    waiting: sql.join(
      terms.map((term) => hasPart(sql`words`, partOf(term))),
      sql` and `,
    ),
  }
}

function phraseOf({ words, isPrefix }: WordTerm) {
  return `"${words.join(' ')}"${isPrefix ? '*' : ''}`
}

function partOf({ words, isPrefix }: WordTerm) {
  return ` ${words.join(' ')}${isPrefix ? '' : ' '}`
}

function allPieces(pieces: readonly string[]) {
  return pieces.map((piece) => `"${piece.replaceAll('"', '""')}"`).join(' AND ')
}

function hasPart(column: RawBuilder<unknown>, part: SqlValue<string>) {
  return sql<boolean>`instr(${column}, ${part}) > 0`
}

const MOST_TRIGRAMS = 12

/** All trigrams of a short text; of a long one, enough to leave few bugs. */
function trigramsIn(text: string): readonly string[] | undefined {
  const characters = [...text]
  const count = characters.length - 2
  // The index reads a query only up to the first NUL.
  if (count < 1 || text.includes('\0')) return undefined
  const step = Math.max(1, Math.ceil(count / MOST_TRIGRAMS))
  const starts = Array.from({ length: Math.ceil(count / step) }, (_, index) => index * step)
  return [...new Set([...starts, count - 1].map((start) => characters.slice(start, start + 3).join('')))]
}

/** `'id', id, 'name', name`: the names are our own, never a client's. */
function pairs(columns: readonly string[]) {
  return sql.join(columns.flatMap((column) => [sql.lit(column), sql.ref(column)]))
}

/** Each line is indented by the number of lines that it is part of. */
function indentedPlan(rows: readonly Readonly<Record<string, unknown>>[]): string[] {
  const depths = new Map<unknown, number>()
  return rows.map(({ id, parent, detail }) => {
    const depth = (depths.get(parent) ?? -1) + 1
    depths.set(id, depth)
    return '  '.repeat(depth) + String(detail)
  })
}

function sqliteCode(fault: unknown) {
  return (fault as { errcode?: number }).errcode ?? 0
}
