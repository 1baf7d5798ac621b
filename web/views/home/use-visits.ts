import { bugsCall, SHORT_FIELDS, VISITS_CALL } from '../../../shared/first-calls.ts'
import { useData } from '../../core/server/use-data.ts'
import type { ShortBug } from '../../parts/bug-rows.tsx'

/** The bugs that the reader has looked at, the latest first, with the time of the visit. */
export interface Visits {
  bugs: readonly ShortBug[]
  seenAt(bug: number): string | undefined
  /** Whether the bug was changed since the reader looked at it. */
  isUnread(bug: ShortBug): boolean
  reload(): void
}

/** Undefined until they are read. */
export function useVisits(): Visits | undefined {
  const visits = useData(VISITS_CALL)
  const seen = new Map((visits.body ?? []).map(({ id, last_visit_ts: time }) => [id, time]))
  const bugs = useData(seen.size === 0 ? undefined : bugsCall([...seen.keys()], SHORT_FIELDS))
  if (visits.body === undefined || (seen.size > 0 && bugs.body === undefined)) return undefined
  const byId = new Map((bugs.body?.bugs ?? []).map((bug) => [bug.id, bug]))
  return {
    bugs: [...seen.keys()].flatMap((id) => byId.get(id) ?? []),
    seenAt: (id) => seen.get(id),
    isUnread: ({ id, last_change_time: changed }) => changed > (seen.get(id) ?? '9'),
    reload: visits.reload,
  }
}
