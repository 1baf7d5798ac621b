import { readStateVersions } from '../../access/installation.ts'
import { addOncePerDay } from '../../platform/database/chores.ts'
import type { NewJob } from '../../platform/database/new-jobs.ts'
import { timeNow } from '../../platform/time/clock.ts'
import type { DeliveryContext } from '../delivery/delivery-context.ts'
import { overduePeriod } from './overdue-period.ts'
import { listSettersWithoutAnswer, listUsersToRemind } from './request-store.ts'

const OVERDUE = 'overdue requests'

/** Plans the daily mails about requests: one for each user, once a day, however many servers there are. */
export async function planOverdue(
  { db, installation }: DeliveryContext,
  jobFor: (userId: number, at: string) => NewJob,
) {
  const at = timeNow()
  await addOncePerDay(db, OVERDUE, at.slice(0, 10), async () => {
    const { nag_interval } = await installation.settingsAt(await readStateVersions(db))
    if (nag_interval === 0) return []
    const period = overduePeriod(nag_interval)
    const users = [...(await listUsersToRemind(db, period, at)), ...(await listSettersWithoutAnswer(db, period.after))]
    return [...new Set(users)].map((userId) => jobFor(userId, at))
  })
}
