import { DatabaseSync, type StatementSync } from 'node:sqlite'
import { parentPort, workerData } from 'node:worker_threads'
import { addTextFunctions } from '../../dialects/sqlite-text-functions.ts'
import { RowTexts } from '../../dialects/text-tests.ts'
import type { ThreadReply } from './slow-read.ts'
import type { ScannedRows, ScanResult, ThreadRead } from './text-scan.ts'

const { file, isCancelled } = workerData as { file: string; isCancelled: Int32Array }
const db = new DatabaseSync(file, { readOnly: true })
let until = 0
addTextFunctions(db, hasTime)
db.exec('pragma busy_timeout = 5000; pragma query_only = on; pragma cache_size = -16000')

/** A search in several parts runs the same statement for each part. */
const statements = new Map<string, StatementSync>()
const MOST_STATEMENTS = 30

parentPort?.on('message', (read: ThreadRead) => {
  until = performance.now() + read.milliseconds
  parentPort?.postMessage(replyTo(read))
})

function hasTime() {
  return performance.now() < until && Atomics.load(isCancelled, 0) === 0
}

function replyTo({ sql, values, scans }: ThreadRead): ThreadReply {
  try {
    const found = scans.map(scan)
    const known = values.map((value) => (isScanResult(value) ? found[value.scan]?.[value.tree] : value))
    return { rows: prepared(sql).all(...(known as Value[])) }
  } catch (fault) {
    const { message, errcode } = fault as Error & { errcode?: number }
    return { fault: { message, ...(errcode !== undefined && { errcode }) }, isLate: !hasTime() }
  }
}

function isScanResult(value: unknown): value is ScanResult {
  return typeof value === 'object' && value !== null && 'scan' in value
}

/** For each condition, the ids of the matching rows as JSON. Only one row at a time is in memory. */
function scan({ sql, values, trees }: ScannedRows): string[] {
  const found = trees.map(() => new Set<number>())
  const statement = prepared(sql)
  statement.setReturnArrays(true)
  for (const row of statement.iterate(...(values as Value[]))) {
    const [id, ...texts] = row as unknown as [number, ...unknown[]]
    const rowTexts = new RowTexts(texts)
    for (const [index, tree] of trees.entries()) {
      if (!hasTime()) throw new Error('The time limit of this read is over')
      const ids = found[index] as Set<number>
      if (!ids.has(id) && rowTexts.hold(tree)) ids.add(id)
    }
  }
  return found.map((ids) => JSON.stringify([...ids]))
}

type Value = string | number | null

function prepared(sql: string): StatementSync {
  const known = statements.get(sql)
  if (known) return known
  if (statements.size >= MOST_STATEMENTS) statements.clear()
  const statement = db.prepare(sql)
  statements.set(sql, statement)
  return statement
}
