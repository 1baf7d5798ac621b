import { DatabaseSync } from 'node:sqlite'
import { parentPort, workerData } from 'node:worker_threads'
import { addTextFunctions } from '../dialects/text-functions.ts'
import type { SlowRead, SlowReply } from './slow-read.ts'

const db = new DatabaseSync(workerData as string, { readOnly: true })
let until = 0
addTextFunctions(db, () => performance.now() < until)
db.exec('pragma busy_timeout = 5000; pragma query_only = on; pragma cache_size = -32000')

parentPort?.on('message', ({ sql, values, milliseconds }: SlowRead) => {
  until = performance.now() + milliseconds
  parentPort?.postMessage(replyTo(sql, values))
})

function replyTo(sql: string, values: readonly unknown[]): SlowReply {
  try {
    return { rows: db.prepare(sql).all(...(values as (string | number | null)[])) }
  } catch (fault) {
    return { fault: (fault as Error).message, isLate: performance.now() >= until }
  }
}
