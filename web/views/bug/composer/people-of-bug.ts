import { me } from '../../../core/account/session.ts'
import type { BugStore } from '../bug-store.ts'

/** Those who may be mentioned first: who reported it, works on it, wrote last and follows it. */
export function peopleOfBug({ bug, comments }: Pick<BugStore, 'bug' | 'comments'>) {
  const { creator_detail, assigned_to_detail, qa_contact_detail, cc_detail = [] } = bug.value ?? {}
  const authors = comments.value.map(({ creator_detail: author }) => author).reverse()
  const all = [creator_detail, assigned_to_detail, qa_contact_detail, ...authors, ...cc_detail]
  const known = all.filter((person) => person !== undefined && person.id !== me.value?.id)
  return [...new Map(known.flatMap((person) => (person === undefined ? [] : [[person.id, person]]))).values()]
}
