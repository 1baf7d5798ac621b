import { type Changes, recordAudit, recordCreation, recordRemoval } from '../../changes/audit.ts'
import { changesBetween } from '../../changes/changes-between.ts'
import { listTargets } from '../../people/users/user-targets.ts'
import type { Db } from '../../platform/database/db.ts'
import { enforce } from '../../platform/rule.ts'
import { timeNow } from '../../platform/time/clock.ts'
import { changeCatalogue } from '../change-catalogue.ts'
import { type Period, type RotationEdit, writtenRotation } from './rotation.ts'
import { rotationRules } from './rotation-rules.ts'
import { deleteRotation, getRotation, insertRotation, updateRotation } from './rotation-store.ts'

export interface RequestedRotation {
  name?: string | undefined
  period?: string | undefined
  start?: string | undefined
  time_zone?: string | undefined
  users?: readonly string[] | undefined
}

export async function createRotation(db: Db, who: number, requested: RequestedRotation): Promise<number> {
  return changeCatalogue(db, async (tx) => {
    const before: RotationEdit = { name: '', period: 'week', starts_at: timeNow(), time_zone: 'UTC', members: [] }
    const edit = await changedRotation(tx, before, requested)
    enforce(rotationRules, edit)
    const id = await insertRotation(tx, edit)
    await recordCreation(tx, { who, class: 'Rotation', objectId: id }, edit.name)
    return id
  })
}

export async function changeRotation(
  db: Db,
  who: number,
  ref: string,
  requested: RequestedRotation,
): Promise<{ id: number; changes: Changes }> {
  return changeCatalogue(db, async (tx) => {
    const { id, ...before } = await getRotation(tx, ref)
    const after = await changedRotation(tx, before, requested)
    enforce(rotationRules, after)
    await updateRotation(tx, id, after)
    const changes = changesBetween(writtenRotation(before), writtenRotation(after))
    await recordAudit(tx, { who, class: 'Rotation', objectId: id }, changes)
    return { id, changes }
  })
}

export async function removeRotation(db: Db, who: number, ref: string): Promise<{ id: number; name: string }> {
  return changeCatalogue(db, async (tx) => {
    const rotation = await getRotation(tx, ref)
    await deleteRotation(tx, rotation)
    await recordRemoval(tx, { who, class: 'Rotation', objectId: rotation.id }, rotation.name)
    return { id: rotation.id, name: rotation.name }
  })
}

async function changedRotation(tx: Db, before: RotationEdit, requested: RequestedRotation): Promise<RotationEdit> {
  return {
    name: (requested.name ?? before.name).trim(),
    period: (requested.period ?? before.period) as Period,
    starts_at: requested.start ?? before.starts_at,
    time_zone: requested.time_zone ?? before.time_zone,
    members: requested.users === undefined ? before.members : await listMembers(tx, requested.users),
  }
}

/** In the given order. A user who is given twice stays twice, for the rule that refuses it. */
async function listMembers(tx: Db, refs: readonly string[]) {
  const members = []
  for (const ref of refs) {
    const [user] = await listTargets(tx, [ref])
    if (user !== undefined) members.push({ id: user.id, login: user.login, real_name: user.real_name, nick: user.nick })
  }
  return members
}
