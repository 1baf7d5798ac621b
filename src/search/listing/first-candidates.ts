import { sql } from 'kysely'
import { idsOfCandidates } from '../conditions/candidates.ts'
import { bugsWith } from '../conditions/compile.ts'
import { allOf } from '../conditions/conditions.ts'
import type { SearchContext } from '../search-context.ts'
import { listIds, MOST, type ResultPage } from './list-ids.ts'
import type { SortKey } from './order.ts'
import type { FirstCandidates } from './search-plan.ts'

/** The page, if the first candidates in its order fill it. */
export async function listFirstCandidates(
  context: SearchContext,
  page: ResultPage,
  keys: readonly SortKey[],
  { condition, candidates, order, most }: FirstCandidates,
): Promise<number[] | undefined> {
  const direction = sql.raw(order.descending ? 'desc' : 'asc')
  // The plus sign makes SQLite walk along the index that has the order: it would look up the row of every candidate.
  const first = sql<boolean>`bugs.id in (select near.id from bugs as near
    where +near.id in (${idsOfCandidates(candidates)}) order by ${sql.ref(`near.${order.column}`)} ${direction}, near.id limit ${most})`
  const ids = await listIds(context, bugsWith(context, allOf([first, condition])), keys, page)
  return ids.length > (page.limit ?? MOST) ? ids : undefined
}
