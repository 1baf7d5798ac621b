import { DatabaseSync, type StatementSync } from 'node:sqlite'
import { parentPort, workerData } from 'node:worker_threads'
import { addTextFunctions } from '../dialects/text-functions.ts'
import type { SlowRead, SlowReply } from './slow-read.ts'

const { file, isCancelled } = workerData as { file: string; isCancelled: Int32Array }
const db = new DatabaseSync(file, { readOnly: true })
let until = 0
addTextFunctions(db, hasTime)
db.exec('pragma busy_timeout = 5000; pragma query_only = on; pragma cache_size = -16000')

/** A search that is carried out in several parts runs the same statement for each. */
const statements = new Map<string, StatementSync>()
const MOST_STATEMENTS = 30

parentPort?.on('message', ({ sql, values, milliseconds }: SlowRead) => {
  until = performance.now() + milliseconds
  parentPort?.postMessage(replyTo(sql, values))
})

function hasTime() {
  return performance.now() < until && Atomics.load(isCancelled, 0) === 0
}

function replyTo(sql: string, values: readonly unknown[]): SlowReply {
  try {
    return { rows: prepared(sql).all(...(values as (string | number | null)[])) }
  } catch (fault) {
    return { fault: (fault as Error).message, isLate: !hasTime() }
  }
}

function prepared(sql: string): StatementSync {
  const known = statements.get(sql)
  if (known) return known
  if (statements.size >= MOST_STATEMENTS) statements.clear()
  const statement = db.prepare(sql)
  statements.set(sql, statement)
  return statement
}
