import { getPriority, setPriority } from 'node:os'
import { parentPort, workerData } from 'node:worker_threads'
import { Installation } from '../../access/installation.ts'
import { openDatabase } from '../../platform/database/open-database.ts'
import { logTo } from '../../platform/monitoring/log.ts'
import { containUncaught } from '../../platform/monitoring/uncaught.ts'
import { watchMaildir } from '../incoming/watch-maildir.ts'
import { receiversIn } from '../receivers/receivers.ts'
import { runSchedules } from '../scheduled/run-schedules.ts'
import { deliverTo } from './deliver.ts'
import type { DeliveryThreadData } from './delivery-context.ts'
import { forgetOld } from './forget-old.ts'

/** A thread whose nice value is higher by 10 gets about a tenth of the time of another busy thread. */
const LOWER = 10
const LOWEST = 19

/** The delivery thread; see deliver-in-thread.ts. Requests take priority over it when both want to write. */
const { config, baseUrl, traffic } = workerData as DeliveryThreadData
yieldToRequests()
// Writes are not synced: a delivery result that a power cut loses is delivered again.
const db = openDatabase(config.databaseUrl, true, { after: traffic }, config.poolerUrl)
// Does not wait until requests have written: with a hundred changes a second that takes more than a second.
const promptDb = db.dialect.transactionsTakeTurns ? openDatabase(config.databaseUrl, true, { after: undefined }) : db
const log = logTo()
// The server starts another thread when there is something to deliver.
containUncaught(log, (code) => void log.flush().then(() => process.exit(code)))
const context = { db, config, log, installation: new Installation(db), baseUrl: () => baseUrl }
const delivery = deliverTo(db, log, receiversIn(context), promptDb)
// Incoming mail is removed from the Maildir after it is stored, so these writes are synced.
const ledger = openDatabase(config.databaseUrl, true, undefined, config.poolerUrl)
const scheduling = runSchedules(context)
const forgetting = forgetOld(context)
const taking = watchMaildir({ ...context, db: ledger, installation: new Installation(ledger) })

parentPort?.on('message', async (message: 'events' | 'jobs' | 'end') => {
  if (message !== 'end') {
    if (promptDb !== db) promptDb.signal(message)
    return db.signal(message)
  }
  await taking.end()
  await scheduling.end()
  await forgetting.end()
  await delivery.end()
  await ledger.close()
  if (promptDb !== db) await promptDb.close()
  await db.close()
  await log.flush()
  process.exit(0)
})

/** On Linux each thread has its own priority. Elsewhere it would apply to the whole process, so it is not changed. */
function yieldToRequests() {
  if (process.platform !== 'linux') return
  try {
    setPriority(Math.min(LOWEST, getPriority() + LOWER))
  } catch {
    // Not permitted here; the threads then share the processor equally.
  }
}
