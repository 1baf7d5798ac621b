import { sql } from 'kysely'
import { bugsUnfiltered } from '../access/visibility/visible-bugs.ts'
import { FIELD_TYPE } from '../platform/database/coded-values.ts'
import type { ConfigurationTransaction, Db } from '../platform/database/db.ts'
import { addJobs, type NewJob } from '../platform/database/new-jobs.ts'
import { statement } from '../platform/database/statements/statement.ts'
import type { Flag } from '../platform/database/tables.ts'
import { timeNow } from '../platform/time/clock.ts'
import { recordEvents } from './outbox.ts'
import { setBugsChangedAt } from './record-bug-changes.ts'
import { freeUnusedContents } from './stored-contents.ts'

const BUG_FIELDS = sql`select fields.id from fields where fields.type = ${sql.lit(FIELD_TYPE.bugId)}`

const linked = statement<{ ids: string }>()((q, p, d) => {
  const ids = d.integersIn(p.ids)
  return q
    .selectFrom(
      sql<{ id: number }>`(
        select blocked_id as id from bug_dependencies where depends_on_id in ${ids}
        union select depends_on_id from bug_dependencies where blocked_id in ${ids}
        union select bug_id from bug_see_also where local_bug_id in ${ids}
        union select id from bugs where dupe_of_id in ${ids}
        union select dupe_of_id from bugs where id in ${ids} and dupe_of_id is not null
        union select bug_id from bug_custom_values where number_value in ${ids} and field_id in (${BUG_FIELDS})
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

/** A job in the queue DELETED_BUG_QUEUE: deleted bugs that events and logs still mention. */
export interface DeletedBugJob {
  bugIds: readonly number[]
}

export const DELETED_BUG_QUEUE = 'deleted_bugs'
const MOST_IN_A_JOB = 1000

/**
 * Deletes bugs with everything that belongs to them, and the links of other bugs to them. History, comments and mail
 * still show their ids, which are never used again.
 */
export async function deleteBugs(tx: ConfigurationTransaction, who: number, bugIds: readonly number[]) {
  const ids = JSON.stringify(bugIds)
  const gone = new Set(bugIds)
  const at = timeNow()
  const others = (await tx.all(linked, { ids })).map(({ id }) => id).filter((id) => !gone.has(id))
  const contents = (await tx.all(contentsOf, { ids })).map((row) => row.content_digest)
  await announceDeletions(tx, who, at, ids)
  await tx.all(unlinkDuplicates, { ids })
  await tx.all(unlinkFields, { ids })
  for (const some of parts(bugIds, MOST_BUGS_AT_ONCE)) await removeRows(tx, JSON.stringify(some))
  await setBugsChangedAt(tx, others, at)
  await freeUnusedContents(tx, contents)
  await addJobs(tx, parts(bugIds, MOST_IN_A_JOB).map(jobFor))
}

/**
 * The data of a deletion event: who could see the bug, and where it was. The bug cannot be read any more when the event
 * is sent.
 */
export interface DeletedBugFacts {
  group_ids: readonly number[]
  is_creator_accessible: Flag
  is_cc_accessible: Flag
  product_id: number
  component_id: number
}

const WHY = 'Who gets the event of the deletion is decided when it is sent; see couldSeeDeletedBug.'

const deletedBugFacts = statement<{ ids: string }>()((q, p, d) =>
  bugsUnfiltered(q, WHY)
    .select(['bugs.id', 'bugs.product_id', 'bugs.component_id', 'bugs.is_creator_accessible', 'bugs.is_cc_accessible'])
    .select(
      d.jsonListOf(sql`select group_id as value from bug_groups where bug_groups.bug_id = bugs.id`).as('group_ids'),
    )
    .where('bugs.id', 'in', d.integersIn(p.ids))
    .orderBy('bugs.id'),
)

async function announceDeletions(tx: Db, who: number, at: string, ids: string) {
  const bugs = await tx.all(deletedBugFacts, { ids })
  await recordEvents(
    tx,
    bugs.map(({ id, group_ids, ...bug }) => {
      const facts: DeletedBugFacts = { ...bug, group_ids: JSON.parse(group_ids) as number[] }
      return { kind: 'bug.delete', bugId: id, who, at, facts: { ...facts } }
    }),
  )
}

/** Limits per statement for bugs and for rows of one bug. Other requests are served between the statements. */
const MOST_BUGS_AT_ONCE = 100
const MOST_ROWS_AT_ONCE = 1000

const removeBugs = statement<{ ids: string }>()((q, p, d) =>
  q.deleteFrom('bugs').where('id', 'in', d.integersIn(p.ids)),
)
const removeComments = statement<{ ids: string }>()((q, p, d) =>
  q
    .deleteFrom('comments')
    .where('id', 'in', (row) =>
      row.selectFrom('comments').select('id').where('bug_id', 'in', d.integersIn(p.ids)).limit(MOST_ROWS_AT_ONCE),
    )
    .returning('id'),
)
const removeHistory = statement<{ ids: string }>()((q, p, d) =>
  q
    .deleteFrom('bug_changes')
    .where('id', 'in', (row) =>
      row.selectFrom('bug_changes').select('id').where('bug_id', 'in', d.integersIn(p.ids)).limit(MOST_ROWS_AT_ONCE),
    )
    .returning('id'),
)

/** Deletes the rows that can be numerous first; the others are deleted with the bug. */
async function removeRows(tx: ConfigurationTransaction, ids: string) {
  for (const some of [removeHistory, removeComments])
    while ((await tx.all(some, { ids })).length === MOST_ROWS_AT_ONCE);
  await tx.all(removeBugs, { ids })
}

function parts(bugIds: readonly number[], most: number): number[][] {
  return Array.from({ length: Math.ceil(bugIds.length / most) }, (_, part) =>
    bugIds.slice(part * most, (part + 1) * most),
  )
}

function jobFor(some: readonly number[]): NewJob {
  return { queue: DELETED_BUG_QUEUE, lane: String(some[0]), payload: { bugIds: some } satisfies DeletedBugJob }
}
