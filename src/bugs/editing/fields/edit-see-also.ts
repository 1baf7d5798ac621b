import { requireListRoom } from '../../../access/list-limits.ts'
import type { BugTransaction } from '../../../platform/database/db.ts'
import { sameAs } from '../../../platform/text/fold.ts'
import { changeSeeAlso, linksIn, removableLinksIn } from '../../links/see-also/change-see-also.ts'
import type { SeeAlso } from '../../links/see-also/see-also-store.ts'
import { requireMayChange } from '../../rights/bug-permissions.ts'
import type { Batch } from '../batch/batch.ts'

/** Changes See Also. Bugs of this installation get the link in the other direction, if the editor may change them too. */
export async function editSeeAlso(tx: BugTransaction, batch: Batch) {
  const { params, editor, settings, baseUrl, edits, ignored } = batch
  if (params.see_also === undefined) return
  if (params.see_also.set !== undefined) ignored.add('see_also.set')
  const context = { caller: editor, settings, baseUrl }
  const add = await linksIn(tx, context, params.see_also.add)
  const remove = await removableLinksIn(tx, context, params.see_also.remove)
  for (const { before, after, rights } of edits) {
    const has = (link: SeeAlso) => isIn(before.see_also, link)
    if (add.some((link) => !has(link)) || remove.some(has)) requireMayChange(rights, 'see_also')
    const change = { bugId: before.id, add, remove }
    const { added, removed, mirrored } = await changeSeeAlso(tx, context, change)
    after.see_also = [...before.see_also.filter((link) => !isIn(removed, link)), ...added]
    requireListRoom('seeAlso', before.see_also.length, after.see_also.length)
    batch.mirrored.push(...mirrored)
  }
}

function isIn(links: readonly SeeAlso[], { url }: SeeAlso) {
  const isSame = sameAs(url)
  return links.some((link) => isSame(link.url))
}
