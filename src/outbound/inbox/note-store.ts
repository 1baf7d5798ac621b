import { sql } from 'kysely'
import { OWN_LIMITS } from '../../access/own-limits.ts'
import type { Db } from '../../platform/database/db.ts'
import { ALL_ROWS } from '../../platform/database/statements/all-rows.ts'
import { statement } from '../../platform/database/statements/statement.ts'

/** That something about a bug reaches a user. */
export interface InboxNote {
  user_id: number
  bug_id: number
  reasons: number
  /** The times of the first and the last event. */
  since: string
  at: string
  /** The id of the comment that mentions the user. */
  mention: number | null
}

const COLUMNS = {
  user_id: 'integer',
  bug_id: 'integer',
  reasons: 'integer',
  since: 'text',
  at: 'text',
  mention: 'integer',
} as const

const noted = sql.raw('inbox_entries')

// The user or the bug may have been deleted since. An older event, which comes again after a crash, changes nothing.
const save = statement<{ notes: string }>()((q, p, d) =>
  q
    .insertInto('inbox_entries')
    .columns(['user_id', 'bug_id', 'reasons', 'mention_comment', 'since', 'noted_at', 'notes'])
    .expression(
      sql`select notes.user_id, notes.bug_id, notes.reasons, notes.mention, notes.since, notes.at, 1
        from ${d.recordsIn(p.notes, COLUMNS)} as notes
        where exists (select 1 from users where users.id = notes.user_id)
          and exists (select 1 from bugs where bugs.id = notes.bug_id)
        order by notes.user_id, notes.bug_id`,
    )
    .onConflict((conflict) =>
      conflict.columns(['user_id', 'bug_id']).doUpdateSet({
        notes: sql<number>`${noted}.notes + 1`,
        reasons: sql<number>`${noted}.reasons | excluded.reasons`,
        mention_comment: sql<number | null>`coalesce(excluded.mention_comment, ${noted}.mention_comment)`,
        noted_at: sql<string>`case when excluded.noted_at > ${noted}.noted_at then excluded.noted_at else ${noted}.noted_at end`,
      }),
    ),
)

/** Saves notes, at most one for each user and bug, in the order of their keys, so that two transactions never deadlock. */
export async function saveNotes(tx: Db, notes: readonly InboxNote[]) {
  for (let from = 0; from < notes.length; from += NOTES_AT_ONCE)
    await tx.all(save, { notes: JSON.stringify(notes.slice(from, from + NOTES_AT_ONCE)) })
}

const NOTES_AT_ONCE = 2000

const crowded = statement<{ most: number }>()((q, p) =>
  q
    .selectFrom('inbox_entries')
    .select('user_id')
    .groupBy('user_id')
    .having((row) => row.fn.countAll<number>(), '>', p.most),
)

// What is done goes first, then what was noted first.
const forgetMore = statement<{ userId: number; most: number; all: number }>()((q, p) =>
  q
    .deleteFrom('inbox_entries')
    .where('user_id', '=', p.userId)
    .where('bug_id', 'in', (older) =>
      older
        .selectFrom('inbox_entries')
        .select('bug_id')
        .where('user_id', '=', p.userId)
        .orderBy(sql`case when state = 1 then 1 else 0 end`)
        .orderBy('noted_at', 'desc')
        .orderBy('bug_id', 'desc')
        .limit(p.all)
        .offset(p.most),
    ),
)

const forgetBefore = statement<{ before: string; today: string; most: number }>()((q, p) =>
  q.deleteFrom('inbox_entries').where(
    sql<boolean>`(user_id, bug_id) in (select user_id, bug_id from inbox_entries
      where noted_at < ${p.before} and state_at < ${p.before} and read_at < ${p.before}
        and (state <> 2 or coalesce(snoozed_until, '') < ${p.today}) limit ${p.most})`,
  ),
)

const countBefore = statement<{ before: string; today: string }>()((q, p) =>
  q
    .selectFrom('inbox_entries')
    .select('user_id')
    .where('noted_at', '<', p.before)
    .where('state_at', '<', p.before)
    .where('read_at', '<', p.before)
    .where(sql<boolean>`(state <> 2 or coalesce(snoozed_until, '') < ${p.today})`)
    .limit(1),
)

const FORGOTTEN_AT_ONCE = 1000

/** Deletes some entries that are older than that time; returns whether there may be more. */
export async function forgetSomeEntries(db: Db, before: string, today: string): Promise<boolean> {
  await db.all(forgetBefore, { before, today, most: FORGOTTEN_AT_ONCE })
  return (await db.first(countBefore, { before, today })) !== undefined
}

/** Deletes what is too much for each user. */
export async function forgetCrowdedEntries(db: Db, goesOn: () => Promise<void> = async () => {}) {
  const { most } = OWN_LIMITS.inboxEntries
  for (const { user_id } of await db.all(crowded, { most })) {
    await forgetMoreOf(db, user_id)
    await goesOn()
  }
}

/** Deletes what is too much for this user. */
export async function forgetMoreOf(db: Db, userId: number) {
  await db.all(forgetMore, { userId, most: OWN_LIMITS.inboxEntries.most, all: ALL_ROWS })
}
