import { sql } from 'kysely'
import type { LimitedDb } from '../../platform/database/db.ts'
import type { IdRange } from '../../platform/dialects/dialect.ts'
import { countLikely, indexDriven } from '../conditions/candidates.ts'
import { bugsWith, compile } from '../conditions/compile.ts'
import { allOf } from '../conditions/conditions.ts'
import type { Search } from '../parsing/query.ts'
import type { SearchContext } from '../search-context.ts'
import { RANGE_GROWTH, RANGE_MARGIN } from '../thresholds.ts'
import { listIds, MOST, type ResultPage, requirePositionIn, type SortPosition } from './list-ids.ts'
import type { SortKey } from './order.ts'
import type { IdRanges } from './search-plan.ts'

/**
 * The page, in the order of ids. Lists of candidates are read no further than needed to fill it: each range is as wide as it has to be if
 * matching bugs go on to be as frequent as they were so far.
 */
export async function listIdRanges(
  context: SearchContext,
  search: Search,
  { limit = MOST, offset = 0, after }: ResultPage,
  keys: readonly SortKey[],
  { condition, texts }: IdRanges,
): Promise<number[]> {
  if (after) requirePositionIn(keys, after)
  const all = await allIds(context.db)
  const descending = keys[0]?.descending ?? false
  let left = idsAfter(all, after, descending)
  const wanted = limit + offset + 1
  const found: number[] = []
  let seen = 0
  const count = all.to - all.from + 1
  let width = Math.ceil(Math.min(count, (RANGE_MARGIN * wanted * count) / countLikely(condition, count)))
  while (left.from <= left.to && found.length < wanted) {
    const range = descending
      ? { from: Math.max(left.from, left.to - width + 1), to: left.to }
      : { from: left.from, to: Math.min(left.to, left.from + width - 1) }
    const holds = indexDriven(await compile(context, search.where, { ...texts, range }))
    // The unary plus hides the column from the index of SQLite, which might otherwise read the whole range instead of the lists.
    const isInRange = sql<boolean>`(+bugs.id >= ${range.from} and +bugs.id <= ${range.to})`
    const bugs = bugsWith(context, allOf([holds, isInRange]))
    found.push(
      ...(await listIds(context, bugs, keys, { limit: wanted - found.length - 1, offset: 0, after: undefined })),
    )
    left = descending ? { from: left.from, to: range.from - 1 } : { from: range.to + 1, to: left.to }
    seen += range.to - range.from + 1
    const likely = (RANGE_MARGIN * seen * (wanted - found.length)) / found.length
    width = Math.ceil(Math.min(RANGE_GROWTH * seen, Math.max(seen / RANGE_GROWTH, likely)))
  }
  return found.slice(offset)
}

function idsAfter({ from, to }: IdRange, after: SortPosition | undefined, descending: boolean): IdRange {
  const last = after === undefined ? undefined : Number(after[0])
  return descending ? { from, to: Math.min(to, (last ?? MOST) - 1) } : { from: Math.max(from, (last ?? 0) + 1), to }
}

/** From the smallest to the largest id of all bugs. */
export async function allIds(db: LimitedDb): Promise<IdRange> {
  const [row] = await db.query((q) => ({
    compile: () =>
      sql<{ first: number | null; last: number | null }>`select (select min(id) from bugs) as first,
        (select max(id) from bugs) as last`.compile(q),
  }))
  return { from: row?.first ?? 1, to: row?.last ?? 0 }
}
