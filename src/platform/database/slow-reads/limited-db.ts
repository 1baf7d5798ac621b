import type { Dialect } from '../../dialects/dialect.ts'
import { isTurnLong, laterTurn } from '../../monitoring/event-loop.ts'
import type { Db, LimitedDb, TransactionKind, TransactionOf, WriteCheck } from '../db.ts'
import type { SignalTopic } from '../signals.ts'
import type { Builder, Compilable } from '../statements/builder.ts'
import type { Statement } from '../statements/statement.ts'
import type { ReadLimits } from './read-limits.ts'

/** Delegates to another Db, and adds the limits of one request to each slow read. */
export class DbWithLimits implements LimitedDb {
  private readonly db: Db
  readonly limits: ReadLimits

  constructor(db: Db, limits: ReadLimits) {
    this.db = db
    this.limits = limits
  }

  get dialect() {
    return this.db.dialect
  }

  get traffic() {
    return this.db.traffic
  }

  /** The SQL of a slow read may be long, and many requests may write theirs at the same moment. */
  async querySlowly<Row>(build: (builder: Builder, dialect: Dialect) => Compilable<Row>): Promise<Row[]> {
    if (isTurnLong()) await laterTurn(this.limits.caller)
    return this.db.querySlowly(build, this.limits)
  }

  within(limits: ReadLimits) {
    return new DbWithLimits(this.db, limits)
  }

  all<Params extends object, Row>(statement: Statement<Params, Row>, params: Params) {
    return this.db.all(statement, params)
  }

  allOfFewRows<Params extends object, Row>(statement: Statement<Params, Row>, params: Params) {
    return this.db.allOfFewRows(statement, params, this.limits)
  }

  first<Params extends object, Row>(statement: Statement<Params, Row>, params: Params) {
    return this.db.first(statement, params)
  }

  firstCached<Params extends object, Row>(statement: Statement<Params, Row>, key: string, params: Params) {
    return this.db.firstCached(statement, key, params)
  }

  query<Row>(build: (builder: Builder, dialect: Dialect) => Compilable<Row>) {
    return this.db.query(build)
  }

  transaction<Result, Kind extends TransactionKind | undefined, Opened>(
    work: (tx: TransactionOf<Kind>, opened: Opened | undefined) => Promise<Result>,
    kind?: Kind,
    opening?: Statement<object, Opened>,
  ) {
    return this.db.transaction(work, kind, opening)
  }

  refuseWrites(error: Error | undefined) {
    this.db.refuseWrites(error)
  }

  checkWrites<Row>(check: WriteCheck<Row>) {
    this.db.checkWrites(check)
  }

  slowReads() {
    return this.db.slowReads()
  }

  connections() {
    return this.db.connections()
  }

  freshness() {
    return this.db.freshness()
  }

  signal(topic: SignalTopic) {
    this.db.signal(topic)
  }

  signalEverywhere(topic: SignalTopic) {
    return this.db.signalEverywhere(topic)
  }

  listen(topic: SignalTopic, listener: () => void) {
    return this.db.listen(topic, listener)
  }

  script(sql: string) {
    return this.db.script(sql)
  }

  close() {
    return this.db.close()
  }
}
