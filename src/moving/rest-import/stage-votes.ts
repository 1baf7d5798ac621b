import type { FetchedBug } from './fetch-store.ts'
import { propertyOf, restNumber, restObjects } from './rest-values.ts'
import type { PeopleNumbers } from './stage-people.ts'
import type { StagingWriter } from './staging-writer.ts'

/** The votes of a bug. What an earlier release has read of it has none. */
export function stageVotes(
  writer: StagingWriter,
  people: PeopleNumbers,
  id: number,
  { bug, votes }: Pick<FetchedBug, 'bug' | 'votes'>,
) {
  const sum = restNumber(propertyOf(bug, 'votes')) ?? 0
  if (sum > 0 && !Array.isArray(votes))
    writer.note('votes', id, `${sum} votes are left out: the source does not return who gives them`)
  for (const voter of restObjects(votes ?? null))
    writer.row('votes', { bug_id: id, who: people.userOf(voter.name), vote_count: restNumber(voter.votes) ?? null })
}
