import { statement } from '../../platform/database/statements/statement.ts'
import { type ImportContext, numberOf, stagedText } from './import-context.ts'

const commentIds = statement<{ ids: string }>()((q, p, d) =>
  q.selectFrom('comments').select('id').where('id', 'in', d.integersIn(p.ids)),
)
const attachmentIds = statement<{ ids: string }>()((q, p, d) =>
  q.selectFrom('attachments').select('id').where('id', 'in', d.integersIn(p.ids)),
)

const ROWS_AT_ONCE = 1000

/** Rows that no other row leads to: they belong to a comment, an attachment or a user that is not there. */
export async function reportOrphans(context: ImportContext): Promise<'done'> {
  await reportRowsOf(context, TAGS_OF_COMMENTS)
  await reportRowsOf(context, CONTENTS)
  reportRowsOfUsers(context)
  return 'done'
}

/** Rows of a table that belong to what has the id `key`, and the sentence for those of which it is not there. */
interface RowsOfOthers {
  table: string
  key: string
  columns: string
  known: typeof commentIds | typeof attachmentIds
  why: string
}

const TAGS_OF_COMMENTS: RowsOfOthers = {
  table: 'longdescs_tags',
  key: 'comment_id',
  columns: 'comment_id, tag',
  known: commentIds,
  why: 'its comment is not there',
}

/** The bytes are in the file with what was left out. */
const CONTENTS: RowsOfOthers = {
  table: 'attach_data',
  key: 'id',
  columns: 'id, length(thedata) as bytes',
  known: attachmentIds,
  why: 'its attachment is not there',
}

async function reportRowsOf(
  { db, staging, journal }: ImportContext,
  { table, key, columns, known, why }: RowsOfOthers,
) {
  const select = `select source_row, ${columns} from ${table} where source_row > ? order by source_row limit ?`
  for (let after = -1; ; ) {
    const rows = staging.all(select, after, ROWS_AT_ONCE)
    const ids = rows.flatMap((row) => numberOf(row[key]) ?? [])
    const there = new Set((await db.all(known, { ids: JSON.stringify(ids) })).map(({ id }) => id))
    for (const { source_row, ...row } of rows)
      if (!there.has(numberOf(row[key]) ?? 0)) journal.refuse(table, stagedText(row[key]), why, row)
    if (rows.length < ROWS_AT_ONCE) return
    after = Number(rows.at(-1)?.source_row)
  }
}

/** Tables that are read by user, from the first one of the dump to the last. */
const OF_USERS = ['email_setting', 'profile_setting', 'user_group_map']

function reportRowsOfUsers({ staging, journal }: ImportContext) {
  const last = staging.first<{ id: number | null }>(
    `select max(userid) as id from profiles where typeof(userid) = 'integer'`,
  )
  for (const table of OF_USERS)
    for (const row of staging.all(
      `select * from ${table} where typeof(user_id) <> 'integer' or user_id <= 0 or user_id > ?`,
      last?.id ?? 0,
    )) {
      const { source_row: _, ...cells } = row
      journal.refuse(table, stagedText(row.user_id), 'the user does not exist', cells)
    }
}
