import type { SourceColumns } from './source-tables.ts'

/** The columns of source-tables.ts, from a table of the dump that may lack some of them or be missing. */
export function viewOf(
  name: string,
  columns: SourceColumns,
  own: readonly string[] | undefined,
  present: ReadonlyMap<string, readonly string[]>,
): string {
  // Until release 4.4 a bug had one alias, in its own row.
  if (name === 'bugs_aliases' && own === undefined && present.get('bugs')?.includes('alias'))
    return `select alias, bug_id, rowid as source_row from dump_bugs where alias is not null and alias <> ''`
  // Tables that have a number only in newer releases, such as the history, are numbered in the order of the dump.
  const selected = Object.entries(columns).map(([column, missing]) =>
    own?.includes(column)
      ? `"${column}"`
      : column === 'id' && own !== undefined
        ? 'rowid as "id"'
        : `${literal(missing)} as "${column}"`,
  )
  if (own === undefined) return `select ${selected.join(', ')}, 0 as source_row where 0`
  // Custom fields are further columns of the bugs.
  const custom =
    name === 'bugs' ? own.filter((column) => !Object.hasOwn(columns, column)).map((column) => `"${column}"`) : []
  return `select ${[...selected, ...custom].join(', ')}, rowid as source_row from "dump_${name}"`
}

function literal(value: null | number | string) {
  return value === null ? 'null' : typeof value === 'number' ? String(value) : `'${value.replaceAll("'", "''")}'`
}
