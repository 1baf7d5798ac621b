import type { CataloguePart } from '../../access/installation.ts'
import type { Db } from '../../platform/database/db.ts'
import { onUniqueViolation } from '../../platform/database/on-unique-violation.ts'
import { statement } from '../../platform/database/statements/statement.ts'
import { errors } from '../../platform/errors.ts'
import { fold } from '../../platform/text/fold.ts'
import { onForeignKeyViolation } from '../on-foreign-key-violation.ts'
import type { Period, Rotation, RotationEdit } from './rotation.ts'

const all = statement<object>()((q) =>
  q.selectFrom('rotations').select(['id', 'name', 'period', 'starts_at', 'time_zone']).orderBy('name_key'),
)
const members = statement<object>()((q) =>
  q
    .selectFrom('rotation_members')
    .innerJoin('users', 'users.id', 'rotation_members.user_id')
    .select(['rotation_members.rotation_id', 'users.id', 'users.login', 'users.real_name', 'users.nick'])
    .orderBy('rotation_members.rotation_id')
    .orderBy('rotation_members.position'),
)

/** By name. Administrators make them, so that there are few. */
export async function listRotations(db: Db): Promise<Rotation[]> {
  const people = Map.groupBy(await db.all(members, {}), (row) => row.rotation_id)
  return (await db.all(all, {})).map((row) => ({
    ...row,
    period: row.period as Period,
    members: (people.get(row.id) ?? []).map(({ id, login, real_name, nick }) => ({ id, login, real_name, nick })),
  }))
}

/** Kept until the catalogue changes, or a user is renamed. */
export const keptRotations: CataloguePart<readonly Rotation[]> = { read: (db) => listRotations(db) }

export async function findRotation(db: Db, name: string): Promise<Rotation | undefined> {
  const key = fold(name.trim())
  return (await listRotations(db)).find((rotation) => fold(rotation.name) === key)
}

export async function getRotation(db: Db, name: string): Promise<Rotation> {
  const found = await findRotation(db, name)
  if (found === undefined) throw errors.no_such_object({ what: 'rotation', ref: name })
  return found
}

interface Row {
  name: string
  key: string
  period: string
  startsAt: string
  timeZone: string
}

const insert = statement<Row>()((q, p) =>
  q
    .insertInto('rotations')
    .values({ name: p.name, name_key: p.key, period: p.period, starts_at: p.startsAt, time_zone: p.timeZone })
    .returning('id'),
)
const update = statement<Row & { id: number }>()((q, p) =>
  q
    .updateTable('rotations')
    .set({ name: p.name, name_key: p.key, period: p.period, starts_at: p.startsAt, time_zone: p.timeZone })
    .where('id', '=', p.id),
)
const remove = statement<{ id: number }>()((q, p) => q.deleteFrom('rotations').where('id', '=', p.id))
const removeMembers = statement<{ id: number }>()((q, p) =>
  q.deleteFrom('rotation_members').where('rotation_id', '=', p.id),
)

export async function insertRotation(tx: Db, edit: RotationEdit): Promise<number> {
  const id = (await onNameTaken(tx, edit, () => tx.first(insert, rowOf(edit))))?.id as number
  await insertMembers(tx, id, edit)
  return id
}

export async function updateRotation(tx: Db, id: number, edit: RotationEdit) {
  await onNameTaken(tx, edit, () => tx.all(update, { ...rowOf(edit), id }))
  await tx.all(removeMembers, { id })
  await insertMembers(tx, id, edit)
}

/** Refused while a component or a queue uses it. */
export async function deleteRotation(tx: Db, { id, name }: Rotation) {
  await onForeignKeyViolation(tx, `The rotation ${name}`, () => tx.all(remove, { id }))
}

async function insertMembers(tx: Db, id: number, { members }: RotationEdit) {
  const rows = members.map((member, position) => ({ rotation_id: id, position, user_id: member.id }))
  await tx.query((q) => q.insertInto('rotation_members').values(rows))
}

function rowOf({ name, period, starts_at, time_zone }: RotationEdit): Row {
  return { name, key: fold(name), period, startsAt: starts_at, timeZone: time_zone }
}

function onNameTaken<Result>(tx: Db, { name }: RotationEdit, write: () => Promise<Result>) {
  return onUniqueViolation(tx, () => errors.name_taken({ what: 'rotation', name }), write)
}
