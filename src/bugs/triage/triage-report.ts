import type { CallContext } from '../../access/call.ts'
import type { TriageQueue } from '../../catalogue/triage-queues/queue.ts'
import { secondsAgo } from '../../platform/time/clock.ts'
import { countNew, countQueue, queueSearch } from './queue-bugs.ts'
import { type Decision, MOST_DECISIONS, readDecisions } from './triage-store.ts'

const DAY_SECONDS = 86_400

/** What came into a queue and what was decided in it during the last days, of the bugs that the caller may see. */
export async function reportOn(context: CallContext, queue: TriageQueue, days: number) {
  const since = secondsAgo(days * DAY_SECONDS)
  const db = context.db.within(context.request.readLimits)
  const decisions = await readDecisions(db, context, queue.id, since, MOST_DECISIONS)
  const search = await queueSearch(context, queue)
  const decided = new Set(decisions.filter(({ created_at }) => created_at >= since).map(({ bug_id }) => bug_id))
  const byKind = Map.groupBy(decisions, ({ kind }) => kind)
  const byUser = Map.groupBy(decisions, ({ user_id }) => user_id)
  return {
    since,
    waiting: await countQueue(search),
    came_in: decided.size + (await countNew(search, queue.id, since)),
    ...counted(decisions),
    kinds: [...byKind].map(([kind, some]) => ({ kind, ...counted(some) })).sort(byCount),
    users: [...byUser.values()].map((some) => ({ ...personOf(some[0] as Decision), ...counted(some) })).sort(byCount),
  }
}

export function personOf({ user_id, login, real_name }: Pick<Decision, 'user_id' | 'login' | 'real_name'>) {
  return { id: user_id, name: login, real_name }
}

function counted(decisions: readonly Decision[]) {
  return { decisions: decisions.length, median_hours: medianHours(decisions.map(({ waited }) => waited)) }
}

function medianHours(seconds: readonly number[]): number | null {
  if (seconds.length === 0) return null
  const sorted = [...seconds].sort((one, other) => one - other)
  const half = sorted.length / 2
  const [low, high] = [sorted[Math.ceil(half) - 1] ?? 0, sorted[Math.floor(half)] ?? 0]
  return Math.round((low + high) / 2 / 360) / 10
}

function byCount(one: { decisions: number }, other: { decisions: number }) {
  return other.decisions - one.decisions
}
