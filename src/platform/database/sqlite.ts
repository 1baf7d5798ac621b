import { DatabaseSync, type StatementSync } from 'node:sqlite'
import { setImmediate as immediately, setTimeout as sleep } from 'node:timers/promises'
import type { Dialect } from '../dialects/dialect.ts'
import { sqliteDialect } from '../dialects/sqlite-dialect.ts'
import { addTextFunctions } from '../dialects/text-functions.ts'
import type { Builder, Compilable } from './builder.ts'
import type { Db } from './db.ts'
import { Announcements, Signals, type Topic } from './signals.ts'
import { SlowReads } from './slow-reads.ts'
import { RETURNING_ID, type Runnable, runnable, type Statement } from './statement.ts'
import { Courtesy, Traffic } from './traffic.ts'

type Value = string | number | null

/**
 * How somebody writes who need not have it done at once: without waiting for the disk. A commit then outlives a power cut as soon as
 * somebody else's does; it outlives the end of the process in any case.
 */
export interface Patience {
  /** Whoever writes there goes first; see `Db.traffic`. */
  readonly after: SharedArrayBuffer | undefined
}

/**
 * SQLite in this process. Reads and writes have a connection each: no read sees a transaction that is still open,
 * and no transaction holds up a read. Transactions go one after another.
 */
export function openSqlite(file: string, isShared = false, patience?: Patience): Db {
  const writer = new Connection(file)
  if (patience !== undefined) writer.connection.exec('pragma synchronous = normal; pragma wal_autocheckpoint = 1000')
  const reader = new Connection(file)
  // Pages are read where the system keeps them, without being copied.
  reader.connection.exec('pragma query_only = on; pragma mmap_size = 17179869184')
  return new SqliteDb(reader, new Writer(writer, patience?.after), new SlowReads(file), isShared)
}

class SqliteDb implements Db {
  readonly dialect = sqliteDialect
  private readonly reader: Connection
  private readonly writer: Writer
  private readonly slow: SlowReads
  private readonly others: OtherWriters
  private readonly isShared: boolean
  private readonly signals = new Signals()

  constructor(reader: Connection, writer: Writer, slow: SlowReads, isShared: boolean) {
    this.reader = reader
    this.writer = writer
    this.slow = slow
    this.isShared = isShared
    const everyMilliseconds = isShared ? LOOK_OFTEN_EVERY_MILLISECONDS : LOOK_EVERY_MILLISECONDS
    this.others = new OtherWriters(reader, everyMilliseconds, () => this.signals.ringAll())
  }

  get traffic() {
    return this.writer.traffic.shared
  }

  freshness() {
    return this.isShared ? undefined : this.writer.commits + this.others.seen
  }

  tell(topic: Topic) {
    this.signals.ring(topic)
  }

  async tellEverywhere(topic: Topic) {
    this.signals.ring(topic)
  }

  listen(topic: Topic, listener: () => void) {
    return this.signals.listen(topic, listener)
  }

  async all<Params extends object, Row>(statement: Statement<Params, Row>, params: Params): Promise<Row[]> {
    const compiled = statement.for(sqliteDialect)
    return this.rows<Row>(compiled, compiled.valuesFor(params))
  }

  async first<Params extends object, Row>(statement: Statement<Params, Row>, params: Params): Promise<Row | undefined> {
    const compiled = statement.for(sqliteDialect)
    if (compiled.writes) return (await this.all(statement, params))[0]
    return this.reader.runForOne(compiled, compiled.valuesFor(params)) as Row | undefined
  }

  async query<Row>(build: (builder: Builder, dialect: Dialect) => Compilable<Row>): Promise<Row[]> {
    const query = build(sqliteDialect.builder, sqliteDialect).compile()
    return this.rows<Row>(runnable(query), query.parameters)
  }

  async querySlowly<Row>(build: (builder: Builder, dialect: Dialect) => Compilable<Row>): Promise<Row[]> {
    const query = build(sqliteDialect.builder, sqliteDialect).compile()
    return (await this.slow.rows(query.sql, query.parameters)) as Row[]
  }

  async transaction<Result>(work: (tx: Db) => Promise<Result>): Promise<Result> {
    const announcements = new Announcements()
    const result = await this.writer.alone((connection) => work(new SqliteTransaction(connection, announcements)))
    announcements.ringIn(this.signals)
    return result
  }

  script(sql: string) {
    return this.writer.alone(async (connection) => connection.connection.exec(sql))
  }

  async close() {
    this.others.close()
    await this.slow.close()
    await this.writer.close()
    this.reader.connection.close()
  }

  private rows<Row>(statement: Runnable, values: readonly unknown[]): Promise<Row[]> | Row[] {
    if (!statement.writes) return this.reader.run(statement, values) as Row[]
    return this.writer.alone(async (connection) => connection.run(statement, values) as Row[])
  }
}

class SqliteTransaction implements Db {
  readonly dialect = sqliteDialect
  readonly traffic = undefined
  private readonly connection: Connection
  private readonly announcements: Announcements

  constructor(connection: Connection, announcements: Announcements) {
    this.connection = connection
    this.announcements = announcements
  }

  tell(topic: Topic) {
    this.announcements.add(topic)
  }

  async tellEverywhere(topic: Topic) {
    this.announcements.add(topic)
  }

  listen(): never {
    throw new Error('Nobody listens to a transaction')
  }

  async all<Params extends object, Row>(statement: Statement<Params, Row>, params: Params): Promise<Row[]> {
    const compiled = statement.for(sqliteDialect)
    return this.connection.run(compiled, compiled.valuesFor(params)) as Row[]
  }

  async first<Params extends object, Row>(statement: Statement<Params, Row>, params: Params): Promise<Row | undefined> {
    return (await this.all(statement, params))[0]
  }

  async query<Row>(build: (builder: Builder, dialect: Dialect) => Compilable<Row>): Promise<Row[]> {
    const query = build(sqliteDialect.builder, sqliteDialect).compile()
    return this.connection.run(runnable(query), query.parameters) as Row[]
  }

  querySlowly<Row>(build: (builder: Builder, dialect: Dialect) => Compilable<Row>): Promise<Row[]> {
    return this.query(build)
  }

  transaction<Result>(work: (tx: Db) => Promise<Result>): Promise<Result> {
    return work(this)
  }

  freshness() {
    return undefined
  }

  async script(sql: string) {
    this.connection.connection.exec(sql)
  }

  async close() {}
}

const MOST_STATEMENTS = 500

class Connection {
  readonly connection: DatabaseSync
  private readonly prepared = new Map<string, Prepared>()

  constructor(file: string) {
    this.connection = new DatabaseSync(file, { enableForeignKeyConstraints: true })
    this.connection.exec(
      'pragma busy_timeout = 5000; pragma synchronous = full; pragma cache_size = -16000; pragma wal_autocheckpoint = 20000',
    )
    this.keepJournalBeside()
    addTextFunctions(this.connection)
  }

  /** SQLite does not wait for others who open the same new file at the same moment, so it is asked until it can. */
  private keepJournalBeside() {
    for (let tries = 0; ; tries++) {
      try {
        return this.connection.exec('pragma journal_mode = wal')
      } catch (fault) {
        if (!isBusy(fault) || tries > LONGEST_WAIT_IN_TRIES) throw fault
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5)
      }
    }
  }

  run(statement: Runnable, values: readonly unknown[]): unknown[] {
    const prepared = this.prepare(statement)
    if (statement.givesId) return [{ id: Number(prepared.statement.run(...(values as Value[])).lastInsertRowid) }]
    if (!statement.returns) {
      prepared.statement.run(...(values as Value[]))
      return []
    }
    return prepared.statement.all(...(values as Value[])).map(prepared.rowOf)
  }

  runForOne(statement: Runnable, values: readonly unknown[]): unknown {
    const prepared = this.prepare(statement)
    const found = prepared.statement.get(...(values as Value[]))
    return found === undefined ? undefined : prepared.rowOf(found)
  }

  private prepare({ sql, returns, givesId }: Runnable): Prepared {
    const known = this.prepared.get(sql)
    if (known) return known
    if (this.prepared.size >= MOST_STATEMENTS) this.prepared.clear()
    // SQLite tells the id of a new row anyway; to have it returned as a row of its own makes the statement half as long again.
    const prepared = givesId
      ? preparedFrom(this.connection.prepare(sql.slice(0, -RETURNING_ID.length)), false)
      : preparedFrom(this.connection.prepare(sql), returns)
    this.prepared.set(sql, prepared)
    return prepared
  }
}

interface Prepared {
  statement: StatementSync
  rowOf(values: unknown): unknown
}

/** Rows come as lists of values and get their names here, which is quicker than to have each name made anew for each row. */
function preparedFrom(statement: StatementSync, returns: boolean): Prepared {
  const names = returns ? statement.columns().map(({ name }) => name) : []
  if (returns) statement.setReturnArrays(true)
  return { statement, rowOf: rowMaker(names) }
}

/** A function of its own for the columns of a statement: an object whose fields are known beforehand is made many times quicker. */
function rowMaker(names: readonly string[]): Prepared['rowOf'] {
  const fields = names.map((name, place) => `${JSON.stringify(name)}: values[${place}]`)
  return new Function('values', `return { ${fields.join(', ')} }`) as Prepared['rowOf']
}

/** Somebody's transaction, in the queue for the one connection that writes. */
interface Turn {
  work(connection: Connection): Promise<unknown>
  settle(outcome: Outcome): void
}

/** What came of it: made known when it is known for good. */
type Outcome = { result: unknown } | { fault: unknown }

/**
 * The one connection that writes, lent to one transaction at a time. Those that wait for one another are made durable together: they see
 * each other's changes, each can fail alone, and nobody is told anything before all that went before is on the disk.
 */
class Writer {
  /** How often something was written through it. */
  commits = 0
  readonly traffic = new Traffic()
  private readonly courtesy: Courtesy | undefined
  private readonly connection: Connection
  private waiting: Turn[] = []
  private working: Promise<void> | undefined

  constructor(connection: Connection, after?: SharedArrayBuffer) {
    this.connection = connection
    this.courtesy = after && new Courtesy(new Traffic(after))
    // Waiting for another process is done between tries (see begin), not inside SQLite, where it would stop everything here. What a turn
    // may have to take back is kept in memory; as a file it was made anew for nearly every commit.
    connection.connection.exec('pragma busy_timeout = 0; pragma temp_store = memory')
  }

  alone<Result>(work: (connection: Connection) => Promise<Result>): Promise<Result> {
    return new Promise((resolve, reject) => {
      const settle = (outcome: Outcome) =>
        'fault' in outcome ? reject(outcome.fault) : resolve(outcome.result as Result)
      this.waiting.push({ work, settle })
      this.working ??= this.takeTurns()
    })
  }

  async close() {
    await this.working
    this.connection.connection.close()
  }

  private async takeTurns() {
    while (this.waiting.length > 0) {
      this.traffic.note()
      await this.together()
    }
    this.traffic.note()
    this.working = undefined
  }

  /** One commit: whoever waits already, and whoever comes while they are at it, as far as that keeps nobody waiting for long. */
  private async together() {
    const { connection } = this.connection
    const done: [Turn, Outcome][] = []
    try {
      await this.begin()
      const until = performance.now() + LONGEST_TOGETHER_MILLISECONDS
      let isLastCall = false
      do {
        const turn = this.waiting.shift() as Turn
        const it: [Turn, Outcome] = [turn, { fault: undefined }]
        done.push(it)
        it[1] = await this.outcomeOf(turn, done.length > 1)
        if (this.waiting.length === 0 && done.length > 1 && !isLastCall) {
          isLastCall = true
          await this.callIn()
        }
      } while (connection.isTransaction && this.waiting.length > 0 && performance.now() < until)
      if (connection.isTransaction) connection.exec('commit')
      this.commits++
    } catch (fault) {
      if (connection.isTransaction) connection.exec('rollback')
      if (done.length === 0) this.waiting.shift()?.settle({ fault })
      for (const [turn] of done) turn.settle({ fault })
      return
    }
    for (const [turn, outcome] of done) turn.settle(outcome)
  }

  /**
   * Where several came at once, more have come meanwhile, and are still in front of the door: whoever waits there is read on the first
   * turn of the event loop and served on the second.
   */
  private async callIn() {
    for (let turns = 0; turns < 2; turns++) await immediately()
  }

  /** Whoever fails leaves nothing; the first one takes the whole transaction back, which nobody else has a part in yet. */
  private async outcomeOf(turn: Turn, isInCompany: boolean): Promise<Outcome> {
    const { connection } = this.connection
    try {
      if (isInCompany) connection.exec('savepoint turn')
      const result = await turn.work(this.connection)
      // Whoever goes on after SQLite has taken everything back would be told that it is done.
      if (!connection.isTransaction) throw new Error('The transaction ended before its work did')
      if (isInCompany) connection.exec('release turn')
      return { result }
    } catch (fault) {
      // Where SQLite has taken everything back by itself, the others have failed as well.
      if (!connection.isTransaction && isInCompany) throw fault
      if (connection.isTransaction) connection.exec(isInCompany ? 'rollback to turn; release turn' : 'rollback')
      return { fault }
    }
  }

  private async begin() {
    await this.courtesy?.giveWay()
    for (let tries = 0; ; tries++) {
      try {
        return this.connection.connection.exec('begin immediate')
      } catch (fault) {
        if (!isBusy(fault) || tries > LONGEST_WAIT_IN_TRIES) throw fault
        // Most often another thread of this server has it, for less than a millisecond.
        await (tries < BRIEF_TRIES ? immediately() : sleep(pauseAfter(tries - BRIEF_TRIES)))
      }
    }
  }
}

/** How long transactions are gathered for one commit. */
const LONGEST_TOGETHER_MILLISECONDS = 20

const LOOK_EVERY_MILLISECONDS = 500
/** Where several processes write, each learns of the others' changes only by looking. It takes some microseconds. */
const LOOK_OFTEN_EVERY_MILLISECONDS = 100

/** Nobody else should write to the file of a server, but somebody may (a restore, a repair by hand), and is noticed soon. */
class OtherWriters {
  seen = 0
  private readonly timer: NodeJS.Timeout

  constructor(reader: Connection, everyMilliseconds: number, noticed: () => void) {
    const version = reader.connection.prepare('pragma data_version')
    let last = version.get()?.data_version
    this.timer = setInterval(() => {
      const now = version.get()?.data_version
      if (now === last) return
      last = now
      this.seen++
      noticed()
    }, everyMilliseconds)
    this.timer.unref()
  }

  close() {
    clearInterval(this.timer)
  }
}

/** A few milliseconds are what other threads of this server take; another process may take longer. */
function pauseAfter(tries: number) {
  return 1 + Math.random() * Math.min(tries / 10, 20)
}

const LONGEST_WAIT_IN_TRIES = 3000
const BRIEF_TRIES = 50

function isBusy(fault: unknown) {
  return ((fault as { errcode?: number }).errcode ?? 0) % 256 === 5
}
