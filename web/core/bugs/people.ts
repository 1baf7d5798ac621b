// Names of people. Comments and history have login names only; their real names are read once for the whole page.

import { signal } from '@preact/signals'
import { addressOf } from '../../../shared/rest-address.ts'
import { get } from '../server/rest.ts'

export interface PersonLike {
  id: number
  name: string
  real_name: string
}

const people = signal<ReadonlyMap<string, PersonLike>>(new Map())
/** Login names that were requested, also those that no account was found for. */
const requested = new Set<string>()
const MOST_PEOPLE_AT_ONCE = 200

export function addPeople(found: readonly (PersonLike | undefined)[]) {
  const known = found.filter((person) => person !== undefined)
  if (known.every(({ name }) => people.value.has(name))) return
  people.value = new Map([...people.value, ...known.map((person) => [person.name, person] as const)])
}

/** A user by login name. One whose account is not read yet has the login name for a name. */
export function personBy(login: string): PersonLike {
  return people.value.get(login) ?? { id: 0, name: login, real_name: '' }
}

export async function loadPeople(logins: readonly string[]) {
  const missing = [...new Set(logins)].filter((login) => !people.value.has(login) && !requested.has(login))
  if (missing.length === 0) return
  const some = missing.slice(0, MOST_PEOPLE_AT_ONCE)
  for (const login of some) requested.add(login)
  const address = addressOf('/user', { names: some, include_fields: 'id,name,real_name' })
  // Anonymous readers may get shortened names, which lead to no account.
  const { users } = await get(address).catch(() => ({ users: [] }))
  addPeople(users)
  await loadPeople(missing.slice(MOST_PEOPLE_AT_ONCE))
}
