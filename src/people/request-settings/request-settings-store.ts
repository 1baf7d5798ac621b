import type { Db } from '../../platform/database/db.ts'
import { statement } from '../../platform/database/statements/statement.ts'
import type { Flag } from '../../platform/database/tables.ts'

/** What a user chooses about requests. */
export interface RequestSettings {
  /** Whether questions to the user are refused. */
  blocks_questions: Flag
  /** Whether the user is reminded of overdue requests. */
  is_reminded: Flag
}

const DEFAULT: RequestSettings = { blocks_questions: 0, is_reminded: 1 }

const ofUser = statement<{ userId: number }>()((q, p) =>
  q.selectFrom('request_settings').select(['blocks_questions', 'is_reminded']).where('user_id', '=', p.userId),
)

export async function readRequestSettings(db: Db, userId: number): Promise<RequestSettings> {
  return (await db.first(ofUser, { userId })) ?? DEFAULT
}

const put = statement<RequestSettings & { userId: number }>()((q, p) =>
  q
    .insertInto('request_settings')
    .values({ user_id: p.userId, blocks_questions: p.blocks_questions, is_reminded: p.is_reminded })
    .onConflict((conflict) =>
      conflict.column('user_id').doUpdateSet({ blocks_questions: p.blocks_questions, is_reminded: p.is_reminded }),
    ),
)

export async function saveRequestSettings(tx: Db, userId: number, settings: RequestSettings) {
  await tx.all(put, { userId, ...settings })
}

const blockers = statement<{ ids: string }>()((q, p, d) =>
  q
    .selectFrom('request_settings')
    .select('user_id')
    .where('user_id', 'in', d.integersIn(p.ids))
    .where('blocks_questions', '=', 1),
)

/** Which of these users refuse questions. */
export async function listQuestionBlockers(db: Db, userIds: readonly number[]): Promise<ReadonlySet<number>> {
  if (userIds.length === 0) return new Set()
  return new Set((await db.all(blockers, { ids: JSON.stringify(userIds) })).map(({ user_id }) => user_id))
}
