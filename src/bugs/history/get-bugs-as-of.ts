import { neutralNick } from '../../../shared/nicks.ts'
import type { CallContext } from '../../access/call.ts'
import { viewerOf } from '../../access/visibility/visible-bugs.ts'
import type { FieldDefinitions } from '../../catalogue/fields/field.ts'
import { keptFields } from '../../catalogue/fields/field-store.ts'
import type { Workflow } from '../../catalogue/workflow/workflow.ts'
import { keptWorkflow } from '../../catalogue/workflow/workflow-store.ts'
import { errors } from '../../platform/errors.ts'
import { everyField, type FieldSelection } from '../../platform/wire/field-selection.ts'
import { requireAtMost } from '../../platform/wire/params.ts'
import { type Discussion, discussionOf } from '../reading/bug-discussion.ts'
import { kindOfField } from '../reading/bug-fields.ts'
import { faultOf, getFewBugs, MOST_BUGS_AT_ONCE } from '../reading/get-bugs.ts'
import { duplicatesUpTo, lastChangesUpTo, usersWithLogins } from './as-of-store.ts'
import { historyOfBugs } from './read-history.ts'
import { rewind, type ShownBug } from './rewind.ts'

/**
 * Bugs as they were at a time: the current bugs, with all later changes undone. Today's rights decide who sees what. Fields without
 * history are left out: flags, personal tags, attachments, duplicates, and the classification of a bug that was in another product.
 */
export async function getBugsAsOf(context: CallContext, refs: readonly string[], isPermissive: boolean, at: string) {
  if (refs.length === 0) throw errors.parameter_required({ name: 'ids' })
  requireAtMost(MOST_BUGS_AT_ONCE, 'ids', [...refs])
  const written = await getFewBugs({ ...context, select: ALL_FIELDS }, refs, isPermissive)
  const now = JSON.parse(written.text) as { bugs: ShownBug[]; faults: object[] }
  const unborn = now.bugs.filter((bug) => String(bug.creation_time) > at)
  const reasons = unborn.map((bug) => ({ id: Number(bug.id), why: errors.no_such_bug({ ref: String(bug.id) }) }))
  if (reasons[0] !== undefined && !isPermissive) throw reasons[0].why
  const faults = reasons.map(({ id, why }) => faultOf(id, why))
  const bugs = await asOf(
    context,
    now.bugs.filter((bug) => !unborn.includes(bug)),
    at,
  )
  return { bugs: bugs.map((bug) => pick(bug, context.select)), faults: [...now.faults, ...faults] }
}

/** Fields without history. */
const UNKNOWN = new Set(['flags', 'tags', 'attachments', 'duplicates', 'update_token'])

/** Fields depend on each other, so all are read, and the requested ones are picked at the end. Comments are read separately. */
const ALL_FIELDS: FieldSelection = {
  ...everyField,
  wants: (field, kind) => kind !== 'extra' && !UNKNOWN.has(field),
}

async function asOf(context: CallContext, bugs: readonly ShownBug[], at: string): Promise<ShownBug[]> {
  const ids = bugs.map((bug) => Number(bug.id))
  const fields = await context.catalogue(keptFields)
  const workflow = await context.catalogue(keptWorkflow)
  const changes = await historyOfBugs(context, ids, at)
  const last = await lastChangesUpTo(context.db, ids, at)
  const rewound = bugs.map((bug) => rewind(bug, changes.get(Number(bug.id)) ?? [], fields))
  const duplicates = await duplicatesOf(context, rewound, at)
  const people = await peopleOf(context, rewound)
  const discussion = await discussionOf(context, ids, { until: at })
  const texts = await textsOf(ids, discussion)
  return rewound.map((bug, index) => {
    const id = Number(bug.id)
    const wasElsewhere = bug.product !== bugs[index]?.product
    return {
      ...without(bug, wasElsewhere ? 'classification' : ''),
      is_open: isOpen(String(bug.status), fields, workflow),
      dupe_of: duplicates.get(id) ?? null,
      last_change_time: last.get(id) ?? bug.creation_time,
      ...details(bug, people),
      ...JSON.parse(`{${texts.get(id) ?? ''}}`),
    }
  })
}

async function textsOf(ids: readonly number[], discussion: Discussion) {
  const texts = new Map<number, string>()
  for (const id of ids) {
    let text = ''
    for await (const piece of discussion(id) ?? []) text += piece
    texts.set(id, text)
  }
  return texts
}

function without(bug: ShownBug, field: string): ShownBug {
  const { [field]: _, ...rest } = bug
  return rest
}

function isOpen(status: string, fields: FieldDefinitions, workflow: Workflow) {
  const value = fields.valuesOf('bug_status').find(({ name }) => name === status)
  return value !== undefined && workflow.isOpen(value.id)
}

/** The targets of the bugs that were duplicates at that time. */
function duplicatesOf({ db, settings, caller }: CallContext, bugs: readonly ShownBug[], at: string) {
  const ids = bugs.filter((bug) => bug.resolution === 'DUPLICATE').map((bug) => Number(bug.id))
  return duplicatesUpTo(db, settings, viewerOf(caller), ids, at)
}

interface PastUser {
  id?: number
  real_name: string
  nick?: string
  name: string
  email: string
}

/** The users in the bugs, by login name. A user who was renamed since has only the old login name. */
async function peopleOf({ db }: CallContext, bugs: readonly ShownBug[]): Promise<(login: string) => PastUser> {
  const logins = bugs.flatMap(({ assigned_to, qa_contact, cc }) => [assigned_to, qa_contact, ...(cc as string[])])
  const found = await usersWithLogins(db, [...new Set(logins.map(String))])
  const byLogin = new Map(found.map((person) => [person.login, person]))
  return (login) => {
    const person = byLogin.get(login)
    const real_name = person?.real_name ?? ''
    const nick = person && { nick: person.nick ?? neutralNick(person.id) }
    return { ...(person && { id: person.id }), real_name, ...nick, name: login, email: login }
  }
}

function details({ assigned_to, qa_contact, cc }: ShownBug, person: (login: string) => PastUser) {
  return {
    assigned_to_detail: person(String(assigned_to)),
    qa_contact_detail: qa_contact === '' ? undefined : person(String(qa_contact)),
    cc_detail: (cc as string[]).map(person),
  }
}

function pick(bug: ShownBug, select: FieldSelection): ShownBug {
  const shown = select.pick(bug, kindOfField)
  for (const field of DETAILS) {
    const detail = shown[field]
    if (Array.isArray(detail)) shown[field] = detail.map((one) => select.within(field).pick(one))
    else if (detail !== undefined) shown[field] = select.within(field).pick(detail as PastUser)
  }
  return shown
}

const DETAILS = ['creator_detail', 'assigned_to_detail', 'qa_contact_detail', 'cc_detail']
