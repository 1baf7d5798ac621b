import type { CallContext } from '../../access/call.ts'
import { requireGroup } from '../../access/caller.ts'
import { changeCatalogue } from '../../catalogue/change-catalogue.ts'
import { getRotation, listRotations } from '../../catalogue/rotations/rotation-store.ts'
import type { QueueEdit } from '../../catalogue/triage-queues/queue.ts'
import { queueRules } from '../../catalogue/triage-queues/queue-rules.ts'
import {
  deleteQueue,
  getQueue,
  insertQueue,
  listQueues,
  updateQueue,
} from '../../catalogue/triage-queues/queue-store.ts'
import { type Changes, recordAudit, recordCreation, recordRemoval } from '../../changes/audit.ts'
import { changesBetween } from '../../changes/changes-between.ts'
import { requireGroupStillExists } from '../../people/groups/group-store.ts'
import { parametersIn, queryIn } from '../../people/saved-searches/saved-search.ts'
import { aboutField } from '../../platform/about-field.ts'
import type { Db } from '../../platform/database/db.ts'
import { errors } from '../../platform/errors.ts'
import { enforce } from '../../platform/rule.ts'
import { fold } from '../../platform/text/fold.ts'
import { compile } from '../../search/conditions/compile.ts'
import { readSearch } from '../../search/parsing/parse-url.ts'
import { searchContextOf } from '../../search/search-context.ts'

export interface RequestedQueue {
  name?: string | undefined
  query?: string | undefined
  group?: string | undefined
  rotation?: string | undefined
  aim_days?: number | undefined
}

export const MOST_QUEUES = 200

export async function createQueue(context: CallContext, requested: RequestedQueue): Promise<number> {
  const who = requireGroup(context.caller, 'editcomponents').id
  await requireSearch(context, requested.query)
  return changeCatalogue(context.db, async (tx) => {
    if ((await listQueues(tx)).length >= MOST_QUEUES)
      throw errors.own_limit({
        limit: 'triage_queues',
        most: MOST_QUEUES,
        subject: 'triage queues of the installation',
        remedy: 'delete one first',
      })
    if (!requested.group?.trim()) throw errors.parameter_required({ name: 'group' })
    const before: QueueEdit = { name: '', query: '', group_id: 0, rotation_id: null, aim_days: null }
    const edit = await changedQueue(tx, context, before, requested)
    enforce(queueRules, edit)
    const id = await insertQueue(tx, edit)
    await recordCreation(tx, { who, class: 'TriageQueue', objectId: id }, edit.name)
    return id
  })
}

export async function changeQueue(
  context: CallContext,
  ref: string,
  requested: RequestedQueue,
): Promise<{ id: number; changes: Changes }> {
  const who = requireGroup(context.caller, 'editcomponents').id
  await requireSearch(context, requested.query)
  return changeCatalogue(context.db, async (tx) => {
    const { id, ...before } = await getQueue(tx, ref)
    const after = await changedQueue(tx, context, before, requested)
    enforce(queueRules, after)
    await updateQueue(tx, id, after)
    const changes = changesBetween(await writtenQueue(tx, context, before), await writtenQueue(tx, context, after))
    await recordAudit(tx, { who, class: 'TriageQueue', objectId: id }, changes)
    return { id, changes }
  })
}

/** Deletes it with what was decided in it. Bugs stay as they are. */
export async function removeQueue(context: CallContext, ref: string): Promise<{ id: number; name: string }> {
  const who = requireGroup(context.caller, 'editcomponents').id
  return changeCatalogue(context.db, async (tx) => {
    const { id, name } = await getQueue(tx, ref)
    await deleteQueue(tx, id)
    await recordRemoval(tx, { who, class: 'TriageQueue', objectId: id }, name)
    return { id, name }
  })
}

async function changedQueue(
  tx: Db,
  { groups }: CallContext,
  before: QueueEdit,
  { name, query, group, rotation, aim_days }: RequestedQueue,
): Promise<QueueEdit> {
  return {
    name: (name ?? before.name).trim(),
    query: query === undefined ? before.query : queryIn(query),
    group_id: group === undefined ? before.group_id : await groupNamed(tx, groups, group),
    rotation_id:
      rotation === undefined
        ? before.rotation_id
        : rotation.trim() === ''
          ? null
          : (await getRotation(tx, rotation)).id,
    aim_days: aim_days === undefined ? before.aim_days : aim_days === 0 ? null : aim_days,
  }
}

async function groupNamed(tx: Db, { groups }: CallContext['groups'], name: string): Promise<number> {
  const key = fold(name.trim())
  const found = [...groups.values()].find((group) => fold(group.name) === key)
  if (found === undefined) throw errors.no_such_object({ what: 'group', ref: name })
  await requireGroupStillExists(tx, found)
  return found.id
}

async function writtenQueue(
  tx: Db,
  { groups }: CallContext,
  { name, query, group_id, rotation_id, aim_days }: QueueEdit,
) {
  const rotation = (await listRotations(tx)).find(({ id }) => id === rotation_id)?.name ?? ''
  return { name, query, group: groups.groups.get(group_id)?.name ?? '', rotation, aim_days }
}

/** Throws the error that the search would have for the caller. */
async function requireSearch(context: CallContext, query: string | undefined) {
  if (query === undefined || query.trim() === '') return
  const parameters = parametersIn(queryIn(query))
  if ('savedsearch' in parameters) return
  const searchContext = await searchContextOf(context)
  await aboutField('query', async () => {
    const { where, ignored } = await readSearch(searchContext, parameters)
    const [unknown] = ignored
    if (unknown !== undefined) throw errors.not_searchable({ name: unknown })
    await compile(searchContext, where)
  })
}
