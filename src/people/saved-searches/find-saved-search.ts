import { type Caller, requireLogin } from '../../access/caller.ts'
import type { Db } from '../../platform/database/db.ts'
import { errors } from '../../platform/errors.ts'
import { clampedId } from '../../platform/wire/reference.ts'
import { maySee } from './change-saved-searches.ts'
import { parametersIn } from './saved-search.ts'
import { findSearchNamed } from './saved-search-store.ts'

/**
 * The parameters of the saved search with this name: the caller's own, or the one of the user with this id if it is
 * shared with a group of the caller. Other searches are reported as missing.
 */
export async function parametersOfSaved(
  db: Db,
  caller: Caller,
  name: string,
  sharerId: number | undefined,
): Promise<Readonly<Record<string, unknown>>> {
  const { id } = requireLogin(caller)
  const found = await findSearchNamed(db, clampedId(sharerId ?? id), name)
  if (!found || !maySee(caller, found)) throw errors.no_such_object({ what: 'saved search', ref: name })
  return parametersIn(found.query)
}
