import { requireLogin } from '../../access/caller.ts'
import { errors } from '../../platform/errors.ts'
import { clampedId } from '../../platform/wire/reference.ts'
import { maySee, type SearchReader } from './change-saved-searches.ts'
import { parametersIn } from './saved-search.ts'
import { findSearchNamed } from './saved-search-store.ts'

/**
 * The parameters of the saved search with this name: the caller's own, or the one of the user with this id if it is
 * shared with a group of the caller. Other searches are reported as missing.
 */
export async function parametersOfSaved(
  reader: SearchReader,
  name: string,
  sharerId: number | undefined,
): Promise<Readonly<Record<string, unknown>>> {
  const { id } = requireLogin(reader.caller)
  const found = await findSearchNamed(reader.db, clampedId(sharerId ?? id), name)
  if (!found || !(await maySee(reader, found))) throw errors.no_such_object({ what: 'saved search', ref: name })
  return parametersIn(found.query)
}
