import { bugsCall } from '../../../shared/first-calls.ts'
import { get } from '../../core/server/rest.ts'
import type { Bug, Comment, Field } from '../../core/server/types.ts'
import { type LinkedBug, referencesIn } from './stream/references.ts'

const MOST_LINKED = 200

type Linked = ReadonlyMap<number, LinkedBug>

/** Status and summary of the bugs that this one names, in one request; only of those that are not known. */
export async function readLinked(
  bug: Bug,
  comments: readonly Comment[],
  fields: readonly Field[],
  known: Linked,
): Promise<readonly LinkedBug[]> {
  const ids = referencesIn(bug, comments, fields).filter((id) => !known.has(id))
  if (ids.length === 0) return []
  const address = bugsCall(ids.slice(0, MOST_LINKED), 'id,summary,status,resolution,is_open')
  const { bugs } = await get(address).catch(() => ({ bugs: [] }))
  return bugs
}
