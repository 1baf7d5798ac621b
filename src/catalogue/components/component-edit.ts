import { findUserByLogin, listUsersByLogins, noSuchUser } from '../../people/users/user-store.ts'
import type { Db } from '../../platform/database/db.ts'
import { errors } from '../../platform/errors.ts'
import { fold } from '../../platform/text/fold.ts'
import { getRotation } from '../rotations/rotation-store.ts'
import type { ComponentEdit, ComponentUser, WantedComponent } from './component.ts'

/** Applies the requested changes and looks up users. */
export async function changedComponent(tx: Db, before: ComponentEdit, wanted: WantedComponent): Promise<ComponentEdit> {
  return {
    name: (wanted.name ?? before.name).trim(),
    description: (wanted.description ?? before.description).trim(),
    default_assignee:
      wanted.default_assignee === undefined ? before.default_assignee : await userNamed(tx, wanted.default_assignee),
    default_qa_contact:
      wanted.default_qa_contact === undefined
        ? before.default_qa_contact
        : await userNamed(tx, wanted.default_qa_contact),
    ...(await changedTriage(tx, before, wanted)),
    default_cc: wanted.default_cc === undefined ? before.default_cc : await ccUsers(tx, wanted.default_cc),
    is_active: wanted.is_open === undefined ? before.is_active : wanted.is_open ? 1 : 0,
  }
}

async function userNamed(tx: Db, login: string): Promise<ComponentUser | undefined> {
  if (login.trim() === '') return undefined
  const user = (await findUserByLogin(tx, login)) ?? noSuchUser(login)
  return { id: user.id, login: user.login }
}

/** A user takes the place of a rotation, and a rotation that of a user. */
async function changedTriage(tx: Db, before: ComponentEdit, wanted: WantedComponent) {
  const [owner, rotation] = [wanted.triage_owner?.trim(), wanted.triage_rotation?.trim()]
  if (owner && rotation)
    throw errors.bad_value({ name: 'triage_rotation', value: rotation, right: 'leave it out, or triage_owner' })
  const isOther = Boolean(owner || rotation)
  return {
    triage_owner: owner === undefined ? (isOther ? undefined : before.triage_owner) : await userNamed(tx, owner),
    triage_rotation: rotation
      ? await getRotation(tx, rotation)
      : rotation === '' || isOther
        ? undefined
        : before.triage_rotation,
  }
}

async function ccUsers(tx: Db, logins: readonly string[]): Promise<ComponentUser[]> {
  const named = logins.filter((login) => login.trim() !== '')
  if (named.length === 0) return []
  const users = new Map((await listUsersByLogins(tx, named)).map(({ id, login }) => [fold(login), { id, login }]))
  const people = named.map((login) => {
    const user = users.get(fold(login.trim()))
    if (!user) throw errors.no_such_user_to_copy({ login })
    return user
  })
  return [...new Set(people)].sort((a, b) => (fold(a.login) < fold(b.login) ? -1 : 1))
}
