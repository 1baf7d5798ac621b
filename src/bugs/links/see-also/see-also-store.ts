import type { BugTransaction, Db } from '../../../platform/database/db.ts'
import { statement } from '../../../platform/database/statements/statement.ts'
import { fold } from '../../../platform/text/fold.ts'

/** An entry of See Also: a URL, and the id of the bug if it is one of this installation. */
export interface SeeAlso {
  url: string
  local_bug_id: number | null
}

const insert = statement<SeeAlso & { bugId: number; key: string }>()((q, p) =>
  q
    .insertInto('bug_see_also')
    .values({ bug_id: p.bugId, url: p.url, url_key: p.key, local_bug_id: p.local_bug_id })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id'),
)
const remove = statement<{ bugId: number; key: string }>()((q, p) =>
  q.deleteFrom('bug_see_also').where('bug_id', '=', p.bugId).where('url_key', '=', p.key).returning('id'),
)

const counts = statement<{ ids: string }>()((q, p, d) =>
  q
    .selectFrom('bug_see_also')
    .select((row) => ['bug_id', row.fn.countAll<number>().as('count')])
    .where('bug_id', 'in', d.integersIn(p.ids))
    .groupBy('bug_id'),
)

/** How many links each of these bugs has; a bug without any is missing. */
export async function countSeeAlso(tx: Db, ids: readonly number[]): Promise<ReadonlyMap<number, number>> {
  if (ids.length === 0) return new Map()
  return new Map((await tx.all(counts, { ids: JSON.stringify(ids) })).map(({ bug_id, count }) => [bug_id, count]))
}

/** Returns true if the link was not there before. Letter case does not matter. */
export async function insertSeeAlso(tx: BugTransaction, bugId: number, link: SeeAlso): Promise<boolean> {
  return (await tx.first(insert, { ...link, bugId, key: fold(link.url) })) !== undefined
}

/** Returns true if the link was there. */
export async function deleteSeeAlso(tx: BugTransaction, bugId: number, url: string): Promise<boolean> {
  return (await tx.first(remove, { bugId, key: fold(url) })) !== undefined
}
