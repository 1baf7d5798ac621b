import { createHash } from 'node:crypto'

/** A value of a dump: null, a number, a text, or bytes (of a blob, or of a text that is not UTF-8). */
export type SourceValue = null | number | string | Buffer
export interface SourceTable {
  /** Column and type, as in MySQL. */
  columns: readonly (readonly [name: string, type: string])[]
  rows: SourceValue[][]
}
export type SourceDatabase = Map<string, SourceTable>

/** How Bugzilla stores a password. */
export function oldHash(password: string, salt = 'saltsalt') {
  return `${salt},${createHash('sha256')
    .update(password + salt)
    .digest('base64')
    .replace(/=+$/, '')}{SHA-256}`
}

export interface DumpStyle {
  /** Blobs as 0x…, as escaped text, or as text with _binary. */
  blobs?: 'hex' | 'escaped' | 'binary'
  /** Rows of one statement; 1 makes a statement for each row. */
  rowsPerInsert?: number
  /** Texts in double quotes, names without quotes, and the names of the columns in each statement. */
  isUnusual?: boolean
  order?: (names: string[]) => string[]
}

const HEADER =
  '-- MariaDB dump 10.19  Distrib 10.11.6-MariaDB\n/*!40111 SET @OLD_SQL_NOTES=@@SQL_NOTES, SQL_NOTES=0 */;\n'
const END = '/*!40111 SET SQL_NOTES=@OLD_SQL_NOTES */;\n-- Dump completed on 2026-01-01  0:00:00\n'

/** What mariadb-dump writes of the database. */
export function mysqlDump(database: SourceDatabase, style: DumpStyle = {}): Buffer {
  const { order = (names) => names, isUnusual = false, rowsPerInsert = 1000 } = style
  const parts: Buffer[] = [Buffer.from(HEADER)]
  const add = (text: string) => parts.push(Buffer.from(text))
  const name = (text: string) => (isUnusual ? text : `\`${text}\``)
  for (const table of order([...database.keys()])) {
    const { columns, rows } = database.get(table) as SourceTable
    const list = columns.map(([column, type]) => `  ${name(column)} ${type} DEFAULT NULL COMMENT 'a, (b) ; it''s'`)
    add(
      `DROP TABLE IF EXISTS ${name(table)};\nCREATE TABLE ${name(table)} (\n${list.join(',\n')},\n  KEY \`k\` (\`a\`)\n) ENGINE=InnoDB;\n`,
    )
    const into = isUnusual ? `${table} (${columns.map(([column]) => column).join(', ')})` : name(table)
    for (let at = 0; at < rows.length; at += rowsPerInsert) {
      add(`INSERT INTO ${into} VALUES\n`)
      rows.slice(at, at + rowsPerInsert).forEach((row, index) => {
        add(index === 0 ? '(' : ',\n(')
        row.forEach((value, column) => {
          if (column > 0) add(',')
          parts.push(mysqlValue(value, isBlob(columns[column]?.[1] ?? ''), style))
        })
        add(')')
      })
      add(';\n')
    }
  }
  add(END)
  return Buffer.concat(parts)
}

function isBlob(type: string) {
  return type.includes('blob')
}

const ESCAPED: Readonly<Record<number, string>> = {
  0: '\\0',
  10: '\\n',
  13: '\\r',
  26: '\\Z',
  34: '\\"',
  39: "\\'",
  92: '\\\\',
}

function mysqlValue(value: SourceValue, isBinary: boolean, { blobs = 'hex', isUnusual }: DumpStyle): Buffer {
  if (value === null || typeof value === 'number') return Buffer.from(String(value ?? 'NULL'))
  const bytes = Buffer.from(value as string)
  if (isBinary && blobs === 'hex')
    return Buffer.from(bytes.length === 0 ? "''" : `0x${bytes.toString('hex').toUpperCase()}`)
  const quote = isUnusual && !isBinary ? '"' : "'"
  const inner: Buffer[] = [...bytes].map((byte) => Buffer.from(ESCAPED[byte] ?? [byte]))
  return Buffer.concat([
    Buffer.from(`${isBinary && blobs === 'binary' ? '_binary ' : ''}${quote}`),
    ...inner,
    Buffer.from(quote),
  ])
}

/** What pg_dump --format=plain writes, with COPY or with INSERT. */
export function postgresDump(
  database: SourceDatabase,
  how: 'copy' | 'inserts' = 'copy',
  bytea: 'hex' | 'escape' = 'hex',
): Buffer {
  const parts: Buffer[] = [
    Buffer.from(
      "--\n-- PostgreSQL database dump\n--\n\\restrict abc\nSET standard_conforming_strings = on;\nSELECT pg_catalog.set_config('search_path', '', false);\n",
    ),
  ]
  const add = (text: string) => parts.push(Buffer.from(text))
  for (const [table, { columns, rows }] of database) {
    const list = columns.map(([column, type]) => `    ${column} ${postgresType(type)} DEFAULT ''::character varying`)
    add(`CREATE TABLE public.${table} (\n${list.join(',\n')}\n);\nALTER TABLE public.${table} OWNER TO bugs;\n`)
    const names = columns.map(([column]) => column).join(', ')
    if (how === 'copy') add(`COPY public.${table} (${names}) FROM stdin;\n`)
    for (const row of rows) {
      const cells = row.map((value, index) => ({ value, isBinary: isBlob(columns[index]?.[1] ?? '') }))
      if (how === 'copy') {
        parts.push(
          joined(
            cells.map(({ value, isBinary }) => copyValue(value, isBinary, bytea)),
            '\t',
          ),
          Buffer.from('\n'),
        )
      } else {
        add(`INSERT INTO public.${table} VALUES (`)
        parts.push(
          joined(
            cells.map(({ value, isBinary }) => insertValue(value, isBinary)),
            ', ',
          ),
          Buffer.from(');\n'),
        )
      }
    }
    if (how === 'copy') add('\\.\n\n')
  }
  add('--\n-- PostgreSQL database dump complete\n--\n\\unrestrict abc\n')
  return Buffer.concat(parts)
}

function joined(parts: Buffer[], separator: string) {
  return Buffer.concat(parts.flatMap((part, index) => (index === 0 ? [part] : [Buffer.from(separator), part])))
}

function postgresType(type: string) {
  return type
    .replace('longblob', 'bytea')
    .replace('mediumtext', 'text')
    .replace('datetime', 'timestamp(0) without time zone')
    .replace('int(11)', 'integer')
}

const COPIED: Readonly<Record<number, string>> = { 8: '\\b', 9: '\\t', 10: '\\n', 13: '\\r', 92: '\\\\' }

function copyValue(value: SourceValue, isBinary: boolean, bytea: 'hex' | 'escape'): Buffer {
  if (value === null) return Buffer.from('\\N')
  const bytes = isBinary
    ? Buffer.from(bytea === 'hex' ? `\\x${Buffer.from(value as string).toString('hex')}` : escaped(value as Buffer))
    : Buffer.from(typeof value === 'number' ? String(value) : (value as string))
  return Buffer.concat([...bytes].map((byte) => Buffer.from(COPIED[byte] ?? [byte])))
}

function escaped(bytes: Buffer) {
  const code = (byte: number) => `\\${byte.toString(8).padStart(3, '0')}`
  return [...bytes]
    .map((byte) => (byte === 92 ? '\\\\' : byte < 32 || byte > 126 ? code(byte) : String.fromCharCode(byte)))
    .join('')
}

function insertValue(value: SourceValue, isBinary: boolean): Buffer {
  if (value === null || typeof value === 'number') return Buffer.from(String(value ?? 'NULL'))
  const bytes = isBinary
    ? Buffer.from(`\\x${Buffer.from(value as string).toString('hex')}`)
    : Buffer.from(value as string)
  return Buffer.concat([
    Buffer.from("'"),
    ...[...bytes].map((byte) => Buffer.from(byte === 39 ? "''" : [byte])),
    Buffer.from("'"),
  ])
}

/** PostgreSQL has no NUL in texts. */
export function withoutNul(database: SourceDatabase): SourceDatabase {
  return new Map(
    [...database].map(([name, { columns, rows }]) => [
      name,
      {
        columns,
        rows: rows.map((row) => row.map((value) => (typeof value === 'string' ? value.replaceAll('\0', '') : value))),
      },
    ]),
  )
}
