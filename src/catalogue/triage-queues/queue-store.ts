import type { CataloguePart } from '../../access/installation.ts'
import type { Db } from '../../platform/database/db.ts'
import { onUniqueViolation } from '../../platform/database/on-unique-violation.ts'
import { statement } from '../../platform/database/statements/statement.ts'
import { errors } from '../../platform/errors.ts'
import { fold } from '../../platform/text/fold.ts'
import type { QueueEdit, TriageQueue } from './queue.ts'

const all = statement<object>()((q) =>
  q
    .selectFrom('triage_queues')
    .select(['id', 'name', 'query', 'group_id', 'rotation_id', 'aim_days'])
    .orderBy('name_key'),
)

/** By name. Administrators make them, so that there are few. */
export function listQueues(db: Db): Promise<TriageQueue[]> {
  return db.all(all, {})
}

/** Kept until the catalogue changes. */
export const keptQueues: CataloguePart<readonly TriageQueue[]> = { read: (db) => listQueues(db) }

export async function getQueue(db: Db, name: string): Promise<TriageQueue> {
  return queueNamed(await listQueues(db), name)
}

/** Throws 51 if there is none of this name. */
export function queueNamed(queues: readonly TriageQueue[], name: string): TriageQueue {
  const key = fold(name.trim())
  const found = queues.find((queue) => fold(queue.name) === key)
  if (found === undefined) throw errors.no_such_object({ what: 'triage queue', ref: name })
  return found
}

interface Row {
  name: string
  key: string
  query: string
  groupId: number
  rotationId: number | null
  aimDays: number | null
}

const insert = statement<Row>()((q, p) =>
  q
    .insertInto('triage_queues')
    .values({
      name: p.name,
      name_key: p.key,
      query: p.query,
      group_id: p.groupId,
      rotation_id: p.rotationId,
      aim_days: p.aimDays,
    })
    .returning('id'),
)
const update = statement<Row & { id: number }>()((q, p) =>
  q
    .updateTable('triage_queues')
    .set({
      name: p.name,
      name_key: p.key,
      query: p.query,
      group_id: p.groupId,
      rotation_id: p.rotationId,
      aim_days: p.aimDays,
    })
    .where('id', '=', p.id),
)
const remove = statement<{ id: number }>()((q, p) => q.deleteFrom('triage_queues').where('id', '=', p.id))
const updateQuery = statement<{ id: number; query: string }>()((q, p) =>
  q.updateTable('triage_queues').set({ query: p.query }).where('id', '=', p.id),
)
const locked = statement<{ id: number }>()((q, p, d) =>
  q.selectFrom('triage_queues').select('id').where('id', '=', p.id).modifyEnd(d.lockedBesideReferences()),
)

export async function insertQueue(tx: Db, edit: QueueEdit): Promise<number> {
  return (await onNameTaken(tx, edit, () => tx.first(insert, rowOf(edit))))?.id as number
}

export async function updateQueue(tx: Db, id: number, edit: QueueEdit) {
  await onNameTaken(tx, edit, () => tx.all(update, { ...rowOf(edit), id }))
}

export async function deleteQueue(tx: Db, id: number) {
  await tx.all(remove, { id })
}

/** Until the transaction ends, no other one works in this queue. Throws 51 if it was deleted meanwhile. */
export async function lockQueue(tx: Db, { id, name }: TriageQueue) {
  if ((await tx.first(locked, { id })) === undefined) throw errors.no_such_object({ what: 'triage queue', ref: name })
}

/** Changes the searches of all queues, such as a value that was renamed. Returns how many have changed. */
export async function changeQueueQueries(tx: Db, changed: (query: string) => string): Promise<number> {
  let count = 0
  for (const { id, query } of await listQueues(tx)) {
    const renamed = changed(query)
    if (renamed === query) continue
    await tx.all(updateQuery, { id, query: renamed })
    count++
  }
  return count
}

function rowOf({ name, query, group_id, rotation_id, aim_days }: QueueEdit): Row {
  return { name, key: fold(name), query, groupId: group_id, rotationId: rotation_id, aimDays: aim_days }
}

function onNameTaken<Result>(tx: Db, { name }: QueueEdit, write: () => Promise<Result>) {
  return onUniqueViolation(tx, () => errors.name_taken({ what: 'triage queue', name }), write)
}
