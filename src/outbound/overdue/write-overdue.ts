import { readRequestSettings } from '../../people/request-settings/request-settings-store.ts'
import type { ActingContext } from '../receivers/act-as.ts'
import { type ScheduledMessage, shownBugs } from '../scheduled/shown-bugs.ts'
import { dayAhead, isOverdue, MOST_DAYS_OVERDUE, overduePeriod } from './overdue-period.ts'
import { listOpenRequests, type OpenRequest } from './request-store.ts'

/** The mail lists at most so many requests of each kind. */
const MOST_LISTED = 50
const MOST_READ = 1000

/** The daily mail about requests, with what its receiver may see now; empty if nothing is overdue any more. */
export async function writeOverdue(receiver: ActingContext): Promise<ScheduledMessage[]> {
  const days = receiver.settings.nag_interval
  const { is_reminded } = await readRequestSettings(receiver.db, receiver.caller.id)
  if (days === 0 || is_reminded === 0) return []
  const asked = (await listOpenRequests(receiver, 'asked', MOST_READ)).filter(
    ({ changed_at, deferred_until }) => isOverdue(changed_at, days) && (deferred_until ?? '') <= dayAhead(0),
  )
  const { after } = overduePeriod(MOST_DAYS_OVERDUE)
  const unanswered = (await listOpenRequests(receiver, 'without answer', MOST_READ)).filter(
    ({ changed_at }) => changed_at >= after,
  )
  const lists = [
    await listOf(receiver, 'Asked of you', asked, ({ setter }) => `asked by ${setter}`),
    await listOf(
      receiver,
      'Asked by you of users whose accounts are disabled',
      unanswered,
      ({ requestee }) => `asked of ${requestee}`,
    ),
  ].filter(({ bugs }) => bugs.length > 0)
  if (lists.length === 0) return []
  const count = asked.length + unanswered.length
  return [
    {
      subject: count === 1 ? 'A request is waiting' : `${count} requests are waiting`,
      body: `Requests that have been open for ${days} days or more. Answer them, pass them on, or defer them on the page Requests. In the settings of mail you can switch this mail off.`,
      lists,
    },
  ]
}

async function listOf(
  receiver: ActingContext,
  title: string,
  requests: readonly OpenRequest[],
  whom: (request: OpenRequest) => string,
) {
  const listed = requests.slice(0, MOST_LISTED)
  const bugs = await shownBugs(receiver, [...new Set(listed.map(({ bug_id }) => bug_id))])
  const byId = new Map(bugs.map((bug) => [bug.id, bug]))
  const rest = requests.length - listed.length
  return {
    title: rest === 0 ? title : `${title} (the oldest ${MOST_LISTED} of ${requests.length})`,
    bugs: listed.flatMap((request) => {
      const bug = byId.get(request.bug_id)
      return bug === undefined ? [] : [{ ...bug, note: noteOf(request, whom(request)) }]
    }),
  }
}

function noteOf({ name, attachment_id, changed_at }: OpenRequest, whom: string) {
  const where = attachment_id === null ? '' : ` on attachment ${attachment_id}`
  return `${name}?${where}, ${whom} on ${changed_at.slice(0, 10)}`
}
