import { isIn, type SignedIn } from '../../access/caller.ts'
import { parametersIn } from '../../people/saved-searches/saved-search.ts'
import { findSavedSearch } from '../../people/saved-searches/saved-search-store.ts'
import { backgroundLimits } from '../../platform/database/slow-reads/read-limits.ts'
import { ApiError } from '../../platform/errors.ts'
import { UNLIMITED_MEMORY } from '../../platform/wire/http/response-memory.ts'
import { findBugs } from '../../search/find-bugs.ts'
import { readSearch } from '../../search/parsing/parse-url.ts'
import { searchContextOf } from '../../search/search-context.ts'
import type { ActingContext } from '../receivers/act-as.ts'
import { SCHEDULING_FOR_OTHERS_GROUP, SCHEDULING_GROUP } from './change-scheduled-mail.ts'
import { listBugsToRemindOf } from './reminder-store.ts'
import type { MailedSearch, ScheduledMail } from './scheduled-mail.ts'
import { type MailedList, type ScheduledMessage, shownBugs } from './shown-bugs.ts'

const MOST_BUGS = 500

/** The mails for one recipient: one with all lists, and one per bug for searches with one_mail_per_bug. */
export async function writeScheduled(
  receiver: ActingContext,
  owner: SignedIn,
  mail: ScheduledMail,
): Promise<ScheduledMessage[]> {
  if (!mayMail(owner, receiver.caller)) return []
  const found: { search: MailedSearch; list: MailedList }[] = []
  for (const search of mail.searches) {
    const list = await listFor(receiver, search)
    if (list !== undefined) found.push({ search, list })
  }
  const together = found.filter(({ search }) => !search.isMailPerBug).map(({ list }) => list)
  const single = found
    .filter(({ search }) => search.isMailPerBug)
    .flatMap(({ list }) => list.bugs.map((bug) => ({ title: list.title, bugs: [bug] })))
  const hasBugs = together.some(({ bugs }) => bugs.length > 0)
  const { subject, body } = mail
  return [
    ...(hasBugs || (mail.isSentEmpty && single.length === 0)
      ? [{ subject, body, lists: together.filter(({ bugs }) => bugs.length > 0) }]
      : []),
    ...single.map((list) => ({ subject: `${subject} (bug ${list.bugs[0]?.id})`, body, lists: [list] })),
  ]
}

/** The owner must still have the right. */
function mayMail(owner: SignedIn, receiver: SignedIn) {
  return isIn(owner, SCHEDULING_GROUP) && (owner.id === receiver.id || isIn(owner, SCHEDULING_FOR_OTHERS_GROUP))
}

/** The search results for the recipient. A search that can no longer be run is left out. */
async function listFor(receiver: ActingContext, { searchId, title }: MailedSearch): Promise<MailedList | undefined> {
  const saved = await findSavedSearch(receiver.db, searchId, 'search')
  if (saved === undefined) return undefined
  try {
    const mailContext = await searchContextOf({
      ...receiver,
      request: { readLimits: backgroundLimits('scheduled mail'), memory: UNLIMITED_MEMORY },
    })
    const search = await readSearch(mailContext, parametersIn(saved.query))
    const { ids } = await findBugs(mailContext, search, { limit: MOST_BUGS, offset: undefined, after: undefined })
    return { title, bugs: await shownBugs(receiver, ids) }
  } catch (fault) {
    if (fault instanceof ApiError && fault.status < 500) return undefined
    throw fault
  }
}

/** The reminder for a user; empty if no bug is left to remind of. */
export async function writeReminder(receiver: ActingContext): Promise<ScheduledMessage[]> {
  const days = receiver.settings.whinedays
  const bugs = days === 0 ? [] : await shownBugs(receiver, await listBugsToRemindOf(receiver, days))
  if (bugs.length === 0) return []
  return [
    {
      subject: `Your bugs that were not changed for ${days} days`,
      body: 'You are the assignee of these bugs. Please start work on them, reassign them, or comment on what is blocking you.',
      lists: [{ title: 'Unchanged', bugs }],
    },
  ]
}
