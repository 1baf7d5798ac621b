import type { Db } from '../../../platform/database/db.ts'
import { statement } from '../../../platform/database/statements/statement.ts'
import { errors } from '../../../platform/errors.ts'
import { fold } from '../../../platform/text/fold.ts'
import { requireMayChange } from '../../rights/bug-permissions.ts'
import type { Batch } from '../batch/batch.ts'
import type { BugKeyword } from '../bug-state.ts'
import { listAfter, sameIds } from '../list-after.ts'

const byKeys = statement<{ keys: string }>()((q, p, d) =>
  q.selectFrom('keywords').select(['id', 'name', 'name_key']).where('name_key', 'in', d.textsIn(p.keys)),
)

export async function editKeywords(tx: Db, { params, edits }: Batch) {
  if (params.keywords === undefined) return
  const { add, remove, set } = params.keywords
  const names = [...add, ...remove, ...(set ?? [])]
  const rows = await tx.all(byKeys, { keys: JSON.stringify(names.map((name) => fold(name.trim()))) })
  const byKey = new Map(rows.map((row) => [row.name_key, row]))
  const found = (name: string): BugKeyword => {
    const keyword = byKey.get(fold(name.trim()))
    if (keyword === undefined) throw errors.no_such_object({ what: 'keyword', ref: name })
    return { id: keyword.id, name: keyword.name }
  }
  const wanted = { add: add.map(found), remove: remove.map(found), set: set?.map(found) }
  for (const { before, after, rights } of edits) {
    const keywords = listAfter(before.keywords, wanted)
    if (sameIds(before.keywords, keywords)) continue
    requireMayChange(rights, 'keywords')
    after.keywords = keywords.sort((a, b) => (fold(a.name) < fold(b.name) ? -1 : 1))
  }
}
