import { sql } from 'kysely'
import { newAccountsSince } from '../../../access/new-account.ts'
import { statement } from '../../../platform/database/statements/statement.ts'
import { timeNow } from '../../../platform/time/clock.ts'
import type { MailContext } from '../mail-context.ts'

/** Counts one message of a user who joined since then, and returns how many they have caused on the day. Others are not counted. */
const count = statement<{ userId: number; since: string; day: string }>()((q, p) =>
  q
    .insertInto('new_account_mails')
    .columns(['user_id', 'on_day', 'message_count'])
    .expression(
      sql`select id, ${p.day}, 1 from users where id = ${p.userId} and joined_at >= ${p.since} and not exists (select 1
        from user_group_grants join groups on groups.id = user_group_grants.group_id
        where user_group_grants.user_id = users.id and groups.name = 'admin' and user_group_grants."right" = 'member')`,
    )
    .onConflict((conflict) =>
      conflict.column('user_id').doUpdateSet({
        message_count: sql<number>`case when new_account_mails.on_day = excluded.on_day
          then new_account_mails.message_count + 1 else 1 end`,
        on_day: sql<string>`excluded.on_day`,
      }),
    )
    .returning('message_count'),
)

const joined = statement<{ userId: number; since: string }>()((q, p) =>
  q.selectFrom('users').select('id').where('id', '=', p.userId).where('joined_at', '>=', p.since),
)

/**
 * Whether a message about a change of this user is sent: the changes of a new account cause only so many messages per day, whatever their
 * recipients want.
 */
export async function hasRoomForMail({ db, settings }: MailContext, userId: number): Promise<boolean> {
  const most = settings.new_account_mails
  if (most === 0) return true
  const since = newAccountsSince(settings)
  // Counting is a write, which waits for those of requests, and few users are new.
  if ((await db.first(joined, { userId, since })) === undefined) return true
  const row = await db.first(count, { userId, since, day: timeNow().slice(0, 10) })
  return row === undefined || row.message_count <= most
}
