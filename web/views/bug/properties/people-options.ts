import { personBy } from '../../../core/bugs/people.ts'
import type { Option } from '../../../parts/combobox.tsx'
import { peopleLike as peopleNear } from '../../../parts/options.ts'
import type { BugStore } from '../bug-store.ts'

/** The reader and the people of the bug first, then others whose names match the typed text. */
export function peopleLike(store: BugStore, text: string): Promise<Option[]> {
  const bug = store.bug.value
  const logins = [
    bug?.assigned_to,
    bug?.creator,
    ...store.comments.value.map(({ creator }) => creator).reverse(),
    ...(bug?.cc ?? []),
  ].filter((login) => login !== undefined && login !== '') as string[]
  return peopleNear(
    text,
    logins.map((login) => personBy(login)),
  )
}
