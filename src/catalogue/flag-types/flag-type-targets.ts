import type { Db } from '../../platform/database/db.ts'
import { idIn } from '../../platform/wire/reference.ts'
import { type FlagTypeEditor, mayKnowOf } from './editing/flag-type-editor.ts'
import type { ScopedFlagType } from './flag-type.ts'
import { getFlagTypes, listFlagTypesNamed } from './flag-type-store.ts'

/** References to flag types, by id or name. A name means all types with this name. */
export interface FlagTypeRefs {
  ids: readonly number[]
  names: readonly string[]
}

/** The references in the path and in the lists. */
export function refsFrom(ref: string, ids: readonly number[] = [], names: readonly string[] = []): FlagTypeRefs {
  const id = idIn(ref)
  return id === undefined ? { ids, names: [ref, ...names] } : { ids: [id, ...ids], names }
}

/** The flag types, each once. Throws for a missing id; unknown names are ignored. A type only of hidden products counts as missing. */
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
