import type { ConfigurationTransaction, Db } from '../../platform/database/db.ts'
import type { Builder } from '../../platform/database/statements/builder.ts'
import { statement } from '../../platform/database/statements/statement.ts'
import { timeNow } from '../../platform/time/clock.ts'
import type { Removal, RemovalState } from './removal.ts'

type NewRemoval = Omit<Removal, 'id' | 'who' | 'ended_at' | 'bugs_done' | 'state' | 'reason'>

function removals(q: Builder) {
  return q
    .selectFrom('removals')
    .innerJoin('users', 'users.id', 'removals.user_id')
    .selectAll('removals')
    .select('users.login as who')
}

const insert = statement<NewRemoval>()((q, p) =>
  q
    .insertInto('removals')
    .values({
      class: p.class,
      object_id: p.object_id,
      name: p.name,
      replacement_id: p.replacement_id,
      replacement_name: p.replacement_name,
      user_id: p.user_id,
      change_id: p.change_id,
      begun_at: p.begun_at,
      ended_at: null,
      bugs: p.bugs,
      bugs_done: 0,
      state: 'running',
      reason: null,
    })
    .returning('id'),
)
const byId = statement<{ id: number }>()((q, p) => removals(q).where('removals.id', '=', p.id))
const ofObject = statement<{ class: string; objectId: number }>()((q, p) =>
  removals(q)
    .where('removals.class', '=', p.class)
    .where('removals.object_id', '=', p.objectId)
    .where('removals.state', '<>', 'done'),
)
const remove = statement<{ id: number }>()((q, p) => q.deleteFrom('removals').where('id', '=', p.id))

export async function insertRemoval(tx: ConfigurationTransaction, removal: NewRemoval): Promise<number> {
  return (await tx.first(insert, removal))?.id as number
}

export async function findRemoval(db: Db, id: number): Promise<Removal | undefined> {
  return (await db.first(byId, { id })) as Removal | undefined
}

/** The removal of an object that is not done yet. */
export async function findRemovalOf(db: Db, className: string, objectId: number): Promise<Removal | undefined> {
  return (await db.first(ofObject, { class: className, objectId })) as Removal | undefined
}

export async function deleteRemoval(tx: ConfigurationTransaction, id: number) {
  await tx.all(remove, { id })
}

const newest = statement<{ most: number }>()((q, p) => removals(q).orderBy('removals.id', 'desc').limit(p.most))
const newestOf = statement<{ who: number; most: number }>()((q, p) =>
  removals(q).where('removals.user_id', '=', p.who).orderBy('removals.id', 'desc').limit(p.most),
)
const since = statement<{ after: number }>()((q, p) =>
  removals(q).where('removals.id', '>', p.after).orderBy('removals.id'),
)
const lastId = statement<object>()((q) => q.selectFrom('removals').select((row) => row.fn.max('id').as('id')))

/** The newest ones, of all users or of one. */
export async function listRemovals(db: Db, most: number, who?: number): Promise<Removal[]> {
  return (await (who === undefined ? db.all(newest, { most }) : db.all(newestOf, { who, most }))) as Removal[]
}

export async function lastRemovalId(db: Db): Promise<number> {
  return (await db.first(lastId, {}))?.id ?? 0
}

export async function listRemovalsSince(db: Db, after: number): Promise<Removal[]> {
  return (await db.all(since, { after })) as Removal[]
}

const progress = statement<{ id: number; bugs: number }>()((q, p) =>
  q
    .updateTable('removals')
    .set((row) => ({ bugs_done: row('bugs_done', '+', p.bugs) }))
    .where('id', '=', p.id),
)
const setState = statement<{ id: number; state: RemovalState; reason: string | null; endedAt: string | null }>()(
  (q, p) =>
    q.updateTable('removals').set({ state: p.state, reason: p.reason, ended_at: p.endedAt }).where('id', '=', p.id),
)

export async function noteBugsDone(tx: ConfigurationTransaction, id: number, bugs: number) {
  await tx.all(progress, { id, bugs })
}

export async function changeRemovalState(
  tx: ConfigurationTransaction,
  id: number,
  state: RemovalState,
  reason: string | null = null,
) {
  await tx.all(setState, { id, state, reason, endedAt: state === 'running' ? null : timeNow() })
}

const forget = statement<{ kept: number }>()((q, p) =>
  q
    .deleteFrom('removals')
    .where('state', '=', 'done')
    .where('id', 'not in', (rows) =>
      rows
        .selectFrom('removals as kept')
        .select('kept.id')
        .where('kept.state', '=', 'done')
        .orderBy('kept.id', 'desc')
        .limit(p.kept),
    ),
)

/** Deletes those that are done, except the last ones. */
export async function forgetOldRemovals(tx: ConfigurationTransaction, kept: number) {
  await tx.all(forget, { kept })
}
