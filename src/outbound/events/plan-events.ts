import { readStateVersions } from '../../access/installation.ts'
import type { Db } from '../../platform/database/db.ts'
import type { Log } from '../../platform/monitoring/log.ts'
import { isOutage, loggedCause } from '../../platform/monitoring/outage.ts'
import type { Consumer } from '../consumers/consumer.ts'
import { countSetAside } from '../consumers/consumer-store.ts'
import type { OutboundEvent } from './event.ts'

/**
 * What a consumer makes of events. If it fails on all of them together, it gets them one by one. An event that
 * fails although the database responds is counted, logged and left out, so that it does not hold up later events.
 */
export async function planEvents(
  db: Db,
  log: Log,
  consumer: Consumer,
  events: readonly OutboundEvent[],
): Promise<readonly unknown[]> {
  try {
    return await consumer.plan(db, events)
  } catch {
    const items: unknown[] = []
    for (const event of events) items.push(...(await planEvent(db, log, consumer, event)))
    return items
  }
}

async function planEvent(db: Db, log: Log, consumer: Consumer, event: OutboundEvent): Promise<readonly unknown[]> {
  try {
    return await consumer.plan(db, [event])
  } catch (fault) {
    if (isOutage(fault)) throw fault
    // The database may be at fault: this throws while it does not respond, and then the whole batch is tried again.
    await readStateVersions(db)
  }
  try {
    return await consumer.plan(db, [event])
  } catch (fault) {
    if (isOutage(fault)) throw fault
    await readStateVersions(db)
    const { position, kind, bugId } = event
    await countSetAside(db, consumer.name)
    log.error('event set aside', { consumer: consumer.name, position, kind, bug: bugId, why: loggedCause(fault) })
    return []
  }
}
