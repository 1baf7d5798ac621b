import { get } from '../../core/rest.ts'
import { me } from '../../core/session.ts'
import type { UserSuggestion } from '../../core/types.ts'
import { matching, type Option } from '../../parts/combobox.tsx'
import { nameOf } from '../../parts/person.tsx'

/** The server looks for people from three characters on. */
const SHORTEST_SEARCH = 3

/** Oneself first; others as their names are typed. */
export async function peopleLike(text: string): Promise<Option[]> {
  const own = me.value === undefined ? [] : matching([optionFor(me.value)], text)
  if (text.trim().length < SHORTEST_SEARCH) return [...own]
  const { users } = await get<{ users: UserSuggestion[] }>(
    `/rest/user/suggest?match=${encodeURIComponent(text.trim())}`,
  )
  return [...own, ...users.filter(({ name }) => name !== me.value?.name).map(optionFor)]
}

function optionFor(person: { id: number; name: string; real_name: string }): Option {
  const name = nameOf(person)
  return { value: person.name, name, ...(name !== person.name && { note: person.name }) }
}
