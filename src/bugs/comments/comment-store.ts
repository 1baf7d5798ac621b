import { sql } from 'kysely'
import type { Db } from '../../platform/database/db.ts'
import { statement } from '../../platform/database/statement.ts'
import type { Flag } from '../../platform/database/tables.ts'

interface NewComment {
  bugId: number
  userId: number
  at: string
  text: string
  isPrivate: Flag
  kind: number
  aboutId: number | null
  workHundredths: number
}

const insert = statement<NewComment>()((q, p) =>
  q
    .insertInto('comments')
    .values({
      bug_id: p.bugId,
      number: sql<number>`(select coalesce(max(number) + 1, 0) from comments where bug_id = ${p.bugId})`,
      user_id: p.userId,
      at: p.at,
      text: p.text,
      is_private: p.isPrivate,
      kind: p.kind,
      about_id: p.aboutId,
      work_hundredths: p.workHundredths,
    })
    .returning(['id', 'number']),
)

/** Gives the comment the next number of its bug. Whoever calls has locked the bug's row. */
export async function insertComment(tx: Db, comment: NewComment): Promise<{ id: number; number: number }> {
  return (await tx.first(insert, comment)) as { id: number; number: number }
}

const addWork = statement<{ bugId: number; hundredths: number }>()((q, p) =>
  q
    .updateTable('bugs')
    .set((bug) => ({ actual_hundredths: bug('actual_hundredths', '+', p.hundredths) }))
    .where('id', '=', p.bugId),
)

/** Keeps the sum of the work that comments tell of. */
export async function addWorkToBug(tx: Db, bugId: number, hundredths: number) {
  await tx.all(addWork, { bugId, hundredths })
}
