import { get } from '../../core/rest.ts'
import { me } from '../../core/session.ts'
import type { UserSuggestion } from '../../core/types.ts'
import { matching, type Option } from '../../parts/combobox.tsx'
import { nameOf, type PersonLike } from '../../parts/person.tsx'
import type { BugStore } from './bug-store.ts'
import { addPeople, personBy } from './people.ts'

/** The server looks for people from three characters on. */
const SHORTEST_SEARCH = 3

function optionFor(person: PersonLike): Option {
  const name = nameOf(person)
  return { value: person.name, name, ...(name !== person.name && { note: person.name }) }
}

/** Oneself and the people of the bug first; others as their names are typed. */
export async function peopleLike(store: BugStore, text: string): Promise<Option[]> {
  const bug = store.bug.value
  const logins = [
    me.value?.name,
    bug?.assigned_to,
    bug?.creator,
    ...store.comments.value.map(({ creator }) => creator).reverse(),
    ...(bug?.cc ?? []),
  ].filter((login) => login !== undefined && login !== '') as string[]
  const near = matching(
    [...new Set(logins)].map((login) => optionFor(personBy(login))),
    text,
  )
  if (text.trim().length < SHORTEST_SEARCH) return [...near]
  const { users } = await get<{ users: UserSuggestion[] }>(
    `/rest/user/suggest?match=${encodeURIComponent(text.trim())}`,
  )
  addPeople(users)
  const found = users.filter(({ name }) => !near.some(({ value }) => value === name)).map(optionFor)
  return [...near, ...found]
}
