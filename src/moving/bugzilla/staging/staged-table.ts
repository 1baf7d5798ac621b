import type { DatabaseSync, StatementSync } from 'node:sqlite'
import { type DumpColumn, type DumpValue, UnreadableDump } from '../dump/dump-value.ts'
import { decodeText } from './decode-text.ts'
import { isIntegerName } from './passing-tables.ts'

export type StagedValue = null | number | string | Uint8Array

const INTEGER_TYPE = /^(?:tiny|small|medium|big)?int|^serial|^bigserial|^smallserial|^boolean/
const BINARY_TYPE = /blob|binary|bytea/
const BINARY_COLUMNS: ReadonlySet<string> = new Set(['attach_data.thedata'])

type Converter = (value: DumpValue) => StagedValue

/** How rows with a list of columns are inserted. */
interface Form {
  readonly insert: StatementSync
  readonly converters: readonly Converter[]
  /** The position of the key column; -1 if there is none. */
  readonly keyIndex: number
}

/** One table while it is staged. */
export class StagedTable {
  readonly names: readonly string[]
  private readonly name: string
  private readonly db: DatabaseSync
  private readonly columns: readonly DumpColumn[]
  private readonly note: StatementSync
  /** The statement and the converters for each list of columns that rows come with. */
  private readonly forms = new Map<string, Form>()
  /** The first value of the row that is being inserted. */
  private first: DumpValue = null
  private last: { columns: readonly string[] | undefined; form: Form } | undefined
  /** The column that numbers the rows, if it is one. */
  private readonly keyColumn: string | undefined
  private lastKey = Number.NEGATIVE_INFINITY
  /** Whether the numbers of the rows have only grown so far, so that none can be there twice. */
  isAscending = true
  hasRows = false

  constructor(db: DatabaseSync, name: string, columns: readonly DumpColumn[], keyColumn: string | undefined) {
    this.db = db
    this.keyColumn = keyColumn
    this.name = name
    this.columns = columns.map((column) => ({ ...column, name: column.name.toLowerCase() }))
    this.names = this.columns.map((column) => column.name)
    const affinities = this.columns.map((column) => `${quoted(column.name)} ${affinityOf(column)}`)
    if (new Set(this.names).size !== this.names.length || this.names.length === 0)
      throw new UnreadableDump(`The table ${name} of the dump has no usable list of columns.`)
    db.exec(`create table ${quoted(`dump_${name}`)} (${affinities.join(', ')})`)
    this.note = db.prepare('insert into notes (source, key, note) values (?, ?, ?)')
  }

  insert(columns: readonly string[] | undefined, values: readonly DumpValue[]) {
    const { insert, converters, keyIndex } = this.formFor(columns)
    if (converters.length !== values.length)
      throw new UnreadableDump(
        `A row of the table ${this.name} has ${values.length} values, but ${converters.length} columns: the dump is damaged.`,
      )
    this.first = values[0] ?? null
    const row = new Array<StagedValue>(converters.length)
    for (let index = 0; index < row.length; index++)
      row[index] = (converters[index] as Converter)(values[index] as DumpValue)
    if (this.isAscending) this.noteKey(row[keyIndex])
    insert.run(...row)
    this.hasRows = true
  }

  drop() {
    this.db.exec(`drop table ${quoted(`dump_${this.name}`)}`)
  }

  private noteKey(key: StagedValue | undefined) {
    this.isAscending = typeof key === 'number' && key > this.lastKey
    if (this.isAscending) this.lastKey = key as number
  }

  private formFor(columns: readonly string[] | undefined): Form {
    // All rows of a statement have the same list.
    if (this.last !== undefined && this.last.columns === columns) return this.last.form
    const form = this.knownForm(columns)
    this.last = { columns, form }
    return form
  }

  private knownForm(columns: readonly string[] | undefined): Form {
    const listed = columns?.join('\n') ?? ''
    const known = this.forms.get(listed)
    if (known) return known
    const names = columns?.map((column) => column.toLowerCase()) ?? this.names
    const unknown = names.find((name) => !this.names.includes(name))
    if (unknown !== undefined)
      throw new UnreadableDump(
        `The dump has rows with a column ${unknown}, which the table ${this.name} does not have.`,
      )
    const insert = this.db.prepare(
      `insert into ${quoted(`dump_${this.name}`)} (${names.map(quoted).join(', ')}) values (${names.map(() => '?').join(', ')})`,
    )
    const converters = names.map((name) => this.converterFor(this.columns.find((it) => it.name === name) as DumpColumn))
    const form = { insert, converters, keyIndex: names.indexOf(this.keyColumn ?? '') }
    this.forms.set(listed, form)
    return form
  }

  private converterFor({ name, type }: DumpColumn): Converter {
    if (type.startsWith('bytea')) return bytea
    if (BINARY_TYPE.test(type) || BINARY_COLUMNS.has(`${this.name}.${name}`)) return binary
    if (type.startsWith('boolean')) return boolean
    const isInteger = affinityOf({ name, type }) === 'integer'
    return (value) => {
      if (value === null || typeof value === 'number') return value
      if (typeof value === 'string') {
        if (isInteger && INTEGER.test(value)) return Number(value)
        if (isInteger && DIGITS.test(value)) {
          this.note.run(
            this.name,
            keyText(this.first),
            `${name} was ${value.slice(0, 40)}, which is too large; it is empty now`,
          )
          return null
        }
        if (!value.includes('\0')) return value
        value = { bytes: Buffer.from(value), isBinary: false }
      }
      const { text, oddity } = decodeText(value.bytes)
      if (oddity !== undefined) this.note.run(this.name, keyText(this.first), `${name} ${oddity}`)
      return text
    }
  }
}

function keyText(first: DumpValue): string {
  return first !== null && typeof first === 'object' ? first.bytes.toString('latin1', 0, 60) : String(first ?? '')
}

function affinityOf({ name, type }: DumpColumn) {
  if (BINARY_TYPE.test(type)) return ''
  if (type === '') return isIntegerName(name) ? 'integer' : ''
  return INTEGER_TYPE.test(type) ? 'integer' : 'text'
}

/** Short enough for a number without loss. */
const INTEGER = /^-?\d{1,15}$/
const DIGITS = /^\s*[-+]?\d+(?:\.0*)?\s*$/

function boolean(value: DumpValue): StagedValue {
  if (typeof value !== 'string') return value === null || typeof value === 'number' ? value : 1
  return value === 'f' || value === 'false' || value === '0' ? 0 : 1
}

const ESCAPES = /\\(\\|[0-7]{3})/g

/** Servers with `bytea_output = escape` write `Hello\\000` instead of hexadecimal digits. */
function bytea(value: DumpValue): StagedValue {
  const bytes = binary(value)
  const text =
    typeof value === 'string' ? value : value === null || typeof value === 'number' ? '' : latin1(value.bytes)
  if (!(bytes instanceof Uint8Array) || text.startsWith('\\x') || !text.includes('\\')) return bytes
  const plain = text.replaceAll(ESCAPES, (_, code: string) =>
    code === '\\' ? code : String.fromCharCode(Number.parseInt(code, 8)),
  )
  return Buffer.from(plain, 'latin1')
}

function latin1(bytes: Buffer) {
  return bytes.toString('latin1')
}

/** PostgreSQL writes binary values as the text `\x48656c6c6f`. */
function binary(value: DumpValue): StagedValue {
  if (value === null || typeof value === 'number') return value
  if (typeof value === 'string')
    return value.startsWith('\\x') ? Buffer.from(value.slice(2), 'hex') : Buffer.from(value)
  const { bytes, isBinary } = value
  const isHexText = !isBinary && bytes.length >= 2 && bytes[0] === 0x5c && bytes[1] === 0x78
  return isHexText ? Buffer.from(bytes.toString('latin1', 2), 'hex') : bytes
}

function quoted(name: string) {
  return `"${name.replaceAll('"', '""')}"`
}
