import type { Db } from '../../platform/database/db.ts'
import { idIn } from '../../platform/wire/reference.ts'
import { type FlagTypeEditor, mayKnowOf } from './editing/flag-type-editor.ts'
import type { ScopedFlagType } from './flag-type.ts'
import { getFlagTypes, listFlagTypesNamed } from './flag-type-store.ts'

/** Which flag types are meant: by id, or all that have a name. */
export interface FlagTypeRefs {
  ids: readonly number[]
  names: readonly string[]
}

/** What a path names, with what the lists name besides. */
export function refsFrom(ref: string, ids: readonly number[] = [], names: readonly string[] = []): FlagTypeRefs {
  const id = idIn(ref)
  return id === undefined ? { ids, names: [ref, ...names] } : { ids: [id, ...ids], names }
}

/** Each once. An id must exist; a name that no type has names none. A type of hidden products only is as if it did not exist. */
export async function listTargets(
  db: Db,
  editor: FlagTypeEditor,
  { ids, names }: FlagTypeRefs,
): Promise<ScopedFlagType[]> {
  const isKnown = (type: ScopedFlagType) => mayKnowOf(editor, type)
  const byId = await getFlagTypes(db, ids, isKnown)
  const byName = (await listFlagTypesNamed(db, names)).filter(isKnown)
  return [...new Map([...byId, ...byName].map((type) => [type.id, type])).values()]
}
