import type { CompiledQuery, Kysely } from 'kysely'
import type { Database } from './tables.ts'

/** Writes SQL and never runs it. */
export type Builder = Kysely<Database>

export interface Compilable<Row> {
  compile(): CompiledQuery<Row>
}
