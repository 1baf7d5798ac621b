import type { CompiledQuery } from 'kysely'
import type { Dialect } from '../../dialects/dialect.ts'
import type { LimitedDb } from '../db.ts'
import type { Builder, Compilable } from '../statements/builder.ts'
import type { Statement } from '../statements/statement.ts'
import { DbWithLimits } from './limited-db.ts'
import { TextScan } from './text-scan.ts'

/** A statement that was run, with all its runs. */
export interface RecordedStatement {
  readonly sql: string
  runs: number
  /** Of all runs, waiting included. */
  milliseconds: number
  /** How the engine carries it out, in its own words. */
  plan: readonly string[]
}

type Build<Row> = (builder: Builder, dialect: Dialect) => Compilable<Row>

/** Passes everything on to another database, and records the queries whose text depends on the request. */
export class RecordingDb extends DbWithLimits {
  private readonly recorded = new Map<string, RecordedStatement & { readonly query: CompiledQuery }>()

  constructor(db: LimitedDb) {
    super(db, db.limits)
  }

  override query<Row>(build: Build<Row>): Promise<Row[]> {
    return this.record(build, (same) => super.query(same))
  }

  override querySlowly<Row>(build: Build<Row>): Promise<Row[]> {
    return this.record(build, (same) => super.querySlowly(same))
  }

  override async allOfFewRows<Params extends object, Row>(statement: Statement<Params, Row>, params: Params) {
    const { sql, valuesFor } = statement.for(this.dialect)
    const started = performance.now()
    const rows = await super.allOfFewRows(statement, params)
    const query = { sql, parameters: valuesFor(params) } as unknown as CompiledQuery
    this.note(query, performance.now() - started)
    return rows
  }

  /** All statements, each once, in the order of their first runs. */
  async statements(): Promise<RecordedStatement[]> {
    const statements: RecordedStatement[] = []
    for (const { query, ...statement } of this.recorded.values())
      statements.push({ ...statement, plan: await this.planOf(query) })
    return statements
  }

  private async record<Row>(build: Build<Row>, run: (build: Build<Row>) => Promise<Row[]>): Promise<Row[]> {
    const query = build(this.dialect.builder, this.dialect).compile()
    const started = performance.now()
    const rows = await run(() => ({ compile: () => query }))
    const milliseconds = performance.now() - started
    for (const part of [...scansOf(query), query]) this.note(part, part === query ? milliseconds : 0)
    return rows
  }

  /** Estimates, which are plans themselves, have none. */
  private note(query: CompiledQuery, milliseconds: number) {
    if (query.sql.startsWith('explain ')) return
    const known = this.recorded.get(query.sql) ?? { sql: query.sql, runs: 0, milliseconds: 0, plan: [], query }
    known.runs += 1
    known.milliseconds += milliseconds
    this.recorded.set(query.sql, known)
  }

  private async planOf(query: CompiledQuery): Promise<readonly string[]> {
    const parameters = query.parameters.map((value) => (value instanceof TextScan ? '[]' : value))
    const explained = { ...query, sql: this.dialect.explained(query.sql), parameters }
    const rows = await super.querySlowly<Record<string, unknown>>(() => ({
      compile: () => explained as CompiledQuery<Record<string, unknown>>,
    }))
    return this.dialect.planIn(rows)
  }
}

/** The reads of texts that run before a query; their time is part of its time. */
function scansOf(query: CompiledQuery): CompiledQuery[] {
  const scans = query.parameters.filter((value) => value instanceof TextScan)
  return scans.map(({ rows }) => ({ ...query, sql: rows.sql, parameters: rows.values }))
}
