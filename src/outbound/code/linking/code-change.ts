import type { NamedBug } from './named-bugs.ts'

export const CHANGE_STATES = ['open', 'draft', 'approved', 'changes wanted', 'merged', 'closed', 'unknown'] as const
export type ChangeState = (typeof CHANGE_STATES)[number]

export type CheckState = 'passed' | 'failed' | 'running'

export type ReviewState = 'approved' | 'changes wanted' | 'none'

export interface Review {
  user: string
  state: ReviewState
}

/** What a source says itself about a change, without its reviews. */
export type BaseState = 'open' | 'draft' | 'merged' | 'closed' | 'unknown'

/** What a delivery reports about one change or commit. */
export interface ReportedChange {
  kind: 'change' | 'commit'
  /** The same for the same change, unique in its source. */
  key: string
  repository: string
  number: string
  address: string
  title: string
  author: string
  state: BaseState
  /** The newest commit of a change; empty if it is not reported. */
  head: string
  labels?: readonly string[]
  reviews?: readonly Review[]
  /** Not everybody who sees the repository sees the change: its texts are not stored. */
  isPrivate?: boolean
  /** Reviews that are not among these do not count any more: it is a new version of the change, or all of them were read. */
  replacesReviews?: boolean
  checks?: { name: string; state: CheckState }
  /** When this became so, by the clock of the source. */
  at: string
  /** When the change was made there; empty if the report does not say it. */
  createdAt?: string
  /** Undefined if the report has no texts: then the links stay. */
  names: readonly NamedBug[] | undefined
  /** It is reported from a log, long after it happened: it is only linked. */
  isPast?: boolean
  /** The branch that it is merged into, or was pushed to. */
  branch: string
}

/** What a delivery reports about the checks of a commit, whichever change it belongs to. */
export interface ReportedChecks {
  repository: string
  head: string
  name: string
  state: CheckState
  at: string
}

export interface CodeReport {
  changes: readonly ReportedChange[]
  checks: readonly ReportedChecks[]
  /** Objects whose state the payload lacks, which is read from the API of the source. */
  lacking?: readonly string[]
}

export const NOTHING_REPORTED: CodeReport = { changes: [], checks: [] }

/** What a state follows from: the last answer of each reviewer and each check, with its time. */
export interface ChangeDetails {
  base: BaseState
  reviews: Record<string, [state: ReviewState, at: string]>
  checks: Record<string, [state: CheckState, at: string]>
  labels: readonly string[]
  /** The bugs whose addresses were written at the change. */
  commentedFor?: readonly number[]
}

/** A change as it is stored. */
export interface StoredChange
  extends Pick<ReportedChange, 'kind' | 'key' | 'repository' | 'number' | 'address' | 'title' | 'author' | 'head'> {
  id: number
  state: ChangeState
  checks: CheckState | ''
  details: ChangeDetails
  created_at: string
  changed_at: string
}

const MOST_PARTS = 50
const NO_DETAILS: ChangeDetails = { base: 'unknown', reviews: {}, checks: {}, labels: [] }

/** The change after a report. Deliveries arrive in any order: an older one changes nothing that a newer one has said. */
export function changeAfter(before: StoredChange | undefined, report: ReportedChange): Omit<StoredChange, 'id'> {
  const { kind, key, repository, number, at } = report
  const isNewest = isNews(before, report)
  const { details } = before ?? { details: NO_DETAILS }
  const base = !isNewest || details.base === 'merged' || report.state === 'unknown' ? details.base : report.state
  const head = isNewest && report.head !== '' ? report.head : (before?.head ?? report.head)
  const isSameHead = head === before?.head
  const after: ChangeDetails = {
    ...(details.commentedFor && { commentedFor: details.commentedFor }),
    base: before === undefined ? report.state : base,
    reviews: withParts(
      report.replacesReviews && isNewest ? {} : details.reviews,
      (report.reviews ?? []).map(({ user, state }) => [user, state]),
      at,
    ),
    checks: withParts(
      isSameHead ? details.checks : {},
      report.checks === undefined ? [] : [[report.checks.name, report.checks.state]],
      at,
    ),
    labels: (isNewest ? report.labels : undefined) ?? details.labels,
  }
  const texts = isNewest || before === undefined ? report : before
  return {
    ...{ kind, key, repository, number, head },
    address: texts.address === '' ? (before?.address ?? '') : texts.address,
    title: texts.title === '' ? (before?.title ?? '') : texts.title,
    author: texts.author === '' ? (before?.author ?? '') : texts.author,
    ...derivedFrom(after),
    created_at: earliestOf(before?.created_at ?? at, at, report.createdAt ?? ''),
    changed_at: isNewest ? at : (before?.changed_at ?? at),
  }
}

/** The change after a check of its newest commit. */
export function changeAfterChecks(before: StoredChange, { name, state, at }: ReportedChecks): StoredChange {
  const details = { ...before.details, checks: withParts(before.details.checks, [[name, state]], at) }
  return { ...before, ...derivedFrom(details) }
}

/** Of times that are known. */
function earliestOf(...times: readonly string[]): string {
  return times.filter((time) => time !== '').toSorted()[0] ?? ''
}

/** Whether nothing newer is known of the change. */
export function isNews(before: Pick<StoredChange, 'changed_at'> | undefined, { at }: { at: string }): boolean {
  return before === undefined || at >= before.changed_at
}

function withParts<State>(
  parts: Readonly<Record<string, [State, string]>>,
  changed: readonly (readonly [name: string, state: State])[],
  at: string,
): Record<string, [State, string]> {
  const all = new Map(Object.entries(parts))
  for (const [name, state] of changed) {
    const known = all.get(name)
    if ((known === undefined || known[1] <= at) && (known !== undefined || all.size < MOST_PARTS))
      all.set(name, [state, at])
  }
  return Object.fromEntries(all)
}

function derivedFrom(details: ChangeDetails) {
  return { details, state: stateOf(details), checks: checksOf(details) }
}

/** One reviewer who wants changes outweighs those who approve. */
function stateOf({ base, reviews }: ChangeDetails): ChangeState {
  if (base !== 'open') return base
  const states = new Set(Object.values(reviews).map(([state]) => state))
  if (states.has('changes wanted')) return 'changes wanted'
  return states.has('approved') ? 'approved' : 'open'
}

function checksOf({ checks }: ChangeDetails): CheckState | '' {
  const states = new Set(Object.values(checks).map(([state]) => state))
  return (['failed', 'running', 'passed'] as const).find((state) => states.has(state)) ?? ''
}
