import type { Db } from '../../platform/database/db.ts'
import { statement } from '../../platform/database/statements/statement.ts'

/** A reminder that a user writes to themselves about a bug. */
export interface Reminder {
  id: number
  user_id: number
  bug_id: number
  note: string
  /** The day in UTC on which it is mailed. */
  remind_on: string
  created_at: string
  sent_at: string | null
}

const ofUser = statement<{ userId: number }>()((q, p) =>
  q.selectFrom('reminders').selectAll().where('user_id', '=', p.userId).orderBy('remind_on').orderBy('id'),
)
const byId = statement<{ id: number }>()((q, p) => q.selectFrom('reminders').selectAll().where('id', '=', p.id))

export function listReminders(db: Db, userId: number): Promise<Reminder[]> {
  return db.all(ofUser, { userId })
}

export function findReminder(db: Db, id: number): Promise<Reminder | undefined> {
  return db.first(byId, { id })
}

interface NewReminder {
  userId: number
  bugId: number
  note: string
  remindOn: string
  at: string
}

const insert = statement<NewReminder>()((q, p) =>
  q
    .insertInto('reminders')
    .values({
      user_id: p.userId,
      bug_id: p.bugId,
      note: p.note,
      remind_on: p.remindOn,
      created_at: p.at,
      sent_at: null,
    })
    .returningAll(),
)
const remove = statement<{ id: number; userId: number }>()((q, p) =>
  q.deleteFrom('reminders').where('id', '=', p.id).where('user_id', '=', p.userId).returning('id'),
)
const removeMany = statement<{ ids: string }>()((q, p, d) =>
  q.deleteFrom('reminders').where('id', 'in', d.integersIn(p.ids)),
)

export async function insertReminder(tx: Db, reminder: NewReminder): Promise<Reminder> {
  return (await tx.first(insert, reminder)) as Reminder
}

/** Whether there was one of this user. */
export async function deleteReminder(db: Db, userId: number, id: number): Promise<boolean> {
  return (await db.first(remove, { id, userId })) !== undefined
}

export async function deleteReminders(tx: Db, ids: readonly number[]) {
  if (ids.length > 0) await tx.all(removeMany, { ids: JSON.stringify(ids) })
}

const someDue = statement<{ today: string }>()((q, p) =>
  q.selectFrom('reminders').select('id').where('remind_on', '<=', p.today).where('sent_at', 'is', null).limit(1),
)
const due = statement<{ today: string; most: number }>()((q, p, d) =>
  q
    .selectFrom('reminders')
    .select(['id', 'user_id'])
    .where('remind_on', '<=', p.today)
    .where('sent_at', 'is', null)
    .orderBy('remind_on')
    .orderBy('id')
    .limit(p.most)
    .modifyEnd(d.locked()),
)
const noteSent = statement<{ ids: string; at: string }>()((q, p, d) =>
  q.updateTable('reminders').set({ sent_at: p.at }).where('id', 'in', d.integersIn(p.ids)),
)

export async function isAnyReminderDue(db: Db, today: string): Promise<boolean> {
  return (await db.first(someDue, { today })) !== undefined
}

/** The reminders that are due, which are noted as sent: their jobs are added in the same transaction. */
export async function takeDueReminders(tx: Db, at: string, most: number) {
  const rows = await tx.all(due, { today: at.slice(0, 10), most })
  if (rows.length > 0) await tx.all(noteSent, { ids: JSON.stringify(rows.map(({ id }) => id)), at })
  return rows
}
