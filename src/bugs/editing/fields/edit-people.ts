import { getUsersByLogins } from '../../../people/users/user-store.ts'
import { aboutField } from '../../../platform/about-field.ts'
import type { Db } from '../../../platform/database/db.ts'
import { errors } from '../../../platform/errors.ts'
import { mayChange } from '../../rights/bug-permissions.ts'
import { type BugRole, requireIsolation, rolesIn } from '../../rights/strict-isolation.ts'
import { type Batch, type BugEdit, isMoving } from '../batch/batch.ts'
import { listAfter, sameIds } from '../list-after.ts'
import { setColumn } from './edit-values.ts'
import { listComponentPeople } from './location-store.ts'

interface AssignedUser {
  id: number
  login: string
}

const NO_ONE = { id: null, login: null }

/** Changes the assignee and the QA contact, given by login name. */
export async function editPeople(tx: Db, { params, edits }: Batch) {
  if (params.assigned_to !== undefined) {
    if (params.assigned_to.trim() === '') throw errors.parameter_required({ name: 'assigned_to', field: 'assigned_to' })
    const person = await userNamed(tx, 'assigned_to', params.assigned_to)
    for (const edit of edits) assign(edit, person)
  }
  if (params.qa_contact === undefined) return
  const person = params.qa_contact.trim() === '' ? NO_ONE : await userNamed(tx, 'qa_contact', params.qa_contact)
  for (const edit of edits) setQaContact(edit, person)
}

/** Resets assignee and QA contact to the defaults of the component, or of the new one if it changes too. */
export async function resetPeople(tx: Db, { params, edits }: Batch) {
  if (!params.reset_assigned_to && !params.reset_qa_contact) return
  const rows = await listComponentPeople(
    tx,
    edits.map(({ after }) => after.component_id),
  )
  const byComponent = new Map(rows.map((row) => [row.id, row]))
  for (const edit of edits) {
    const people = byComponent.get(edit.after.component_id)
    if (people === undefined) continue
    if (params.reset_assigned_to) assign(edit, { id: people.assignee_id, login: people.assignee })
    if (params.reset_qa_contact) setQaContact(edit, { id: people.qa_contact_id, login: people.qa_contact })
  }
}

function assign(edit: BugEdit, { id, login }: AssignedUser) {
  setColumn(edit, 'assigned_to', 'assigned_to_id', id)
  edit.after.assigned_to_id = id
  edit.after.assigned_to = login
}

function setQaContact(edit: BugEdit, { id, login }: { id: number | null; login: string | null }) {
  setColumn(edit, 'qa_contact', 'qa_contact_id', id)
  edit.after.qa_contact_id = id
  edit.after.qa_contact = login
}

async function userNamed(tx: Db, field: string, login: string): Promise<AssignedUser> {
  const [person] = await aboutField(field, () => getUsersByLogins(tx, [login]))
  return person as AssignedUser
}

/** All users may add users to the CC list and remove themselves. To remove others needs the right `cc.remove`. */
export async function editCc(tx: Db, { params, editor, edits, ignored }: Batch) {
  if (params.cc === undefined) return
  if (params.cc.set !== undefined) ignored.add('cc.set')
  const { add, remove } = params.cc
  const people = (await getUsersByLogins(tx, [...add, ...remove])).map(({ id, login }) => ({ id, login }))
  const wanted = { add: people.slice(0, add.length), remove: people.slice(add.length), set: undefined }
  for (const { after, rights } of edits) {
    const others = wanted.remove.filter(({ id }) => id !== editor.id && after.cc.some((it) => it.id === id))
    const [other] = others
    if (other !== undefined && !mayChange(rights, 'cc.remove')) throw errors.cc_not_removable({ login: other.login })
    const cc = listAfter(after.cc, wanted)
    if (!sameIds(after.cc, cc)) after.cc = cc
  }
}

/** With strict_isolation, users who get a role in a bug, and all who have one when it moves, must have access to its product. */
export async function isolatePeople(tx: Db, { settings, groups, edits }: Batch) {
  for (const [productId, editsInProduct] of Map.groupBy(edits, ({ after }) => after.product_id))
    await requireIsolation(tx, { settings, groups }, productId, editsInProduct.flatMap(newPeopleOf))
}

function newPeopleOf(edit: BugEdit): BugRole[] {
  const had = isMoving(edit) ? [] : peopleOf(edit.before)
  return peopleOf(edit.after).filter(({ id }) => !had.some((it) => it.id === id))
}

function peopleOf(bug: BugEdit['before']): BugRole[] {
  return rolesIn(
    bug,
    bug.cc.map(({ id }) => id),
  )
}
