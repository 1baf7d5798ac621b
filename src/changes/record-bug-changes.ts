import { sql } from 'kysely'
import type { BugTransaction } from '../platform/database/db.ts'
import { jsonPortions } from '../platform/database/statements/json-portions.ts'
import { statement } from '../platform/database/statements/statement.ts'
import { timeNow } from '../platform/time/clock.ts'
import { currentChange } from './current-change.ts'

/** One line of a bug's history. `field` is the name of the field in the REST API. */
export interface BugChange {
  bugId: number
  field: string
  removed: string
  added: string
  attachmentId?: number | null
  /** The comment that was made private or public. */
  commentId?: number | null
}

const COLUMNS = {
  bug_id: 'integer',
  field: 'text',
  removed: 'text',
  added: 'text',
  attachment_id: 'integer',
  comment_id: 'integer',
} as const

const insert = statement<{ who: number; at: string; change: number; rows: string }>()((q, p, d) =>
  q
    .insertInto('bug_changes')
    .columns(['bug_id', 'field', 'removed', 'added', 'attachment_id', 'comment_id', 'user_id', 'at', 'change_id'])
    .expression(
      sql`select bug_id, field, removed, added, attachment_id, comment_id,
        cast(${p.who} as integer), cast(${p.at} as text), cast(${p.change} as integer) from ${d.recordsIn(p.rows, COLUMNS)} as lines`,
    )
    .returning(['id', 'bug_id', 'field']),
)
/** The same for one line, the usual case. */
const insertOne = statement<ChangeRow & { who: number; at: string; change: number }>()((q, p) =>
  q
    .insertInto('bug_changes')
    .values({
      bug_id: p.bug_id,
      field: p.field,
      removed: p.removed,
      added: p.added,
      attachment_id: p.attachment_id,
      comment_id: p.comment_id,
      user_id: p.who,
      at: p.at,
      change_id: p.change,
    })
    .returning('id'),
)

interface ChangeRow {
  bug_id: number
  field: string
  removed: string
  added: string
  attachment_id: number | null
  comment_id: number | null
}

const touch = statement<{ ids: string; at: string }>()((q, p, d) =>
  q
    .updateTable('bugs')
    .set((bug) => ({ changed_at: p.at, revision: bug('revision', '+', 1) }))
    .where('id', 'in', d.integersIn(p.ids)),
)

/**
 * The ids and fields of the written lines, by bug. They are stored in the event, so that delivery finds its history
 * lines.
 */
export type WrittenLines = ReadonlyMap<number, readonly (readonly [id: number, field: string])[]>

/**
 * Writes history lines of any number of bugs and updates the time of their last change, except for bugs in `touched`,
 * whose time is already updated. To be called in the transaction that makes the change. Returns what was written.
 */
export async function recordBugChanges(
  tx: BugTransaction,
  who: number,
  changes: readonly BugChange[],
  at = timeNow(),
  touched: ReadonlySet<number> = new Set(),
): Promise<WrittenLines> {
  if (changes.length === 0) return new Map()
  const rows = changes.map(({ bugId, field, removed, added, attachmentId = null, commentId = null }) => ({
    bug_id: bugId,
    field,
    removed,
    added,
    attachment_id: attachmentId,
    comment_id: commentId,
  }))
  const written = await insertLines(tx, rows, who, at)
  await setBugsChangedAt(
    tx,
    changes.map(({ bugId }) => bugId).filter((id) => !touched.has(id)),
    at,
  )
  const byBug = Map.groupBy(written, (line) => line.bug_id)
  return new Map([...byBug].map(([bugId, lines]) => [bugId, lines.map(({ id, field }) => [id, field] as const)]))
}

async function insertLines(tx: BugTransaction, lines: readonly ChangeRow[], who: number, at: string) {
  const change = await currentChange(tx, who, at)
  const [only] = lines
  if (lines.length !== 1 || only === undefined) {
    const written: (typeof insert)['row'][] = []
    for (const rows of jsonPortions(tx, lines)) written.push(...(await tx.all(insert, { who, at, change, rows })))
    return written
  }
  const { bug_id, field } = only
  return (await tx.all(insertOne, { ...only, who, at, change })).map(({ id }) => ({ id, bug_id, field }))
}

export async function setBugsChangedAt(tx: BugTransaction, bugIds: readonly number[], at: string) {
  for (const ids of jsonPortions(tx, [...new Set(bugIds)])) await tx.all(touch, { ids, at })
}
