import type { Place } from '../changes/use-place.ts'
import type { GroupState, GroupText } from './group-state.ts'

const TITLES: Record<GroupText, string> = {
  name: 'name',
  description: 'description',
  user_regexp: 'pattern',
  icon_url: 'icon',
}

/** What an empty value means. */
const EMPTY: Partial<Readonly<Record<GroupText, string>>> = { user_regexp: 'no pattern', icon_url: 'no icon' }

/** A text of the group, with its change. */
export function textOf(place: Place<GroupState>, { group }: GroupState, name: GroupText) {
  const before = group[name] ?? ''
  return {
    value: place.draft.valueOf(name, before),
    change: place.draft.get(name),
    set: (after: string, isFinal = false) =>
      place.change({
        key: name,
        title: TITLES[name],
        before,
        after,
        isFinal,
        words: { '': EMPTY[name] ?? 'nothing' },
        call: { method: 'PUT', path: `/rest/group/${group.id}`, params: { [name]: after } },
      }),
  }
}
