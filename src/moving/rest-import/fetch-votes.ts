import type { Json } from '../rest-client/rest-server.ts'
import { propertyOf, restNumber, restObjects } from './rest-values.ts'
import { callSource, isError, type Source } from './source-calls.ts'

const VOTERS_AT_ONCE = 1000
/** More than any bug has: a source that never ends its list is not read forever. */
const MOST_CALLS = 200

/** Who votes for each of these bugs; null where the source does not say it. Bugzilla, which does not have the call, and bugs without votes are not asked. */
export async function fetchVotes(source: Source, bugs: ReadonlyMap<number, Json>): Promise<Map<number, Json>> {
  const votes = new Map<number, Json>()
  for (const [number, bug] of bugs) {
    if ((restNumber(propertyOf(bug, 'votes')) ?? 0) > 0) votes.set(number, await votersOf(source, number))
  }
  return votes
}

async function votersOf(source: Source, number: number): Promise<Json> {
  const voters: Json[] = []
  for (let call = 0; call < MOST_CALLS; call++) {
    const { body } = await callSource(source, `bug/${number}/votes?limit=${VOTERS_AT_ONCE}&offset=${voters.length}`)
    const part = propertyOf(body, 'voters')
    if (isError(body) || !Array.isArray(part)) return null
    voters.push(...restObjects(part))
    if (part.length < VOTERS_AT_ONCE) break
  }
  return voters
}
