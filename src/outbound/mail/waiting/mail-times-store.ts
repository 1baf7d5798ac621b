import type { Db } from '../../../platform/database/db.ts'
import { statement } from '../../../platform/database/statements/statement.ts'
import type { Flag } from '../../../platform/database/tables.ts'
import { AT_ONCE, type MailTimes } from './send-time.ts'

interface MailTimesRow {
  zone: string | null
  digest_at: number | null
  quiet_from: number | null
  quiet_to: number | null
  are_weekends_quiet: Flag | null
  unseen_minutes: number | null
}

/** The columns are null for users who chose no times. */
export function timesOf(row: MailTimesRow | undefined): MailTimes {
  if (row === undefined || row.zone === null) return AT_ONCE
  return {
    zone: row.zone,
    digestAt: row.digest_at,
    quietFrom: row.quiet_from,
    quietTo: row.quiet_to,
    areWeekendsQuiet: row.are_weekends_quiet === 1,
    unseenMinutes: row.unseen_minutes ?? 0,
  }
}

const ofUser = statement<{ userId: number }>()((q, p) =>
  q
    .selectFrom('mail_times')
    .select(['zone', 'digest_at', 'quiet_from', 'quiet_to', 'are_weekends_quiet', 'unseen_minutes'])
    .where('user_id', '=', p.userId),
)

export async function readMailTimes(db: Db, userId: number): Promise<MailTimes> {
  return timesOf(await db.first(ofUser, { userId }))
}

export async function saveMailTimes(tx: Db, userId: number, times: MailTimes) {
  const row = {
    zone: times.zone,
    digest_at: times.digestAt,
    quiet_from: times.quietFrom,
    quiet_to: times.quietTo,
    are_weekends_quiet: times.areWeekendsQuiet ? (1 as const) : (0 as const),
    unseen_minutes: times.unseenMinutes,
  }
  await tx.query((q) =>
    q
      .insertInto('mail_times')
      .values({ user_id: userId, ...row })
      .onConflict((conflict) => conflict.column('user_id').doUpdateSet(row)),
  )
}
