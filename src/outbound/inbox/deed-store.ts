import { sql } from 'kysely'
import type { Db } from '../../platform/database/db.ts'
import { statement } from '../../platform/database/statements/statement.ts'

/** What the owner of an entry did with it; the columns that only the owner changes. */
export interface OwnedState {
  state: number
  state_at: string
  snoozed_until: string | null
  done_comment: number
  done_change: number
  done_notes: number
  read_comment: number
  read_change: number
  read_at: string
}

/** The state of an entry after a deed, and the one before it, for undo. */
export interface SavedState extends OwnedState {
  bug_id: number
  undo_key: string
  undo_state: string
  /** 1 if its reasons were dealt with, 0 if they count again. */
  puts_away: number
  since: string
}

const COLUMNS = {
  bug_id: 'integer',
  state: 'integer',
  state_at: 'text',
  snoozed_until: 'text',
  done_comment: 'integer',
  done_change: 'integer',
  done_notes: 'integer',
  read_comment: 'integer',
  read_change: 'integer',
  read_at: 'text',
  undo_key: 'text',
  undo_state: 'text',
  puts_away: 'integer',
  since: 'text',
} as const

const add = statement<{ userId: number; rows: string }>()((q, p, d) =>
  q
    .insertInto('inbox_entries')
    .columns(['user_id', 'bug_id', 'since', 'noted_at'])
    .expression(
      sql`select cast(${p.userId} as integer), bug_id, since, since from ${d.recordsIn(p.rows, COLUMNS)} as given
        where exists (select 1 from bugs where bugs.id = given.bug_id) order by bug_id`,
    )
    .onConflict((conflict) => conflict.columns(['user_id', 'bug_id']).doNothing()),
)

// The delivery may add reasons at this moment, so the statement moves them. The user is in each row: with a condition on the user alone, SQLite
// would look through all rows for each entry of the user.
const update = statement<{ rows: string }>()((q, p, d) => {
  const given = (name: string) => sql.ref<never>(`given.${name}`)
  return q
    .updateTable('inbox_entries')
    .from(sql<SavedState & { user_id: number }>`${d.recordsIn(p.rows, { ...COLUMNS, user_id: 'integer' })}`.as('given'))
    .set({
      past_reasons: sql<number>`case when given.puts_away = 1 and inbox_entries.reasons <> 0 then inbox_entries.reasons
        else inbox_entries.past_reasons end`,
      reasons: sql<number>`case when given.puts_away = 1 then 0 when given.state = 0
        then inbox_entries.reasons | inbox_entries.past_reasons else inbox_entries.reasons end`,
      state: given('state'),
      state_at: given('state_at'),
      snoozed_until: given('snoozed_until'),
      done_comment: given('done_comment'),
      done_change: given('done_change'),
      done_notes: given('done_notes'),
      read_comment: given('read_comment'),
      read_change: given('read_change'),
      read_at: given('read_at'),
      undo_key: given('undo_key'),
      undo_state: given('undo_state'),
    })
    .whereRef('inbox_entries.user_id', '=', 'given.user_id')
    .whereRef('inbox_entries.bug_id', '=', 'given.bug_id')
})

/** Saves what the user did with entries; the caller must have locked the user. */
export async function saveStates(tx: Db, userId: number, rows: readonly SavedState[]) {
  if (rows.length === 0) return
  const given = JSON.stringify(rows.map((row) => ({ ...row, user_id: userId })))
  await tx.all(add, { userId, rows: given })
  await tx.all(update, { rows: given })
}

const states = statement<{ userId: number; ids: string }>()((q, p, d) =>
  q
    .selectFrom('inbox_entries')
    .select(['bug_id', 'state', 'state_at', 'snoozed_until', 'done_comment', 'done_change', 'done_notes'])
    .select(['read_comment', 'read_change', 'read_at', 'since'])
    .where('user_id', '=', p.userId)
    .where('bug_id', 'in', d.integersIn(p.ids)),
)

export function listStates(db: Db, userId: number, ids: readonly number[]) {
  return db.all(states, { userId, ids: JSON.stringify(ids) })
}

const undoable = statement<{ userId: number; key: string; after: string }>()((q, p) =>
  q
    .selectFrom('inbox_entries')
    .select(['bug_id', 'undo_state', 'since'])
    .where('user_id', '=', p.userId)
    .where('undo_key', '=', p.key)
    .where('state_at', '>=', p.after),
)

/** What a deed changed, if nothing was done with it since. */
export function listUndoable(db: Db, userId: number, key: string, after: string) {
  return db.all(undoable, { userId, key, after })
}

const ignoring = statement<{ userId: number }>()((q, p) =>
  q.selectFrom('ignored_bugs').select('bug_id').where('user_id', '=', p.userId),
)
const ignore = statement<{ userId: number; ids: string }>()((q, p, d) =>
  q
    .insertInto('ignored_bugs')
    .columns(['user_id', 'bug_id'])
    .expression(sql`select cast(${p.userId} as integer), bugs.id from bugs where bugs.id in ${d.integersIn(p.ids)}`)
    .onConflict((conflict) => conflict.columns(['user_id', 'bug_id']).doNothing()),
)
const unignore = statement<{ userId: number; ids: string }>()((q, p, d) =>
  q.deleteFrom('ignored_bugs').where('user_id', '=', p.userId).where('bug_id', 'in', d.integersIn(p.ids)),
)

/** The bugs that the user ignores, in mail and inbox. */
export async function ignoredBugsOf(tx: Db, userId: number): Promise<Set<number>> {
  return new Set((await tx.all(ignoring, { userId })).map(({ bug_id }) => bug_id))
}

export async function saveIgnoring(tx: Db, userId: number, ids: readonly number[], isIgnored: boolean) {
  const params = { userId, ids: JSON.stringify(ids) }
  if (isIgnored) await tx.all(ignore, params)
  else await tx.all(unignore, params)
}
