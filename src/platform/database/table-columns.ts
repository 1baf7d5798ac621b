/** What the engine knows about the tables, as selects that return the same on both. */
interface Catalogue {
  /** The columns `table_name` and `column_name`, in the order of the table. */
  readonly columns: string
  /** Tables whose ids are generated: `table_name` and `last_id`, which is 0 if none was. */
  readonly lastIds: (tables: readonly string[]) => string
  /** Tables with generated ids: `table_name`. */
  readonly tablesWithIds: string
  /** Foreign keys of one column: `table_name`, `column_name`, `parent`, `parent_column`. */
  readonly foreignKeys: string
}

export const CATALOGUE: Readonly<Record<'sqlite' | 'postgres', Catalogue>> = {
  sqlite: {
    columns: `select t.name as table_name, c.name as column_name
      from sqlite_schema t join pragma_table_info(t.name) c where t.type = 'table' and t.sql not like 'create virtual%'
      order by t.name, c.cid`,
    lastIds: (tables) =>
      tables
        .map(
          (table) =>
            `select '${table}' as table_name,
              coalesce((select max(seq) from sqlite_sequence where name = '${table}'), 0) as last_id`,
        )
        .join(' union all '),
    tablesWithIds: `select name as table_name from sqlite_schema
      where type = 'table' and sql like '%primary key autoincrement%' order by name`,
    foreignKeys: `select t.name as table_name, f."from" as column_name, f."table" as parent, f."to" as parent_column
      from sqlite_schema t join pragma_foreign_key_list(t.name) f where t.type = 'table' order by t.name, f."from"`,
  },
  postgres: {
    columns: `select table_name::text, column_name::text from information_schema.columns
      where table_schema = current_schema() order by table_name::text collate "C", ordinal_position`,
    lastIds: (tables) =>
      tables
        .map(
          (table) =>
            `select '${table}' as table_name,
              (select coalesce(last_value, 0) from pg_sequences
                where format('%I.%I', schemaname, sequencename)::regclass = pg_get_serial_sequence('${table}', 'id')::regclass) as last_id`,
        )
        .join(' union all '),
    tablesWithIds: `select table_name::text from information_schema.columns
      where table_schema = current_schema() and is_identity = 'YES' order by table_name::text collate "C"`,
    foreignKeys: `select c.conrelid::regclass::text as table_name, a.attname::text as column_name,
        c.confrelid::regclass::text as parent, b.attname::text as parent_column
      from pg_constraint c
        join pg_attribute a on a.attrelid = c.conrelid and a.attnum = c.conkey[1]
        join pg_attribute b on b.attrelid = c.confrelid and b.attnum = c.confkey[1]
      where c.contype = 'f' and c.connamespace = current_schema()::regnamespace
      order by c.conrelid::regclass::text collate "C", a.attname::text collate "C"`,
  },
}

/** Selects `name` and `definition` of the indexes of tables, without those that constraints need. */
export const INDEXES_OF: Readonly<Record<'sqlite' | 'postgres', (tables: readonly string[]) => string>> = {
  sqlite: (tables) => `select name, sql as definition from sqlite_schema
    where type = 'index' and sql is not null and sql not like 'create unique%' and tbl_name in (${listed(tables)}) order by name`,
  postgres: (tables) => `select i.indexrelid::regclass::text as name, pg_get_indexdef(i.indexrelid) as definition
    from pg_index i join pg_class t on t.oid = i.indrelid
    where t.relnamespace = current_schema()::regnamespace and not i.indisunique and t.relname in (${listed(tables)})
    order by i.indexrelid::regclass::text collate "C"`,
}

function listed(names: readonly string[]) {
  return names.map((name) => `'${name}'`).join()
}

/** A name in SQL text. Names come from lists of the code or from the engine itself. */
export function quoted(name: string) {
  return `"${name.replaceAll('"', '""')}"`
}
