import { listAbsences } from '../../people/absences/absence-store.ts'
import type { Db } from '../../platform/database/db.ts'
import { statement } from '../../platform/database/statements/statement.ts'
import { toTime } from '../../platform/time/clock.ts'
import { type IsThere, type Rotation, type RotationMember, turnsFrom } from './rotation.ts'

const enabled = statement<{ users: string }>()((q, p, d) =>
  q.selectFrom('users').select('id').where('id', 'in', d.integersIn(p.users)).where('disabled_text', '=', ''),
)

/** Who can take turns: two statements, however many rotations there are. */
export async function whoIsThere(db: Db, rotations: readonly Rotation[], now: number): Promise<IsThere> {
  const ids = [...new Set(rotations.flatMap(({ members }) => members.map(({ id }) => id)))]
  if (ids.length === 0) return () => false
  const working = new Set((await db.all(enabled, { users: JSON.stringify(ids) })).map(({ id }) => id))
  const absences = Map.groupBy(await listAbsences(db, ids, toTime(now)), ({ user_id }) => user_id)
  return ({ id }, at) => {
    const time = toTime(at)
    const isAway = (absences.get(id) ?? []).some(({ starts_at, ends_at }) => starts_at <= time && time < ends_at)
    return working.has(id) && !isAway
  }
}

/** The person of each rotation at that time. A rotation without anybody who is there is left out. */
export async function currentPeople(
  db: Db,
  rotations: readonly Rotation[],
  now: number,
): Promise<ReadonlyMap<number, RotationMember>> {
  if (rotations.length === 0) return new Map()
  const isThere = await whoIsThere(db, rotations, now)
  const people = new Map<number, RotationMember>()
  for (const rotation of rotations) {
    const [turn] = turnsFrom(rotation, now, 1, isThere)
    if (turn?.member !== undefined) people.set(rotation.id, turn.member)
  }
  return people
}
