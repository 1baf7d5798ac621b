import { sql } from 'kysely'
import type { BugTransaction, Db } from '../../platform/database/db.ts'
import { statement } from '../../platform/database/statements/statement.ts'

interface BugTagKey {
  userId: number
  bugId: number
}

const insert = statement<BugTagKey & { tags: string }>()((q, p, d) =>
  q
    .insertInto('bug_tags')
    .columns(['user_id', 'bug_id', 'tag'])
    .expression(
      sql`select cast(${p.userId} as integer), cast(${p.bugId} as integer), tag
        from ${d.recordsIn(p.tags, { tag: 'text' })} as given where 1 = 1 order by tag`,
    )
    .onConflict((conflict) => conflict.doNothing()),
)
const remove = statement<BugTagKey & { tags: string }>()((q, p, d) =>
  q
    .deleteFrom('bug_tags')
    .where('user_id', '=', p.userId)
    .where('bug_id', '=', p.bugId)
    .where('tag', 'in', d.textsIn(p.tags)),
)
const ofBug = statement<BugTagKey>()((q, p) =>
  q.selectFrom('bug_tags').select('tag').where('user_id', '=', p.userId).where('bug_id', '=', p.bugId).orderBy('tag'),
)

/** Adds the user's personal tags to the bug. Existing tags stay. */
export async function addTags(tx: BugTransaction, key: BugTagKey, tags: readonly string[]) {
  if (tags.length > 0) await tx.all(insert, { ...key, tags: JSON.stringify(tags.map((tag) => ({ tag }))) })
}

export async function removeTags(tx: BugTransaction, key: BugTagKey, tags: readonly string[]) {
  if (tags.length > 0) await tx.all(remove, { ...key, tags: JSON.stringify(tags) })
}

const ofUser = statement<{ userId: number }>()((q, p) =>
  q
    .selectFrom('bug_tags')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('user_id', '=', p.userId),
)

export async function countTags(db: Db, userId: number): Promise<number> {
  return Number((await db.first(ofUser, { userId }))?.count ?? 0)
}

export async function listTags(db: Db, key: BugTagKey): Promise<string[]> {
  return (await db.all(ofBug, key)).map(({ tag }) => tag)
}
