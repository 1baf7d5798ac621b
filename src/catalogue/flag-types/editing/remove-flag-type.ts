import type { Caller } from '../../../access/caller.ts'
import { recordRemoval } from '../../../changes/audit.ts'
import type { Settings } from '../../../platform/config/settings.ts'
import type { Db } from '../../../platform/database/db.ts'
import { errors } from '../../../platform/errors.ts'
import { idIn } from '../../../platform/wire/reference.ts'
import { changeCatalogue } from '../../change-catalogue.ts'
import { countFlagsOfType, listFlagsOfType } from '../flag-store.ts'
import type { FlagType, ScopedFlagType } from '../flag-type.ts'
import { deleteFlagType, getFlagTypes } from '../flag-type-store.ts'
import {
  type FlagTypeEditor,
  mayKnowOf,
  requireFlagTypeEditor,
  requireMayEditAllOf,
  requireMayEditSomeOf,
} from './flag-type-editor.ts'
import { removeFlags } from './retarget-flags.ts'

/** Deletes a flag type. If it has flags, `withItsFlags` is needed; they are deleted too, which the history of their bugs records. */
export async function removeFlagType(
  db: Db,
  caller: Caller,
  settings: Settings,
  ref: string,
  withItsFlags: boolean,
): Promise<FlagType> {
  return changeCatalogue(db, async (tx) => {
    const editor = await requireFlagTypeEditor(tx, caller, settings)
    const type = await getFlagType(tx, editor, ref)
    requireMayEditSomeOf(editor, type)
    requireMayEditAllOf(editor, type)
    if (!withItsFlags) await requireNoFlags(tx, type)
    await removeFlags(tx, editor.who, type.name, await listFlagsOfType(tx, type.id))
    await deleteFlagType(tx, type)
    await recordRemoval(tx, { who: editor.who, class: 'FlagType', objectId: type.id }, type.name)
    return type
  })
}

async function getFlagType(tx: Db, editor: FlagTypeEditor, ref: string): Promise<ScopedFlagType> {
  const id = idIn(ref)
  const [type] = id === undefined ? [] : await getFlagTypes(tx, [id], (it) => mayKnowOf(editor, it))
  if (!type) throw errors.no_such_id({ what: 'flag type', ref })
  return type
}

async function requireNoFlags(tx: Db, type: FlagType) {
  if ((await countFlagsOfType(tx, type.id)) === 0) return
  // The message does not give the number of flags, because some may be on bugs that the caller cannot see.
  throw errors.flag_type_in_use()
}
