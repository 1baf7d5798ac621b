// How far milestones are: the bugs of each that are closed.
import type { Answer } from '../../../client/call-types.ts'
import { FIELDS_CALL } from '../../../shared/first-calls.ts'
import { useData } from '../server/use-data.ts'

/** The response of a report. */
export type MilestoneCounts = Answer<'GET /report'>

/** The milestone of a bug that has none, and the version of a bug whose version is unknown. */
export const NO_VALUE = '---'

export interface Share {
  done: number
  all: number
}

/** The share of closed bugs of a milestone, in a report with milestones and statuses. */
export function shareOf(milestone: string, counts: MilestoneCounts['counts'], closed: ReadonlySet<string>): Share {
  const own = counts.filter(({ x }) => x === milestone)
  return { done: sum(own.filter(({ y }) => closed.has(y ?? ''))), all: sum(own) }
}

function sum(counts: MilestoneCounts['counts']) {
  return counts.reduce((total, { bug_count }) => total + bug_count, 0)
}

export function useClosedStatuses(): ReadonlySet<string> {
  const { body } = useData(FIELDS_CALL)
  const values = body?.fields.find(({ name }) => name === 'bug_status')?.values ?? []
  return new Set(values.filter(({ is_open }) => is_open === false).map(({ name }) => name ?? ''))
}
