import type { Dialect } from '../../dialects/dialect.ts'
import type { Db, LimitedDb, TransactionKind, TransactionOf, WriteCheck } from '../db.ts'
import type { SignalTopic } from '../signals.ts'
import { DbWithLimits } from '../slow-reads/limited-db.ts'
import type { ReadLimits } from '../slow-reads/read-limits.ts'
import type { Builder, Compilable } from '../statements/builder.ts'
import { runnable, type Statement } from '../statements/statement.ts'
import { isUnavailable } from '../unavailable.ts'
import type { Replica } from './replica.ts'

type Build<Row> = (builder: Builder, dialect: Dialect) => Compilable<Row>

/**
 * The database for one request: reads go to a standby, writes to the primary. After a write, and if the standby fails, the rest of the
 * request reads from the primary, which is never behind.
 */
export class ReplicaReads implements Db {
  readonly traffic = undefined
  private readonly primary: Db
  private replica: Replica | undefined

  constructor(primary: Db, replica: Replica) {
    this.primary = primary
    this.replica = replica
  }

  get dialect() {
    return this.primary.dialect
  }

  all<Params extends object, Row>(statement: Statement<Params, Row>, params: Params): Promise<Row[]> {
    return this.onFit(statement.for(this.dialect).writes, (db) => db.all(statement, params))
  }

  async first<Params extends object, Row>(statement: Statement<Params, Row>, params: Params): Promise<Row | undefined> {
    return (await this.all(statement, params))[0]
  }

  firstCached<Params extends object, Row>(statement: Statement<Params, Row>, _key: string, params: Params) {
    return this.first(statement, params)
  }

  allOfFewRows<Params extends object, Row>(statement: Statement<Params, Row>, params: Params, limits: ReadLimits) {
    return this.onFit(false, (db) => db.allOfFewRows(statement, params, limits))
  }

  query<Row>(build: Build<Row>): Promise<Row[]> {
    const compiled = build(this.dialect.builder, this.dialect).compile()
    return this.onFit(runnable(compiled).writes, (db) => db.query(() => ({ compile: () => compiled })))
  }

  querySlowly<Row>(build: Build<Row>, limits: ReadLimits): Promise<Row[]> {
    return this.onFit(false, (db) => db.querySlowly(build, limits))
  }

  within(limits: ReadLimits): LimitedDb {
    return new DbWithLimits(this, limits)
  }

  transaction<Result, Kind extends TransactionKind | undefined, Opened>(
    work: (tx: TransactionOf<Kind>, opened: Opened | undefined) => Promise<Result>,
    kind?: Kind,
    opening?: Statement<object, Opened>,
  ): Promise<Result> {
    return this.onFit(true, (db) => db.transaction(work, kind, opening))
  }

  script(sql: string) {
    return this.onFit(true, (db) => db.script(sql))
  }

  refuseWrites(error: Error | undefined) {
    this.primary.refuseWrites(error)
  }

  checkWrites<Row>(check: WriteCheck<Row>) {
    this.primary.checkWrites(check)
  }

  slowReads() {
    return this.primary.slowReads()
  }

  connections() {
    return this.primary.connections()
  }

  freshness() {
    return undefined
  }

  signal(topic: SignalTopic) {
    this.primary.signal(topic)
  }

  signalEverywhere(topic: SignalTopic) {
    return this.primary.signalEverywhere(topic)
  }

  listen(topic: SignalTopic, listener: () => void) {
    return this.primary.listen(topic, listener)
  }

  async close() {}

  private async onFit<Result>(writes: boolean, work: (db: Db) => Promise<Result>): Promise<Result> {
    const { replica } = this
    if (writes) this.replica = undefined
    if (writes || replica === undefined) return work(this.primary)
    try {
      return await replica.run(work)
    } catch (fault) {
      if (!isOfStandby(fault)) throw fault
      this.replica = undefined
      if (isUnavailable(fault)) replica.leaveOut('a read failed')
      return work(this.primary)
    }
  }
}

/** A standby ends a read that keeps it from replaying what the primary has removed. */
const ENDED_BY_REPLAY = ['40001', '40P01']

/** Whether the same read may succeed on the primary. */
function isOfStandby(fault: unknown): boolean {
  return isUnavailable(fault) || ENDED_BY_REPLAY.includes((fault as { code?: string }).code ?? '')
}
