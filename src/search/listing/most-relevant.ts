import { sql } from 'kysely'
import type { Builder } from '../../platform/database/statements/builder.ts'
import { indexDriven } from '../conditions/candidates.ts'
import { bugsWith } from '../conditions/compile.ts'
import type { SearchContext } from '../search-context.ts'
import { mostRelevant } from '../text/matches-words.ts'
import { MOST_RELEVANT_BUGS } from '../thresholds.ts'
import { listIds, MOST, type ResultPage, type SortPosition } from './list-ids.ts'
import type { SortKey } from './order.ts'
import type { MostRelevant } from './search-plan.ts'

/** The page, if the bugs with all words in their summary fill it. */
export async function listMostRelevant(
  context: SearchContext,
  { condition, words }: MostRelevant,
  { limit = MOST, offset = 0, after }: ResultPage,
  keys: readonly SortKey[],
): Promise<{ ids: readonly number[]; next: SortPosition } | undefined> {
  const bugs = bugsWith(context, indexDriven(condition))
  const from = after === undefined ? 0 : Number(after[1]) + 1
  const among = (builder: Builder) =>
    bugs(builder).where(sql<boolean>`bugs.id in (${mostRelevant(context.db.dialect, words, from, MOST_RELEVANT_BUGS)})`)
  const ids = await listIds(context, among, keys.slice(1), { limit, offset, after: undefined })
  const shown = ids.slice(0, limit)
  const last = shown.at(-1)
  return ids.length <= limit || last === undefined ? undefined : { ids: shown, next: [words.all.length, last] }
}
