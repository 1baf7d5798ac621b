import { DatabaseSync } from 'node:sqlite'
import { parentPort, workerData } from 'node:worker_threads'
import { addTextFunctions } from '../dialects/text-functions.ts'

const db = new DatabaseSync(workerData as string, { readOnly: true })
addTextFunctions(db)
db.exec('pragma busy_timeout = 5000; pragma query_only = on; pragma cache_size = -32000')

parentPort?.on('message', ({ sql, values }: { sql: string; values: (string | number | null)[] }) => {
  try {
    parentPort?.postMessage({ rows: db.prepare(sql).all(...values) })
  } catch (fault) {
    parentPort?.postMessage({ fault: (fault as Error).message })
  }
})
