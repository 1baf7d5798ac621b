import { indexDriven } from '../conditions/candidates.ts'
import { bugsWith } from '../conditions/compile.ts'
import type { ScanState } from '../conditions/text-conditions.ts'
import type { Search } from '../parsing/query.ts'
import type { SearchContext } from '../search-context.ts'
import { BUGS_SCANNED_FIRST } from '../thresholds.ts'
import { indexedOrderOf } from './indexed-order.ts'
import { listIds, MOST, type ResultPage } from './list-ids.ts'
import type { SortKey } from './order.ts'
import { idsScanned, isAmongIds, TextFilter } from './scan-texts.ts'

/**
 * The page, where texts must be tested outside SQL. Only the texts of bugs that meet all other conditions are read. Where an index has the
 * order, no more of them are read than needed to fill the page.
 */
export async function listScanned(
  context: SearchContext,
  search: Search,
  page: ResultPage,
  keys: readonly SortKey[],
  scanned: ScanState,
): Promise<number[]> {
  if (indexedOrderOf(search, undefined) === undefined) {
    const found = await idsScanned(context, scanned)
    return listIds(context, bugsWith(context, isAmongIds(context.db.dialect, found)), keys, page)
  }
  const { limit = MOST, offset = 0, after } = page
  const bugs = bugsWith(context, indexDriven(scanned.atMost))
  const filter = new TextFilter(context.db, scanned.rest)
  const wanted = offset + Math.min(limit, MOST) + 1
  const first = await listIds(context, bugs, keys, { limit: BUGS_SCANNED_FIRST - 1, offset: 0, after })
  const found = await filter.of(first, wanted)
  if (found.length < wanted && first.length === BUGS_SCANNED_FIRST) {
    const seen = new Set(first)
    const all = await listIds(context, bugs, keys, { limit: undefined, offset: undefined, after })
    const others = all.filter((id) => !seen.has(id))
    found.push(...(await filter.of(others, wanted - found.length)))
  }
  return page.limit === undefined ? found : found.slice(offset)
}
