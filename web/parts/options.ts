// What people choose from while they type: users and bugs.

import { bugsCall } from '../../shared/first-calls.ts'
import { addressOf } from '../../shared/rest-address.ts'
import { me } from '../core/account/session.ts'
import type { PersonLike } from '../core/bugs/people.ts'
import { addPeople } from '../core/bugs/people.ts'
import { get } from '../core/server/rest.ts'
import { lastDayBefore, shortDate } from '../core/times.ts'
import { matchingOptions, noteOf, type Option } from './combobox.tsx'
import { bestFirst } from './matching.ts'
import { nameOf } from './person.tsx'

/** The server suggests users from three characters on, and none to anonymous callers. */
const SHORTEST_NAME = 3
/** It suggests at most so many. */
const MOST_SUGGESTED = 25

export function optionFor(person: PersonLike & { away_until?: string }): Option {
  const name = nameOf(person)
  const away = person.away_until === undefined ? [] : [`away until ${shortDate(lastDayBefore(person.away_until))}`]
  const notes = [...away, ...(name === person.name ? [] : [person.name])]
  return { value: person.name, name, ...(notes.length > 0 && { note: notes.join(', ') }) }
}

/** The reader first, then users who are known on the page, then others whose names match the typed text. */
export async function peopleLike(text: string, near: readonly PersonLike[] = []): Promise<Option[]> {
  const first = [...(me.value === undefined ? [] : [me.value]), ...near]
  const byName = new Map(first.map((person) => [person.name, person]))
  const known = matchingOptions([...byName.values()].map(optionFor), text)
  if (me.value === undefined) return [...known]
  const length = text.trim().length
  if (length < SHORTEST_NAME)
    return [...known, ...(length === 0 ? [] : [noteOf('Other people: type at least three letters.')])]
  const { users } = await get(addressOf('/user/suggest', { match: text.trim() }))
  addPeople(users)
  const others = users.filter(({ name }) => !byName.has(name)).map(optionFor)
  const cut = users.length < MOST_SUGGESTED ? [] : [noteOf('There are more people. Type more of the name.')]
  return [...bestFirst([...known, ...others], text, ({ name, note }) => [name, note]), ...cut]
}

const SHORTEST_SEARCH = 2
const MOST_BUGS = 8

interface ShortBug {
  id: number
  summary: string
  alias?: readonly string[]
}

/** Bugs by number, alias or words, open and closed. The one with the number or the alias comes first. */
export async function bugsLike(text: string, except?: number): Promise<Option[]> {
  const wanted = text.trim()
  if (wanted.length < SHORTEST_SEARCH) return []
  const fields = 'id,summary,alias'
  const search = addressOf('/bug', {
    quicksearch: `ALL ${wanted}`,
    include_fields: fields,
    // One more shows whether there are more, another stands for the one that is left out.
    limit: MOST_BUGS + (except === undefined ? 1 : 2),
  })
  const isNumber = /^\d{1,9}$/.test(wanted)
  const [named, matching] = await Promise.all([
    isNumber
      ? get(bugsCall([Number(wanted)], fields))
      : get(addressOf('/bug', { alias: wanted, include_fields: fields, limit: 1 })),
    get(search),
  ])
  const first: readonly ShortBug[] = named.bugs ?? []
  // A number that was typed means no other bug, also if there is none with it.
  const found = first.length === 0 && isNumber ? [] : [...first, ...(matching.bugs ?? [])]
  const byId = new Map(found.filter(({ id }) => id !== except).map((bug) => [bug.id, bug]))
  const all = bestFirst([...byId.values()], wanted, ({ id, alias = [], summary }) => [String(id), ...alias, summary])
  const options = all.slice(0, MOST_BUGS).map(({ id, summary }) => ({ value: String(id), name: `${id} ${summary}` }))
  return all.length > MOST_BUGS ? [...options, noteOf('There are more bugs. Type more words, or a number.')] : options
}
