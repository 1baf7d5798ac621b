import { requireListRoom } from '../../../access/list-limits.ts'
import type { Db } from '../../../platform/database/db.ts'
import { errors } from '../../../platform/errors.ts'
import { fold, sameAs } from '../../../platform/text/fold.ts'
import { requireMayChange } from '../../rights/bug-permissions.ts'
import { aliasesIn, requireAliases } from '../../values/bug-aliases.ts'
import type { Batch } from '../batch/batch.ts'

/** Changes the aliases of a bug. An alias is unique, so only one bug at a time can get some. */
export function editAliases(_: Db, { params, edits }: Batch) {
  if (params.alias === undefined) return
  const [edit, ...more] = edits
  const [first = ''] = [...(params.alias.set ?? []), ...params.alias.add, ...params.alias.remove]
  if (more.length > 0)
    throw errors.alias_wrong({ alias: first, right: 'only one bug can have it, so change one bug at a time' })
  if (edit === undefined) return
  const current = edit.before.aliases
  const set = params.alias.set && aliasesIn(params.alias.set)
  const removed = new Set(aliasesIn(params.alias.remove).map(fold))
  const added = aliasesIn(set ?? params.alias.add).filter((alias) => !has(current, alias))
  const kept = current.filter((alias) => (set === undefined ? !removed.has(fold(alias)) : has(set, alias)))
  const next = [...kept, ...(set === undefined ? added.filter((alias) => !removed.has(fold(alias))) : added)]
  if (next.length === current.length && next.every((alias) => has(current, alias))) return
  requireMayChange(edit.rights, 'alias')
  requireAliases(added)
  requireListRoom('aliases', current.length, next.length)
  edit.after.aliases = next
}

function has(aliases: readonly string[], alias: string) {
  return aliases.some(sameAs(alias))
}
