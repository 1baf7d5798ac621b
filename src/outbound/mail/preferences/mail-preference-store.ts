import { sql } from 'kysely'
import { bugsUnfiltered } from '../../../access/visibility/visible-bugs.ts'
import type { Db } from '../../../platform/database/db.ts'
import { statement } from '../../../platform/database/statements/statement.ts'
import type { Flag } from '../../../platform/database/tables.ts'
import type { Choice } from './mail-preference.ts'

const choicesOf = statement<{ userId: number }>()((q, p) =>
  q
    .selectFrom('mail_choices')
    .select(['relationship', 'event', 'is_wanted'])
    .where('user_id', '=', p.userId)
    .orderBy('relationship')
    .orderBy('event'),
)

export function listChoices(db: Db, userId: number): Promise<Choice[]> {
  return db.all(choicesOf, { userId })
}

const putChoice = statement<Choice & { userId: number }>()((q, p) =>
  q
    .insertInto('mail_choices')
    .values({ user_id: p.userId, relationship: p.relationship, event: p.event, is_wanted: p.is_wanted })
    .onConflict((conflict) =>
      conflict.columns(['user_id', 'relationship', 'event']).doUpdateSet({ is_wanted: p.is_wanted }),
    ),
)

export async function saveChoices(tx: Db, userId: number, choices: readonly Choice[]) {
  for (const choice of choices) await tx.all(putChoice, { userId, ...choice })
}

/** The format that a user wants for mail. */
export interface MailForm {
  is_html: Flag
  /** Whether the subject of mail about a new bug begins with New. */
  has_new_prefix: Flag
}

export const DEFAULT_FORM: MailForm = { is_html: 1, has_new_prefix: 1 }

const formOf = statement<{ userId: number }>()((q, p) =>
  q.selectFrom('mail_forms').select(['is_html', 'has_new_prefix']).where('user_id', '=', p.userId),
)

export async function readMailForm(db: Db, userId: number): Promise<MailForm> {
  return (await db.first(formOf, { userId })) ?? DEFAULT_FORM
}

const putForm = statement<MailForm & { userId: number }>()((q, p) =>
  q
    .insertInto('mail_forms')
    .values({ user_id: p.userId, is_html: p.is_html, has_new_prefix: p.has_new_prefix })
    .onConflict((conflict) =>
      conflict.column('user_id').doUpdateSet({ is_html: p.is_html, has_new_prefix: p.has_new_prefix }),
    ),
)

export async function saveMailForm(tx: Db, userId: number, form: MailForm) {
  await tx.all(putForm, { userId, ...form })
}

const watched = statement<{ userId: number }>()((q, p) =>
  q
    .selectFrom('watched_users')
    .innerJoin('users', 'users.id', 'watched_users.watched_id')
    .select(['users.id', 'users.login'])
    .where('watched_users.watcher_id', '=', p.userId)
    .orderBy('users.login_key'),
)
const watchers = statement<{ userId: number }>()((q, p) =>
  q
    .selectFrom('watched_users')
    .innerJoin('users', 'users.id', 'watched_users.watcher_id')
    .select(['users.id', 'users.login'])
    .where('watched_users.watched_id', '=', p.userId)
    .orderBy('users.login_key'),
)

interface WatchedUser {
  id: number
  login: string
}

export function listWatched(db: Db, userId: number): Promise<WatchedUser[]> {
  return db.all(watched, { userId })
}

export function listWatchersOf(db: Db, userId: number): Promise<WatchedUser[]> {
  return db.all(watchers, { userId })
}

const unwatchAll = statement<{ userId: number }>()((q, p) =>
  q.deleteFrom('watched_users').where('watcher_id', '=', p.userId),
)

export async function saveWatched(tx: Db, userId: number, watchedIds: readonly number[]) {
  await tx.all(unwatchAll, { userId })
  if (watchedIds.length === 0) return
  await tx.query((q) =>
    q.insertInto('watched_users').values(watchedIds.map((watched_id) => ({ watcher_id: userId, watched_id }))),
  )
}

const ignored = statement<{ userId: number }>()((q, p) =>
  q.selectFrom('ignored_bugs').select('bug_id').where('user_id', '=', p.userId).orderBy('bug_id'),
)

export async function listIgnored(db: Db, userId: number): Promise<number[]> {
  return (await db.all(ignored, { userId })).map((row) => row.bug_id)
}

const clearIgnored = statement<{ userId: number }>()((q, p) =>
  q.deleteFrom('ignored_bugs').where('user_id', '=', p.userId),
)

const ignore = statement<{ userId: number; ids: string }>()((q, p, d) =>
  q
    .insertInto('ignored_bugs')
    .columns(['user_id', 'bug_id'])
    .expression(
      bugsUnfiltered(q, 'The caller has been checked to see the added ones; the others were on the list already.')
        .select([sql<number>`cast(${p.userId} as integer)`.as('user_id'), 'bugs.id'])
        .where('bugs.id', 'in', d.integersIn(p.ids)),
    ),
)

/** Replaces the list of bugs about which the user gets no mail. */
export async function saveIgnored(tx: Db, userId: number, bugIds: readonly number[]) {
  await tx.all(clearIgnored, { userId })
  if (bugIds.length > 0) await tx.all(ignore, { userId, ids: JSON.stringify(bugIds) })
}
