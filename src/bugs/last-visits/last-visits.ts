import type { CallContext } from '../../access/call.ts'
import { requireLogin } from '../../access/caller.ts'
import { OWN_LIMITS } from '../../access/own-limits.ts'
import { viewerOf } from '../../access/visibility/visible-bugs.ts'
import { writeBugs } from '../../access/write-bugs.ts'
import { lockUser } from '../../people/users/user-store.ts'
import type { Settings } from '../../platform/config/settings.ts'
import { secondsAgo, timeNow } from '../../platform/time/clock.ts'
import { idsOfRefs, requireVisibleBugs } from '../values/bug-refs.ts'
import { forgetVisits, listVisits, saveVisits } from './last-visit-store.ts'

const MOST_RECENT = 20
const SECONDS_A_DAY = 86_400

/** Records a visit to each of these bugs now. If the caller cannot see one of them, none is recorded. */
export async function recordVisits(context: CallContext, refs: readonly string[]) {
  const { id } = requireLogin(context.caller)
  const at = timeNow()
  const bugIds = await writeBugs(context, async (tx, { caller, settings }) => {
    const viewer = viewerOf(caller)
    const visited = await requireVisibleBugs(tx, settings, viewer, refs)
    // Two calls of one user at once would both find room.
    await lockUser(tx, id)
    await saveVisits(tx, settings, viewer, visited, at)
    await forgetVisits(tx, id, oldestKept(settings), OWN_LIMITS.lastVisits.most)
    return visited
  })
  return bugIds.map((bugId) => context.select.pick({ id: bugId, last_visit_ts: at }))
}

/** The caller's visits to these bugs, in their order. Bugs that are missing or hidden are left out. */
export async function readVisits({ db, caller, settings, select }: CallContext, refs: readonly string[]) {
  requireLogin(caller)
  const ids = [...new Set((await idsOfRefs(db, refs)).values())].flatMap((id) => id ?? [])
  const visits = await listVisits(db, settings, viewerOf(caller), oldestKept(settings), { bugIds: ids })
  const times = new Map(visits.map((visit) => [visit.bug_id, visit.at]))
  return ids.flatMap((id) => {
    const at = times.get(id)
    return at === undefined ? [] : [select.pick({ id, last_visit_ts: at })]
  })
}

/** The bugs that the caller visited last, newest visit first. */
export async function readRecentVisits({ db, caller, settings, select }: CallContext) {
  requireLogin(caller)
  const visits = await listVisits(db, settings, viewerOf(caller), oldestKept(settings), { newest: MOST_RECENT })
  return visits.map(({ bug_id, at }) => select.pick({ id: bug_id, last_visit_ts: at }))
}

function oldestKept(settings: Settings) {
  return secondsAgo(settings.last_visit_keep_days * SECONDS_A_DAY)
}
