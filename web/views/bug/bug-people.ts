// The people of a bug: those whose names its page shows.
import { me } from '../../core/account/session.ts'
import { addPeople, loadPeople } from '../../core/bugs/people.ts'
import type { Attachment, Bug, Comment, HistoryEntry } from '../../core/server/types.ts'

/** What names people, besides the bug itself. */
interface Discussion {
  comments: { readonly value: readonly Comment[] }
  history: { readonly value: readonly HistoryEntry[] }
  attachments: { readonly value: readonly Attachment[] }
}

/** Remembers the names that came with the bug, and asks for the others. */
export function learnPeopleOf(bug: Bug, { comments, history, attachments }: Discussion) {
  addPeople(comments.value.map(({ creator_detail: author }) => author))
  addPeople([bug.creator_detail, bug.assigned_to_detail, bug.qa_contact_detail, ...(bug.cc_detail ?? []), me.value])
  void loadPeople([
    ...comments.value.map(({ creator }) => creator),
    ...history.value.map(({ who }) => who),
    ...attachments.value.map(({ creator }) => creator),
    ...[...(bug.flags ?? []), ...attachments.value.flatMap(({ flags }) => flags)].flatMap((flag) => [
      flag.setter,
      ...(flag.requestee === undefined ? [] : [flag.requestee]),
    ]),
  ])
}
