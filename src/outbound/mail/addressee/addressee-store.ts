import { sql } from 'kysely'
import type { Db } from '../../../platform/database/db.ts'
import { statement } from '../../../platform/database/statements/statement.ts'
import type { Flag } from '../../../platform/database/tables.ts'

/** A user to whom a message may be sent, with the data that decides it. */
export interface AccountRow {
  id: number
  login: string
  real_name: string
  email_enabled: Flag
  /** The groups that the user is directly in, as JSON text. */
  group_ids: string
  is_html: Flag | null
  has_new_prefix: Flag | null
  /** Null for users who chose no times. */
  zone: string | null
  digest_at: number | null
  quiet_from: number | null
  quiet_to: number | null
  are_weekends_quiet: Flag | null
  unseen_minutes: number | null
  /** As JSON text. */
  choices: string
  ignores_bug: Flag
}

const memberGroups = sql`select group_id as value from user_group_grants where user_id = users.id and "right" = 'member'`
const choices = sql`select relationship, event, is_wanted from mail_choices where mail_choices.user_id = users.id
  order by relationship, event`

const byId = statement<{ id: number; bugId: number }>()((q, p, d) =>
  q
    .selectFrom('users')
    .leftJoin('mail_forms', 'mail_forms.user_id', 'users.id')
    .leftJoin('mail_times', 'mail_times.user_id', 'users.id')
    .select(['mail_times.zone', 'mail_times.digest_at', 'mail_times.quiet_from', 'mail_times.quiet_to'])
    .select(['mail_times.are_weekends_quiet', 'mail_times.unseen_minutes'])
    .select(['users.id', 'users.login', 'users.real_name', 'users.email_enabled'])
    .select(['mail_forms.is_html', 'mail_forms.has_new_prefix'])
    .select(d.jsonListOf(memberGroups).as('group_ids'))
    .select(d.jsonObjectsOf(choices, ['relationship', 'event', 'is_wanted']).as('choices'))
    .select(
      sql<Flag>`case when exists (select 1 from ignored_bugs where ignored_bugs.user_id = users.id
        and ignored_bugs.bug_id = ${p.bugId}) then 1 else 0 end`.as('ignores_bug'),
    )
    .where('users.id', '=', p.id),
)

export function findAccount(db: Db, id: number, bugId: number): Promise<AccountRow | undefined> {
  return db.first(byId, { id, bugId })
}

const named = statement<{ id: number }>()((q, p) =>
  q.selectFrom('users').select(['login', 'real_name']).where('id', '=', p.id),
)

export async function findName(db: Db, id: number): Promise<{ login: string; real_name: string }> {
  return (await db.first(named, { id })) ?? { login: '', real_name: '' }
}
