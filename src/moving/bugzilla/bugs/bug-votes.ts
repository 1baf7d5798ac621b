import { MOST_VOTES } from '../../../catalogue/products/product-rules.ts'
import type { NewRow } from '../../../platform/database/insert-rows.ts'
import { type ConversionContext, numberOf } from '../import-context.ts'
import type { BugLookup } from './bug-lookup.ts'
import { type BugPart, rowsOfBugs } from './bug-part.ts'

/**
 * The votes of users, also those that are more than their product allows, and the sum of each bug. Bugzilla's table has no unique key: of
 * several rows for a user and a bug the last one counts.
 */
export function votesOf(context: ConversionContext, part: BugPart, lookup: BugLookup) {
  const { journal } = context
  const rows = new Map<string, NewRow<'bug_votes'>>()
  for (const row of rowsOfBugs(context, part, 'votes', 'bug_id, who, vote_count')) {
    const [bug, user, votes] = [numberOf(row.bug_id) as number, numberOf(row.who) ?? 0, numberOf(row.vote_count) ?? 0]
    const key = `${bug} ${user}`
    if (!lookup.users.has(user)) journal.refuse('votes', key, 'the user does not exist', row)
    else if (votes <= 0 || votes > MOST_VOTES) journal.refuse('votes', key, 'the number of votes is impossible', row)
    else {
      if (rows.has(key)) journal.joined('votes')
      else journal.made('votes')
      rows.set(key, { bug_id: bug, user_id: user, votes })
    }
  }
  const sums = new Map<number, number>()
  for (const { bug_id, votes } of rows.values()) sums.set(bug_id, votes + (sums.get(bug_id) ?? 0))
  return { rows: [...rows.values()], sums }
}
