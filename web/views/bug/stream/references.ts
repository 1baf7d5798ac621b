// The bugs that a bug names: in its links, its custom fields and its comments.
import type { Bug, Comment, Field } from '../../../core/server/types.ts'

/** What is shown of another bug that this one names. */
export interface LinkedBug {
  id: number
  summary: string
  status: string
  resolution: string
  is_open: boolean
}

const BUG_TYPE = 6
const IN_TEXT = /\bbugs?\s{1,4}#?(\d{1,10}(?:\s{0,2},\s{0,2}#?\d{1,10}){0,20})/gi

export function referencesIn(bug: Bug, comments: readonly Comment[], fields: readonly Field[]): number[] {
  const custom = fields
    .filter(({ type, is_custom }) => is_custom && type === BUG_TYPE)
    .map(({ name }) => Number(bug[name as `cf_${string}`] ?? 0))
  const named = comments.flatMap(({ text }) =>
    [...text.matchAll(IN_TEXT)].flatMap(([, numbers]) => (numbers ?? '').match(/\d+/g)?.map(Number) ?? []),
  )
  const links = [...(bug.depends_on ?? []), ...(bug.blocks ?? []), ...(bug.duplicates ?? []), bug.dupe_of ?? 0]
  const all = new Set([...links, ...custom, ...named])
  all.delete(0)
  all.delete(bug.id)
  return [...all].filter((id) => id <= 2_147_483_647)
}
