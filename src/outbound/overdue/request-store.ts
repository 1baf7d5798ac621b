import { sql } from 'kysely'
import type { Caller } from '../../access/caller.ts'
import { insiderParams } from '../../access/visibility/reader-rights.ts'
import { bugsVisibleTo, viewerOf } from '../../access/visibility/visible-bugs.ts'
import type { Settings } from '../../platform/config/settings.ts'
import type { Db } from '../../platform/database/db.ts'
import { statement } from '../../platform/database/statements/statement.ts'

interface Period {
  /** Requests that were not changed since. */
  before: string
  /** Older ones are forgotten. */
  after: string
  today: string
}

/** The deferral of a request ends when the request changes, or is passed on. */
const isDeferred = sql<boolean>`(select deferral.deferred_until from deferred_requests as deferral where deferral.flag_id = flags.id
  and deferral.user_id = flags.requestee_id and deferral.flag_changed_at = flags.modified_at)`

const toRemind = statement<Period & { now: string }>()((q, p) =>
  q
    .selectFrom('flags')
    .innerJoin('users', 'users.id', 'flags.requestee_id')
    .leftJoin('request_settings', 'request_settings.user_id', 'users.id')
    .select('users.id')
    .distinct()
    .where('flags.status', '=', '?')
    .where('flags.modified_at', '<', p.before)
    .where('flags.modified_at', '>=', p.after)
    .where('users.email_enabled', '=', 1)
    .where('users.disabled_text', '=', '')
    .where(sql<boolean>`coalesce(request_settings.is_reminded, 1) = 1`)
    .where(sql<boolean>`coalesce(${isDeferred}, '') <= ${p.today}`)
    .where((row) =>
      row.not(
        row.exists(
          row
            .selectFrom('absences')
            .select('absences.id')
            .whereRef('absences.user_id', '=', 'users.id')
            .where('absences.starts_at', '<=', p.now)
            .where('absences.ends_at', '>', p.now),
        ),
      ),
    ),
)

/** Users with overdue requests who are neither away nor want no reminder. What they may see is decided when the mail is written. */
export async function listUsersToRemind(db: Db, period: Period, now: string): Promise<number[]> {
  return (await db.all(toRemind, { ...period, now })).map(({ id }) => id)
}

const withoutAnswer = statement<{ after: string }>()((q, p) =>
  q
    .selectFrom('flags')
    .innerJoin('users as requestees', 'requestees.id', 'flags.requestee_id')
    .innerJoin('users', 'users.id', 'flags.setter_id')
    .leftJoin('request_settings', 'request_settings.user_id', 'users.id')
    .select('users.id')
    .distinct()
    .where('flags.status', '=', '?')
    .where('flags.modified_at', '>=', p.after)
    .where('requestees.disabled_text', '!=', '')
    .where('users.email_enabled', '=', 1)
    .where('users.disabled_text', '=', '')
    .where(sql<boolean>`coalesce(request_settings.is_reminded, 1) = 1`),
)

/** Users who asked somebody whose account is disabled now. */
export async function listSettersWithoutAnswer(db: Db, after: string): Promise<number[]> {
  return (await db.all(withoutAnswer, { after })).map(({ id }) => id)
}

export interface OpenRequest {
  id: number
  bug_id: number
  attachment_id: number | null
  name: string
  setter: string
  requestee: string
  changed_at: string
  /** The day on which reminders of it go on; null if it is not deferred. */
  deferred_until: string | null
}

interface Reader {
  db: Db
  settings: Settings
  caller: Caller
}

/** Requests that the reader has to answer, or that they made to users whose accounts are disabled. */
type RequestRole = 'asked' | 'without answer'

/** The open requests of the reader that they may see now, the oldest first. */
export async function listOpenRequests(
  { db, settings, caller }: Reader,
  role: RequestRole,
  most: number,
): Promise<OpenRequest[]> {
  const { insider } = insiderParams({ caller, settings })
  const userId = caller.id ?? 0
  return db.query((q, d) => {
    const requests = bugsVisibleTo(q, d, settings, viewerOf(caller))
      .innerJoin('flags', 'flags.bug_id', 'bugs.id')
      .innerJoin('flag_types', 'flag_types.id', 'flags.type_id')
      .innerJoin('users as setters', 'setters.id', 'flags.setter_id')
      .innerJoin('users as requestees', 'requestees.id', 'flags.requestee_id')
      .leftJoin('attachments', 'attachments.id', 'flags.attachment_id')
      .select(['flags.id', 'flags.bug_id', 'flags.attachment_id', 'flag_types.name', 'flags.modified_at as changed_at'])
      .select(['setters.login as setter', 'requestees.login as requestee'])
      .select(sql<string | null>`${isDeferred}`.as('deferred_until'))
      .where('flags.status', '=', '?')
      .orderBy('flags.modified_at')
      .orderBy('flags.id')
      .limit(most)
    const seen = insider === 1 ? requests : requests.where(sql<boolean>`coalesce(attachments.is_private, 0) = 0`)
    return role === 'asked'
      ? seen.where('flags.requestee_id', '=', userId)
      : seen.where('flags.setter_id', '=', userId).where('requestees.disabled_text', '!=', '')
  })
}

const openRequestOf = statement<{ id: number; userId: number }>()((q, p, d) =>
  q
    .selectFrom('flags')
    .select(['bug_id', 'attachment_id', 'modified_at'])
    .where('id', '=', p.id)
    .where('requestee_id', '=', p.userId)
    .where('status', '=', '?')
    .modifyEnd(d.lockedBesideReferences()),
)

/** A request to the user, locked; undefined for any other flag. */
export function lockRequestTo(tx: Db, userId: number, id: number) {
  return tx.first(openRequestOf, { id, userId })
}

const forget = statement<{ id: number }>()((q, p) => q.deleteFrom('deferred_requests').where('flag_id', '=', p.id))
const defer = statement<{ id: number; userId: number; changedAt: string; until: string }>()((q, p) =>
  q
    .insertInto('deferred_requests')
    .values({ flag_id: p.id, user_id: p.userId, flag_changed_at: p.changedAt, deferred_until: p.until }),
)

/** Without a day, the request is no longer deferred. */
export async function saveDeferral(
  tx: Db,
  request: { id: number; userId: number; changedAt: string },
  until: string | null,
) {
  await tx.all(forget, { id: request.id })
  if (until !== null) await tx.all(defer, { ...request, until })
}
