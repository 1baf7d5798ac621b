import { sql } from 'kysely'
import type { CallContext } from '../../access/call.ts'
import { type InsiderParams, insiderParams } from '../../access/visibility/reader-rights.ts'
import { bugsVisibleTo, keyOfRules, type VisibilityRules } from '../../access/visibility/visible-bugs.ts'
import { statement } from '../../platform/database/statements/statement.ts'
import { statementFamily } from '../../platform/database/statements/statement-family.ts'
import { listQuestionBlockers } from './request-settings-store.ts'

const pending = statementFamily(keyOfRules, (rules: VisibilityRules) =>
  statement<InsiderParams & { ids: string }>()((q, p, d) =>
    bugsVisibleTo(q, d, rules, p)
      .innerJoin('flags', 'flags.bug_id', 'bugs.id')
      .innerJoin('flag_types', 'flag_types.id', 'flags.type_id')
      .leftJoin('attachments', 'attachments.id', 'flags.attachment_id')
      .select('flags.requestee_id as user_id')
      .select((flag) => flag.fn.countAll<number | string>().as('count'))
      .where('flags.requestee_id', 'in', d.integersIn(p.ids))
      .where('flags.status', '=', '?')
      .where('flag_types.is_question', '=', 1)
      .where((flag) =>
        flag.or([
          flag('flags.attachment_id', 'is', null),
          flag('attachments.is_private', '=', 0),
          sql<boolean>`${p.insider} = 1`,
        ]),
      )
      .groupBy('flags.requestee_id'),
  ),
)

/** How a user stands to questions: whether they take any, and how many wait for them, of those that the caller may see. */
export interface QuestionsOfUser {
  blocked: boolean
  pending: number
}

export async function readQuestionsOf(
  { db, caller, settings }: Pick<CallContext, 'db' | 'caller' | 'settings'>,
  userIds: readonly number[],
): Promise<(userId: number) => QuestionsOfUser> {
  const ids = JSON.stringify(userIds)
  const rows = await db.all(pending(settings), { ...insiderParams({ caller, settings }), ids })
  const counts = new Map(rows.map(({ user_id, count }) => [user_id, Number(count)]))
  const blockers = await listQuestionBlockers(db, userIds)
  return (userId) => ({ blocked: blockers.has(userId), pending: counts.get(userId) ?? 0 })
}
