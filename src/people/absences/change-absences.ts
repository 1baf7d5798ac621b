import type { Db } from '../../platform/database/db.ts'
import { errors } from '../../platform/errors.ts'
import { enforce } from '../../platform/rule.ts'
import { timeNow } from '../../platform/time/clock.ts'
import { idIn } from '../../platform/wire/reference.ts'
import { lockEnabledUser } from '../users/user-store.ts'
import { type Absence, type AbsenceEdit, changedAbsence } from './absence.ts'
import { absenceRules } from './absence-rules.ts'
import {
  deleteAbsence,
  findAbsence,
  forgetPastAbsences,
  insertAbsence,
  requireRoomForAbsence,
  updateAbsence,
} from './absence-store.ts'

export async function createAbsence(db: Db, userId: number, requested: Partial<AbsenceEdit>): Promise<number> {
  const edit = changedAbsence({ starts_at: '', ends_at: '', note: '' }, requested)
  enforce(absenceRules, edit)
  return changeAbsences(db, userId, async (tx) => {
    await forgetPastAbsences(tx, userId, timeNow())
    await requireRoomForAbsence(tx, userId)
    return insertAbsence(tx, userId, edit)
  })
}

export async function changeAbsence(
  db: Db,
  userId: number,
  ref: string,
  requested: Partial<AbsenceEdit>,
): Promise<Absence> {
  return changeAbsences(db, userId, async (tx) => {
    const before = await getAbsence(tx, userId, ref)
    const edit = changedAbsence(before, requested)
    enforce(absenceRules, edit)
    await updateAbsence(tx, before.id, edit)
    return { ...before, ...edit }
  })
}

export async function removeAbsence(db: Db, userId: number, ref: string): Promise<{ id: number }> {
  return changeAbsences(db, userId, async (tx) => {
    const { id } = await getAbsence(tx, userId, ref)
    await deleteAbsence(tx, id)
    return { id }
  })
}

/** Absences of other users count as missing. */
async function getAbsence(db: Db, userId: number, ref: string): Promise<Absence> {
  const found = await findAbsence(db, userId, idIn(ref) ?? 0)
  if (found === undefined) throw errors.no_such_object({ what: 'absence', ref })
  return found
}

function changeAbsences<Result>(db: Db, userId: number, change: (tx: Db) => Promise<Result>): Promise<Result> {
  return db.transaction(async (tx) => {
    await lockEnabledUser(tx, userId)
    return change(tx)
  }, 'accounts')
}
