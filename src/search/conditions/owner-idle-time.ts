import { sql } from 'kysely'
import { historyReader, isHistoryReadable } from '../../changes/readable-history.ts'
import { errors } from '../../platform/errors.ts'
import type { Criterion, OperatorName } from '../parsing/query.ts'
import { timeIn } from '../parsing/search-dates.ts'
import type { SearchContext } from '../search-context.ts'
import type { ItemCondition } from './change-conditions.ts'
import { type Condition, type Sql, withSubquery } from './condition.ts'
import { anyOf, not } from './conditions.ts'
import { operatorInput } from './operators.ts'
import { comments } from './search-items.ts'

/** For how long the assignee has neither changed the bug nor commented on it, as far as the caller may see. */
export function idleSince(
  context: SearchContext,
  { field, operator, value, sentAs = field }: Criterion,
): ItemCondition {
  const ask = COMPARISONS[operator]
  if (!ask) throw errors.idle_time_operator_wrong({ criterion: field, operator })
  const since = timeIn(sentAs, operatorInput(value).text, context.now)
  return { items: undefined, holds: ask((isSince) => touched(context, isSince, since)), isIndexed: false }
}

type Ask = (touched: (isSince: Sql) => Condition) => Condition

/** Idle for longer than a week means no change or comment since a week ago. */
const COMPARISONS: Partial<Record<OperatorName, Ask>> = {
  lessthan: (touched) => touched(sql`>`),
  lessthaneq: (touched) => touched(sql`>=`),
  greaterthan: (touched) => not(touched(sql`>=`)),
  greaterthaneq: (touched) => not(touched(sql`>`)),
}

function touched(context: SearchContext, isSince: Sql, since: string): Condition {
  const touches: Condition[] = [
    sql`exists (select 1 from bug_changes where bug_changes.bug_id = bugs.id
      and bug_changes.user_id = bugs.assigned_to_id and bug_changes.at ${isSince} ${since} and ${isHistoryReadable(historyReader(context))})`,
    sql`exists (select 1 from comments where comments.bug_id = bugs.id
      and comments.user_id = bugs.assigned_to_id and comments.at ${isSince} ${since} and ${comments(context).readable})`,
  ]
  return withSubquery(anyOf(touches))
}
