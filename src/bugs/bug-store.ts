import type { Insertable, Selectable } from 'kysely'
import type { BugTransaction } from '../platform/database/db.ts'
import { statement } from '../platform/database/statements/statement.ts'
import type { Database } from '../platform/database/tables.ts'
import { fold } from '../platform/text/fold.ts'
import { indexNewSummary } from '../search/text/word-store.ts'

/** The row of a bug. */
export type BugRow = Selectable<Database['bugs']>
export type NewBugRow = Required<
  Omit<Insertable<Database['bugs']>, 'id' | 'actual_hundredths' | 'revision' | 'lists' | Key>
>
/** Columns computed from others. */
type Key = 'summary_key' | 'whiteboard_key'

const insert = statement<NewBugRow & Record<Key, string>>()((q, p) =>
  q
    .insertInto('bugs')
    .values({
      product_id: p.product_id,
      component_id: p.component_id,
      version_id: p.version_id,
      milestone_id: p.milestone_id,
      status_id: p.status_id,
      resolution_id: p.resolution_id,
      priority_id: p.priority_id,
      severity_id: p.severity_id,
      op_sys_id: p.op_sys_id,
      platform_id: p.platform_id,
      creator_id: p.creator_id,
      assigned_to_id: p.assigned_to_id,
      qa_contact_id: p.qa_contact_id,
      summary: p.summary,
      url: p.url,
      whiteboard: p.whiteboard,
      summary_key: p.summary_key,
      whiteboard_key: p.whiteboard_key,
      created_at: p.created_at,
      changed_at: p.changed_at,
      is_confirmed: p.is_confirmed,
      is_cc_accessible: p.is_cc_accessible,
      is_creator_accessible: p.is_creator_accessible,
      dupe_of_id: p.dupe_of_id,
      deadline: p.deadline,
      estimated_hundredths: p.estimated_hundredths,
      remaining_hundredths: p.remaining_hundredths,
    })
    .returning('id'),
)

export async function insertBug(tx: BugTransaction, bug: NewBugRow): Promise<number> {
  const keys = { summary_key: fold(bug.summary), whiteboard_key: fold(bug.whiteboard) }
  const id = (await tx.first(insert, { ...bug, ...keys }))?.id as number
  await indexNewSummary(tx, id, bug.summary)
  return id
}
