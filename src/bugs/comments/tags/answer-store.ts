import type { BugTransaction, Db } from '../../../platform/database/db.ts'
import { statement } from '../../../platform/database/statements/statement.ts'
import type { Flag } from '../../../platform/database/tables.ts'

const mark = statement<{ id: number }>()((q, p) => q.selectFrom('comments').select('is_answer').where('id', '=', p.id))
const count = statement<{ bugId: number }>()((q, p) =>
  q
    .selectFrom('comments')
    .select((row) => row.fn.countAll<number>().as('answers'))
    .where('bug_id', '=', p.bugId)
    .where('is_answer', '=', 1),
)
const set = statement<{ id: number; isAnswer: Flag }>()((q, p) =>
  q.updateTable('comments').set({ is_answer: p.isAnswer }).where('id', '=', p.id),
)

export async function isMarkedAsAnswer(db: Db, id: number): Promise<boolean> {
  return (await db.first(mark, { id }))?.is_answer === 1
}

export async function countAnswers(db: Db, bugId: number): Promise<number> {
  return Number((await db.first(count, { bugId }))?.answers ?? 0)
}

export async function setAnswer(tx: BugTransaction, id: number, isAnswer: Flag) {
  await tx.all(set, { id, isAnswer })
}
