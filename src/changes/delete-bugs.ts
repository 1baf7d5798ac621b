import { sql } from 'kysely'
import { timeNow } from '../platform/clock.ts'
import type { ConfigurationTransaction } from '../platform/database/db.ts'
import { addJobs, type NewJob } from '../platform/database/new-jobs.ts'
import { statement } from '../platform/database/statement.ts'
import { touchBugs } from './record-bug-changes.ts'
import { freeUnusedContents } from './stored-contents.ts'

const BUG_ID_FIELD = 6

const BUG_FIELDS = sql`select fields.id from fields where fields.type = ${sql.lit(BUG_ID_FIELD)}`

const linked = statement<{ ids: string }>()((q, p, d) => {
  const given = d.integersIn(p.ids)
  return q
    .selectFrom(
      sql<{ id: number }>`(
        select blocked_id as id from bug_dependencies where depends_on_id in ${given}
        union select depends_on_id from bug_dependencies where blocked_id in ${given}
        union select bug_id from bug_see_also where local_bug_id in ${given}
        union select id from bugs where dupe_of_id in ${given}
        union select dupe_of_id from bugs where id in ${given} and dupe_of_id is not null
        union select bug_id from bug_custom_values where number_value in ${given} and field_id in (${BUG_FIELDS})
      )`.as('links'),
    )
    .select('links.id')
})

const unlinkDuplicates = statement<{ ids: string }>()((q, p, d) =>
  q.updateTable('bugs').set({ dupe_of_id: null }).where('dupe_of_id', 'in', d.integersIn(p.ids)),
)
const unlinkFields = statement<{ ids: string }>()((q, p, d) =>
  q
    .deleteFrom('bug_custom_values')
    .where('number_value', 'in', d.integersIn(p.ids))
    .where(sql<boolean>`field_id in (${BUG_FIELDS})`),
)
const contentsOf = statement<{ ids: string }>()((q, p, d) =>
  q.selectFrom('attachments').select('content_digest').where('bug_id', 'in', d.integersIn(p.ids)),
)
const remove = statement<{ ids: string }>()((q, p, d) => q.deleteFrom('bugs').where('id', 'in', d.integersIn(p.ids)))

/** A job in its queue: bugs that are deleted, of which those who tell the world still have notes. */
export interface DeletedBugJob {
  bugIds: readonly number[]
}

export const DELETED_BUG_QUEUE = 'deleted_bugs'
const MOST_IN_A_JOB = 1000

/**
 * Deletes bugs with all that belongs to them. No other bug is linked to them afterwards. Where history, comments or mail still name their
 * numbers, nobody sees it, since nobody sees the bugs; and no other bug ever gets these numbers.
 */
export async function deleteBugs(tx: ConfigurationTransaction, bugIds: readonly number[]) {
  const ids = JSON.stringify(bugIds)
  const gone = new Set(bugIds)
  const others = (await tx.all(linked, { ids })).map(({ id }) => id).filter((id) => !gone.has(id))
  const contents = (await tx.all(contentsOf, { ids })).map((row) => row.content_digest)
  await tx.all(unlinkDuplicates, { ids })
  await tx.all(unlinkFields, { ids })
  await tx.all(remove, { ids })
  await touchBugs(tx, others, timeNow())
  await freeUnusedContents(tx, contents)
  await addJobs(tx, jobsFor(bugIds))
}

function jobsFor(bugIds: readonly number[]): NewJob[] {
  const parts = Array.from({ length: Math.ceil(bugIds.length / MOST_IN_A_JOB) }, (_, part) =>
    bugIds.slice(part * MOST_IN_A_JOB, (part + 1) * MOST_IN_A_JOB),
  )
  return parts.map((some) => ({
    queue: DELETED_BUG_QUEUE,
    lane: String(some[0]),
    payload: { bugIds: some } satisfies DeletedBugJob,
  }))
}
