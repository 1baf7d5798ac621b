import { readVersions } from '../../access/installation.ts'
import type { Db } from '../../platform/database/db.ts'
import type { NewJob } from '../../platform/database/new-jobs.ts'
import type { Log } from '../../platform/monitoring/log.ts'
import { isOutage, reasonOf } from '../../platform/monitoring/outage.ts'
import type { Consumer } from '../consumers/consumer.ts'
import { countSetAside } from '../consumers/consumer-store.ts'
import type { OutboundEvent } from './event.ts'

/**
 * The jobs that a consumer makes of events. If it cannot handle all of them together, it gets them one by one; an event that fails although
 * the database answers is counted, logged and left out, so that it does not hold up every later event.
 */
export async function planEvents(
  db: Db,
  log: Log,
  consumer: Consumer,
  events: readonly OutboundEvent[],
): Promise<readonly NewJob[]> {
  try {
    return await consumer.plan(db, events)
  } catch {
    const jobs: NewJob[] = []
    for (const event of events) jobs.push(...(await planEvent(db, log, consumer, event)))
    return jobs
  }
}

async function planEvent(db: Db, log: Log, consumer: Consumer, event: OutboundEvent): Promise<readonly NewJob[]> {
  try {
    return await consumer.plan(db, [event])
  } catch (fault) {
    if (isOutage(fault)) throw fault
    // It may have been the database: throws while that does not answer, and then all of it is tried again.
    await readVersions(db)
  }
  try {
    return await consumer.plan(db, [event])
  } catch (fault) {
    if (isOutage(fault)) throw fault
    await readVersions(db)
    const { position, kind, bugId } = event
    await countSetAside(db, consumer.name)
    log.error('event set aside', { consumer: consumer.name, position, kind, bug: bugId, why: reasonOf(fault) })
    return []
  }
}
