import type { BugTransaction } from '../../../platform/database/db.ts'
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

/** Returns true if the link was not there before. Letter case does not matter. */
export async function insertSeeAlso(tx: BugTransaction, bugId: number, link: SeeAlso): Promise<boolean> {
  return (await tx.first(insert, { ...link, bugId, key: fold(link.url) })) !== undefined
}

/** Returns true if the link was there. */
export async function deleteSeeAlso(tx: BugTransaction, bugId: number, url: string): Promise<boolean> {
  return (await tx.first(remove, { bugId, key: fold(url) })) !== undefined
}
