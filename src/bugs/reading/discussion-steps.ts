import { sql } from 'kysely'
import type { CallContext } from '../../access/call.ts'
import type { Db } from '../../platform/database/db.ts'
import { statement } from '../../platform/database/statements/statement.ts'
import { everyField, type FieldSelection } from '../../platform/wire/field-selection.ts'

export const DISCUSSION = ['description', 'comments', 'comment_count', 'history', 'attachments']

/** Whether one of the fields of the discussion is requested. */
export function isDiscussed(select: FieldSelection) {
  return select !== everyField && DISCUSSION.some((field) => select.wants(field, 'extra'))
}

/** Some bugs whose discussions are read together. */
export interface DiscussionStep {
  ids: readonly number[]
  /** For a single bug with a long discussion: so many of its comments at once take little memory. */
  commentsAtOnce?: number
}

/** The text of a step takes about this many bytes, or it is of one bug. */
const STEP_BYTES = 1024 * 1024
/** What a comment takes besides its text. */
const COMMENT_BYTES = 500
const MOST_COMMENTS_AT_ONCE = 250

/** Divides bugs into steps, of which each is in memory at once: at most `most` bugs, and fewer if their discussions are long. */
export async function* discussionSteps(
  { db, select }: Pick<CallContext, 'db' | 'select'>,
  ids: readonly number[],
  most: number,
): AsyncGenerator<DiscussionStep> {
  for (let start = 0; start < ids.length; start += most) {
    const some = ids.slice(start, start + most)
    if (isDiscussed(select)) yield* divided(some, await listDiscussionSizes(db, some))
    else yield { ids: some }
  }
}

function* divided(ids: readonly number[], sizes: ReadonlyMap<number, DiscussionSize>): Generator<DiscussionStep> {
  let step: number[] = []
  let bytes = 0
  for (const id of ids) {
    const size = sizes.get(id)
    const added = Number(size?.bytes ?? 0)
    if (step.length > 0 && bytes + added > STEP_BYTES) {
      yield { ids: step }
      step = []
      bytes = 0
    }
    if (size !== undefined && added > STEP_BYTES) yield { ids: [id], commentsAtOnce: commentsAtOnce(size.longest) }
    else {
      step.push(id)
      bytes += added
    }
  }
  if (step.length > 0) yield { ids: step }
}

/** How many comments take little memory if the longest one has so many bytes. */
export function commentsAtOnce(longest: number) {
  return Math.max(1, Math.min(MOST_COMMENTS_AT_ONCE, Math.floor(STEP_BYTES / (longest + COMMENT_BYTES))))
}

interface DiscussionSize {
  bytes: number
  longest: number
}

// The databases know these lengths without reading the texts.
const commentSizes = statement<{ ids: string }>()((q, p, d) =>
  q
    .selectFrom('comments')
    .select([
      'bug_id',
      sql<number>`sum(octet_length(text) + ${sql.lit(COMMENT_BYTES)})`.as('bytes'),
      sql<number>`max(octet_length(text))`.as('longest'),
    ])
    .where('bug_id', 'in', d.integersIn(p.ids))
    .groupBy('bug_id'),
)
const historySizes = statement<{ ids: string }>()((q, p, d) =>
  q
    .selectFrom('bug_changes')
    .select([
      'bug_id',
      sql<number>`sum(octet_length(removed) + octet_length(added) + ${sql.lit(COMMENT_BYTES)})`.as('bytes'),
    ])
    .where('bug_id', 'in', d.integersIn(p.ids))
    .groupBy('bug_id'),
)

/** The sizes of comments and history, also of those that the caller may not read. */
export async function listDiscussionSizes(db: Db, ids: readonly number[]): Promise<Map<number, DiscussionSize>> {
  const params = { ids: JSON.stringify(ids) }
  const sizes = new Map<number, DiscussionSize>()
  for (const { bug_id, bytes, longest } of await db.all(commentSizes, params))
    sizes.set(bug_id, { bytes: Number(bytes), longest: Number(longest) })
  for (const { bug_id, bytes } of await db.all(historySizes, params)) {
    const size = sizes.get(bug_id) ?? { bytes: 0, longest: 0 }
    sizes.set(bug_id, { ...size, bytes: size.bytes + Number(bytes) })
  }
  return sizes
}

/** How many comments of these bugs can be read at once. */
export async function commentsAtOnceOf(db: Db, ids: readonly number[]): Promise<number> {
  const rows = await db.all(commentSizes, { ids: JSON.stringify(ids) })
  return commentsAtOnce(Math.max(0, ...rows.map(({ longest }) => Number(longest))))
}
