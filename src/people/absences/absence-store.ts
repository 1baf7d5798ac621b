import { requireOwnRoom } from '../../access/own-limits.ts'
import type { Db } from '../../platform/database/db.ts'
import { statement } from '../../platform/database/statements/statement.ts'
import type { Absence, AbsenceEdit } from './absence.ts'

const COLUMNS = ['id', 'user_id', 'starts_at', 'ends_at', 'note'] as const

const ofUsers = statement<{ users: string; now: string }>()((q, p, d) =>
  q
    .selectFrom('absences')
    .select(COLUMNS)
    .where('user_id', 'in', d.integersIn(p.users))
    .where('ends_at', '>', p.now)
    .orderBy('user_id')
    .orderBy('starts_at')
    .orderBy('id'),
)
const byId = statement<{ id: number; userId: number }>()((q, p) =>
  q.selectFrom('absences').select(COLUMNS).where('id', '=', p.id).where('user_id', '=', p.userId),
)

/** The absences of these users that are not over at that time, by user, then by their beginning. */
export function listAbsences(db: Db, userIds: readonly number[], now: string): Promise<Absence[]> {
  return db.all(ofUsers, { users: JSON.stringify(userIds), now })
}

/** Which of these users are away at that time, each with the absence that ends last. */
export async function absentAmong(db: Db, userIds: readonly number[], now: string): Promise<Map<number, Absence>> {
  const absences = new Map<number, Absence>()
  for (const absence of await listAbsences(db, userIds, now)) {
    const other = absences.get(absence.user_id)
    if (absence.starts_at <= now && (other === undefined || other.ends_at < absence.ends_at))
      absences.set(absence.user_id, absence)
  }
  return absences
}

export function findAbsence(db: Db, userId: number, id: number): Promise<Absence | undefined> {
  return db.first(byId, { id, userId })
}

const count = statement<{ userId: number }>()((q, p) =>
  q
    .selectFrom('absences')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('user_id', '=', p.userId),
)

/** Refuses one more absence if the account has too many. Call it in a transaction of accounts. */
export async function requireRoomForAbsence(tx: Db, userId: number) {
  requireOwnRoom('absences', Number((await tx.first(count, { userId }))?.count ?? 0))
}

const insert = statement<AbsenceEdit & { userId: number }>()((q, p) =>
  q
    .insertInto('absences')
    .values({ user_id: p.userId, starts_at: p.starts_at, ends_at: p.ends_at, note: p.note })
    .returning('id'),
)
const update = statement<AbsenceEdit & { id: number }>()((q, p) =>
  q.updateTable('absences').set({ starts_at: p.starts_at, ends_at: p.ends_at, note: p.note }).where('id', '=', p.id),
)
const remove = statement<{ id: number }>()((q, p) => q.deleteFrom('absences').where('id', '=', p.id))
const removeOver = statement<{ userId: number; now: string }>()((q, p) =>
  q.deleteFrom('absences').where('user_id', '=', p.userId).where('ends_at', '<=', p.now),
)

export async function insertAbsence(tx: Db, userId: number, edit: AbsenceEdit): Promise<number> {
  return (await tx.first(insert, { ...edit, userId }))?.id as number
}

export async function updateAbsence(tx: Db, id: number, edit: AbsenceEdit) {
  await tx.all(update, { ...edit, id })
}

export async function deleteAbsence(tx: Db, id: number) {
  await tx.all(remove, { id })
}

/** Absences that are over are kept until the user notes the next one. */
export async function forgetPastAbsences(tx: Db, userId: number, now: string) {
  await tx.all(removeOver, { userId, now })
}
