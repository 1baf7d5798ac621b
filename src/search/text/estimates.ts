import { type RawBuilder, sql } from 'kysely'
import type { TextContext } from '../named-ids.ts'

/** About how many rows a select has, as the planner of the engine estimates it from its statistics. The key says what it looks for. */
export async function estimateOf(
  { db, namedIds, now }: TextContext,
  key: string,
  rows: RawBuilder<unknown>,
): Promise<number> {
  const kept = `${Math.floor(now / KEPT_MILLISECONDS)} ${key}`
  const known = namedIds?.estimates.get(kept)
  if (known !== undefined) return known
  const [row] = await db.querySlowly((q) => ({
    compile: () => sql<ExplainedRow>`explain (format json) ${rows}`.compile(q),
  }))
  const estimate = row?.['QUERY PLAN'][0]?.Plan['Plan Rows'] ?? 0
  if (key.length <= LONGEST_KEPT) namedIds?.estimates.set(kept, estimate)
  return estimate
}

interface ExplainedRow {
  readonly 'QUERY PLAN': readonly { readonly Plan: { readonly 'Plan Rows': number } }[]
}

/** The statistics change seldom, and an estimate needs not be exact. */
const KEPT_MILLISECONDS = 600_000

const LONGEST_KEPT = 200
