import { sql } from 'kysely'
import type { BugTransaction } from '../../platform/database/db.ts'
import { statement } from '../../platform/database/statements/statement.ts'

const insertKeywords = statement<{ bugId: number; keywordIds: string }>()((q, p, d) =>
  q
    .insertInto('bug_keywords')
    .columns(['bug_id', 'keyword_id'])
    .expression(
      q
        .selectFrom('keywords')
        .select([sql<number>`cast(${p.bugId} as integer)`.as('bug_id'), 'keywords.id'])
        .where('keywords.id', 'in', d.integersIn(p.keywordIds)),
    )
    .onConflict((conflict) => conflict.doNothing()),
)

export async function addKeywords(tx: BugTransaction, bugId: number, keywordIds: readonly number[]) {
  if (keywordIds.length > 0) await tx.all(insertKeywords, { bugId, keywordIds: JSON.stringify(keywordIds) })
}
