import type { CompiledQuery, Expression, Kysely } from 'kysely'
import type { Database } from '../tables.ts'

/** Builds SQL and never runs it. */
export type Builder = Kysely<Database>

/** What SQL accepts in place of a value: the value, or an expression that yields it. */
export type SqlValue<Value> = Value | Expression<Value>
export type SqlValues<Params> = { readonly [Name in keyof Params]: SqlValue<Params[Name]> }

export interface Compilable<Row> {
  compile(): CompiledQuery<Row>
}
