import { type CompiledQuery, type Expression, type InsertQueryNode, ValuesNode } from 'kysely'
import type { Dialect } from '../../dialects/dialect.ts'
import { type Guard, guardOf } from '../transactions/transaction-kinds.ts'
import type { Builder, Compilable } from './builder.ts'

/** The position of a parameter in a statement that is built once and run often. */
class Slot {
  readonly name: string
  constructor(name: string) {
    this.name = name
  }
}

/**
 * A parameter while its statement is built, when it has no value yet: it is allowed only where SQL takes a value. It is
 * callable only so that the compiler rejects it as a condition; `(p.name ? a : b)` would always choose `a`.
 */
export type Placeholder<Value> = Expression<Value> & (() => never)
export type Placeholders<Params> = { readonly [Name in keyof Params]-?: Placeholder<Params[Name]> }

const slots = new Proxy({}, { get: (_, name) => new Slot(String(name)) })

/** A statement as an engine runs it. */
export interface Runnable {
  readonly sql: string
  readonly writes: boolean
  readonly returns: boolean
  /** Inserts one row and returns only its id. */
  readonly givesId: boolean
  /** Built once and run often, so that a connection keeps it prepared. */
  readonly isReused: boolean
}

interface Compiled extends Runnable {
  /** The kind of transaction that it must run in; undefined if it may run anywhere. */
  readonly guard: Guard | undefined
  valuesFor(params: object): unknown[]
}

/**
 * SQL whose text does not change: compiled on first use, then only bound and run.
 *
 *     const byLogin = statement<{ key: string }>()((q, p) => q.selectFrom('users').selectAll().where('login_key', '=', p.key))
 *     const user = await db.first(byLogin, { key: fold(login) })
 */
export function statement<Params extends object>(planning?: StatementPlanning) {
  return <Row>(build: (builder: Builder, params: Placeholders<Params>, dialect: Dialect) => Compilable<Row>) =>
    new Statement<Params, Row>(build, planning)
}

/** For a statement whose best plan depends on the values: PostgreSQL plans it each time. SQLite plans without values. */
export type StatementPlanning = 'planned for its values'

export class Statement<Params extends object, Row> {
  declare readonly row: Row
  private readonly build: (builder: Builder, params: Placeholders<Params>, dialect: Dialect) => Compilable<Row>
  private readonly compiled = new Map<Dialect, Compiled>()
  private readonly isReused: boolean

  constructor(
    build: (builder: Builder, params: Placeholders<Params>, dialect: Dialect) => Compilable<Row>,
    planning?: StatementPlanning,
  ) {
    this.build = build
    this.isReused = planning === undefined
  }

  for(dialect: Dialect): Compiled {
    const known = this.compiled.get(dialect)
    if (known) return known
    const query = this.build(dialect.builder, slots as Placeholders<Params>, dialect).compile()
    const values = query.parameters
    const names = values.map((value) => (value instanceof Slot ? value.name : undefined))
    const valuesFor = (params: object) =>
      names.map((name, index) => (name === undefined ? values[index] : params[name as never]))
    const sql = dialect.plannedOnce(query.sql)
    const compiled = { ...runnable(query, this.isReused), sql, guard: guardOf(query.query), valuesFor }
    this.compiled.set(dialect, compiled)
    return compiled
  }
}

export function runnable(query: CompiledQuery<unknown>, isReused = false): Runnable {
  const { kind } = query.query
  const returning = 'returning' in query.query && query.query.returning !== undefined
  const writes = kind === 'InsertQueryNode' || kind === 'UpdateQueryNode' || kind === 'DeleteQueryNode'
  return { sql: query.sql, writes, returns: !writes || returning, givesId: givesId(query), isReused }
}

function givesId({ query, sql }: CompiledQuery<unknown>) {
  if (query.kind !== 'InsertQueryNode' || !sql.endsWith(RETURNING_ID)) return false
  const { values, onConflict } = query as InsertQueryNode
  return values !== undefined && ValuesNode.is(values) && values.values.length === 1 && onConflict === undefined
}

export const RETURNING_ID = ' returning "id"'
