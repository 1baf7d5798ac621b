import type { Db } from '../../platform/database/db.ts'
import { statement } from '../../platform/database/statements/statement.ts'
import type { Log } from '../../platform/monitoring/log.ts'
import { type Rounds, runInRounds } from '../delivery/rounds.ts'
import type { QueueWorker } from './queue-worker.ts'

const BATCH_MILLISECONDS = 5
const IDLE_MILLISECONDS = 1000

const dueQueues = statement<{ queues: string }>()((q, p, d) =>
  q
    .selectFrom(d.recordsIn(p.queues, { name: 'text' }).$castTo<{ name: string }>().as('queues'))
    .select('queues.name')
    .where((e) =>
      e.exists(
        e
          .selectFrom('lanes')
          .select('lanes.lane')
          .whereRef('lanes.queue', '=', 'queues.name')
          .where('lanes.due_at', '<=', d.now()),
      ),
    ),
)

/** Wakes the workers whose queues have due jobs. One statement asks for all queues, because most of them are empty most of the time. */
export function watchDueQueues(db: Db, log: Log, workers: readonly QueueWorker[]): Rounds {
  const queues = JSON.stringify(workers.map(({ name }) => ({ name })))
  const pauses = { log, batchMilliseconds: BATCH_MILLISECONDS, idleMilliseconds: IDLE_MILLISECONDS }
  const rounds = runInRounds({ name: 'looking for due jobs', ...pauses }, async () => {
    const due = new Set((await db.all(dueQueues, { queues })).map(({ name }) => name))
    for (const worker of workers) if (due.has(worker.name)) worker.wake()
    return false
  })
  const stopListening = db.listen('jobs', rounds.wake)
  return {
    wake: rounds.wake,
    async end() {
      stopListening()
      await rounds.end()
    },
  }
}
