import type { CallContext } from '../../../access/call.ts'
import { bugsUnfiltered } from '../../../access/visibility/visible-bugs.ts'
import { type WriteBasis, writeBugs } from '../../../access/write-bugs.ts'
import type { BugTransaction, Db } from '../../../platform/database/db.ts'
import { statement } from '../../../platform/database/statements/statement.ts'
import { withoutCommit } from '../../../platform/database/transactions/without-commit.ts'
import { errors } from '../../../platform/errors.ts'
import { masked } from '../../../platform/text/masked.ts'
import { toApiNames, withApiNames } from '../../values/bugzilla-names.ts'
import type { DraftProposal } from '../proposal.ts'
import { PROPOSAL_PARAMS } from '../proposal-params.ts'
import { requireRoomForProposals } from '../storing/proposal-limits.ts'

/** What a call would do: proposals to be stored, or the usual response if there is nothing to propose. */
export type Draft = { proposals: readonly DraftProposal[]; ignored?: readonly string[] } | { usual: unknown }

/** The bugs that one call can propose to change. */
export const MOST_AT_ONCE = 50

/** To be called before anything else: what would be too much is refused before it is tried. */
export async function requireFew(context: Pick<CallContext, 'db' | 'caller' | 'settings'>, count: number) {
  if (count > MOST_AT_ONCE) throw errors.list_too_long({ name: 'ids', most: MOST_AT_ONCE })
  await requireRoomForProposals(context.db, context, count)
}

/** What a write would do, in a transaction that is rolled back. */
export function tried<Basis extends WriteBasis, Result>(
  context: Basis,
  work: (tx: BugTransaction, current: Basis) => Promise<Result>,
): Promise<Result> {
  return withoutCommit<Result>((finish) => writeBugs(context, async (tx, current) => finish(await work(tx, current))))
}

/** Parameters of every call, and those that say how to propose. */
const NEVER_STORED: ReadonlySet<string> = new Set([
  'ids',
  'dry_run',
  'include_fields',
  'exclude_fields',
  ...Object.keys(PROPOSAL_PARAMS),
])

/** What is stored of the parameters, with the names of the REST API: only what has an effect. */
export function effectiveParams(
  rawParams: CallContext['rawParams'],
  isKnown: (name: string) => boolean,
  ignored: Iterable<string>,
): Record<string, unknown> {
  const without = new Set(ignored)
  const named = withApiNames(rawParams)
  return Object.fromEntries(
    Object.entries(named).filter(([name]) => isKnown(name) && !without.has(name) && !NEVER_STORED.has(name)),
  )
}

/** A copy, whose values have the names of the REST API. */
export function namedParams<Params extends object>(params: Params): Params {
  return toApiNames({ ...params })
}

export function ignoredNames(ignored: Iterable<string>) {
  return [...ignored].map(masked).sort()
}

const places = statement<{ ids: string }>()((q, p, d) =>
  bugsUnfiltered(q, 'The caller was found to see these bugs.')
    .select(['bugs.id', 'bugs.product_id', 'bugs.component_id'])
    .where('bugs.id', 'in', d.integersIn(p.ids)),
)

/** Where these bugs are, which the caller sees. One that was deleted meanwhile is missing. */
export async function placesOf(db: Db, ids: readonly number[]) {
  const rows = await db.all(places, { ids: JSON.stringify(ids) })
  return new Map(
    rows.map(({ id, product_id, component_id }) => [id, { productId: product_id, componentId: component_id }]),
  )
}
