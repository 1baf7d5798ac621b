import { DummyDriver, Kysely, SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler, sql } from 'kysely'
import type { Database } from '../database/tables.ts'
import type { Dialect } from './dialect.ts'

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
  integersIn: (json) => sql`(select value from json_each(${json}))`,
  textsIn: (json) => sql`(select value from json_each(${json}))`,
  recordsIn: (json, columns) =>
    sql`(select ${sql.join(
      Object.keys(columns).map((column) => sql`value ->> ${sql.lit(column)} as ${sql.ref(column)}`),
    )} from json_each(${json}))`,
  jsonListOf: (rows) => sql`(select json_group_array(value) from (${rows}))`,
  jsonObjectsOf: (rows, columns) => sql`(select json_group_array(json_object(${pairs(columns)})) from (${rows}))`,
  // Transactions go one after another anyway.
  locked: () => sql``,
  heldStill: () => sql``,
  // An autoincrement column always goes on after its largest id.
  idsFollowThoseIn: () => sql`0`,
  now: () => sql`strftime('%Y-%m-%dT%H:%M:%SZ', 'now')`,
  isUniqueViolation: (fault) => [1555, 2067].includes(sqliteCode(fault)),
  isForeignKeyViolation: (fault) => sqliteCode(fault) === 787,
}

/** `'id', id, 'name', name`: the names are our own, never a client's. */
function pairs(columns: readonly string[]) {
  return sql.join(columns.flatMap((column) => [sql.lit(column), sql.ref(column)]))
}

function sqliteCode(fault: unknown) {
  return (fault as { errcode?: number }).errcode ?? 0
}
