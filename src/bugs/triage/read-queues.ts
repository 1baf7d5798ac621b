import type { CallContext } from '../../access/call.ts'
import { isIn } from '../../access/caller.ts'
import { viewerOf } from '../../access/visibility/visible-bugs.ts'
import { whoIsThere } from '../../catalogue/rotations/current-turns.ts'
import { presentRotation } from '../../catalogue/rotations/rotation-json.ts'
import { keptRotations } from '../../catalogue/rotations/rotation-store.ts'
import type { TriageQueue } from '../../catalogue/triage-queues/queue.ts'
import { timeNow } from '../../platform/time/clock.ts'
import { visibleAmong } from '../values/bug-refs.ts'
import { type Claim, listClaims } from './claim-store.ts'
import { countQueue, countQueueOrNull, idsInQueue, queueSearch } from './queue-bugs.ts'
import { personOf } from './triage-report.ts'
import { listSnoozes, readDecisions } from './triage-store.ts'

const FIRST_BUGS = 50
const MOST_DECIDED = 200

/** For all queues of a list together: somebody may have made many with slow searches. */
const LONGEST_COUNTING_MILLISECONDS = 2000

/** The same request with less time for the counts of a list. */
export function withTimeToCount(context: CallContext): CallContext {
  const { readLimits } = context.request
  const deadline = Math.min(readLimits.deadline, performance.now() + LONGEST_COUNTING_MILLISECONDS)
  return { ...context, request: { ...context.request, readLimits: { ...readLimits, deadline } } }
}

/** A queue in a list. */
export async function presentListed(context: CallContext, queue: TriageQueue) {
  const { select } = context
  return select.pick({
    ...(await presentHead(context, queue)),
    ...(select.wants('bug_count') && { bug_count: await countQueueOrNull(context, queue) }),
  })
}

/** A queue with the bugs that the caller may see. */
export async function presentWhole(context: CallContext, queue: TriageQueue, since: string) {
  const { db, caller, settings, select, request } = context
  const now = timeNow()
  const search = await queueSearch(context, queue)
  const [claims, snoozed] = [await listClaims(db, queue.id, now), await listSnoozes(db, queue.id, now)]
  const near = [...claims, ...snoozed].map(({ bug_id }) => bug_id)
  const seen = await visibleAmong(db, settings, viewerOf(caller), near)
  const decided = await readDecisions(db.within(request.readLimits), context, queue.id, since, MOST_DECIDED)
  return select.pick({
    ...(await presentHead(context, queue)),
    bug_count: await countQueue(search),
    bugs: await idsInQueue(search, FIRST_BUGS),
    claims: claims.filter(({ bug_id, user_id }) => seen.has(bug_id) && user_id !== caller.id).map(presentClaim),
    snoozed: snoozed
      .filter(({ bug_id }) => seen.has(bug_id))
      .map(({ bug_id, until, ...person }) => ({ bug_id, until, person: personOf(person) })),
    decided: decided.map(({ id, bug_id, kind, at, until, ...person }) => ({
      id,
      bug_id,
      decision: kind,
      at,
      until,
      person: personOf(person),
    })),
  })
}

export function presentClaim({ bug_id, expires_at, ...person }: Claim) {
  return { bug_id, person: personOf(person), expires_at }
}

async function presentHead({ db, caller, groups, catalogue }: CallContext, queue: TriageQueue) {
  const canChange = isIn(caller, 'editcomponents')
  const rotation = (await catalogue(keptRotations)).find(({ id }) => id === queue.rotation_id)
  const now = Date.now()
  return {
    id: queue.id,
    name: queue.name,
    group: groups.groups.get(queue.group_id)?.name ?? '',
    rotation: rotation === undefined ? null : presentRotation(rotation, now, await whoIsThere(db, [rotation], now)),
    aim_days: queue.aim_days,
    is_worker: caller.groups.ids.has(queue.group_id),
    can_change: canChange,
    ...(canChange && { query: queue.query }),
  }
}
