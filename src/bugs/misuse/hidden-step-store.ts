import type { BugTransaction, Db } from '../../platform/database/db.ts'
import { statement } from '../../platform/database/statements/statement.ts'
import type { HiddenContent } from './activity-store.ts'

const insert = statement<{ userId: number; who: number; at: string; content: string }>()((q, p) =>
  q
    .insertInto('hidden_activities')
    .values({ user_id: p.userId, hidden_by_id: p.who, at: p.at, content: p.content })
    .returning('id'),
)
const ofUser = statement<{ userId: number }>()((q, p) =>
  q
    .selectFrom('hidden_activities')
    .leftJoin('users as hider', 'hider.id', 'hidden_activities.hidden_by_id')
    .leftJoin('users as restorer', 'restorer.id', 'hidden_activities.restored_by_id')
    .select(['hidden_activities.id', 'hidden_activities.at', 'content', 'restored_at'])
    .select(['hider.login as who', 'restorer.login as restored_by'])
    .where('hidden_activities.user_id', '=', p.userId)
    .orderBy('hidden_activities.id'),
)
const restore = statement<{ id: number; userId: number; who: number; at: string }>()((q, p) =>
  q
    .updateTable('hidden_activities')
    .set({ restored_at: p.at, restored_by_id: p.who })
    .where('id', '=', p.id)
    .where('user_id', '=', p.userId)
    .where('restored_at', 'is', null)
    .returning('content'),
)

interface Step {
  userId: number
  /** The administrator. */
  who: number
  at: string
}

export async function insertHidden(tx: BugTransaction, step: Step, content: HiddenContent) {
  return (await tx.first(insert, { ...step, content: JSON.stringify(content) }))?.id as number
}

export function listHidden(db: Db, userId: number) {
  return db.all(ofUser, { userId })
}

/** Undefined if there is nothing of this id to restore. Of two parallel requests, only one gets it. */
export async function takeHidden(tx: BugTransaction, id: number, step: Step) {
  const row = await tx.first(restore, { id, ...step })
  return row === undefined ? undefined : (JSON.parse(row.content) as HiddenContent)
}
