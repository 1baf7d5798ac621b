// What people choose from while they type: users and bugs.

import { me } from '../core/account/session.ts'
import { addPeople } from '../core/bugs/people.ts'
import { get } from '../core/server/rest.ts'
import type { UserSuggestion } from '../core/server/types.ts'
import { bugsCall } from '../first-calls.ts'
import { matchingOptions, type Option } from './combobox.tsx'
import { nameOf, type PersonLike } from './person.tsx'

/** The server suggests users from three characters on, and none to anonymous callers. */
const SHORTEST_NAME = 3

export function optionFor(person: PersonLike): Option {
  const name = nameOf(person)
  return { value: person.name, name, ...(name !== person.name && { note: person.name }) }
}

/** The reader first, then users who are known on the page, then others whose names match the typed text. */
export async function peopleLike(text: string, near: readonly PersonLike[] = []): Promise<Option[]> {
  const first = [...(me.value === undefined ? [] : [me.value]), ...near]
  const byName = new Map(first.map((person) => [person.name, person]))
  const known = matchingOptions([...byName.values()].map(optionFor), text)
  if (me.value === undefined || text.trim().length < SHORTEST_NAME) return [...known]
  const address = `/rest/user/suggest?match=${encodeURIComponent(text.trim())}`
  const { users } = await get<{ users: UserSuggestion[] }>(address)
  addPeople(users)
  return [...known, ...users.filter(({ name }) => !known.some(({ value }) => value === name)).map(optionFor)]
}

const SHORTEST_SEARCH = 2
const MOST_BUGS = 8

interface ShortBug {
  id: number
  summary: string
}

/** Bugs by number or by words, open and closed. The one with the number comes first. */
export async function bugsLike(text: string, except?: number): Promise<Option[]> {
  const wanted = text.trim()
  if (wanted.length < SHORTEST_SEARCH) return []
  const fields = 'id,summary'
  const search = new URLSearchParams({
    quicksearch: `ALL ${wanted}`,
    include_fields: fields,
    limit: String(MOST_BUGS),
  })
  const isNumber = /^\d{1,9}$/.test(wanted)
  const answers = await Promise.all([
    isNumber ? get<{ bugs: ShortBug[] }>(bugsCall([Number(wanted)], fields)) : { bugs: [] },
    get<{ bugs: ShortBug[] }>(`/rest/bug?${search}`),
  ])
  const byId = new Map(answers.flatMap(({ bugs }) => bugs).map((bug) => [bug.id, bug]))
  return [...byId.values()]
    .filter(({ id }) => id !== except)
    .map(({ id, summary }) => ({ value: String(id), name: `${id} ${summary}` }))
}
