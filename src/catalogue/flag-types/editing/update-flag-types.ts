import type { Caller } from '../../../access/caller.ts'
import { type Changes, recordAudit } from '../../../changes/audit.ts'
import type { Settings } from '../../../platform/config/settings.ts'
import type { ConfigurationTransaction, Db } from '../../../platform/database/db.ts'
import { errors } from '../../../platform/errors.ts'
import { enforce } from '../../../platform/rule.ts'
import { changeCatalogue } from '../../change-catalogue.ts'
import { dropRequestees } from '../flag-store.ts'
import { areSameScopes, EVERYWHERE, type ScopedFlagType, type ScopeIds } from '../flag-type.ts'
import { flagTypeRules } from '../flag-type-rules.ts'
import { replaceScopes, updateFlagType } from '../flag-type-store.ts'
import { type FlagTypeRefs, listTargets } from '../flag-type-targets.ts'
import { flagTypeChanges, type WantedFlagType, withFlagTypeChanges, withGroups } from './flag-type-edit.ts'
import {
  type FlagTypeEditor,
  replacedScopes,
  requireFlagTypeEditor,
  requireMayEditAllOf,
  requireMayEditSomeOf,
  requireOwnScopes,
  scopesOf,
} from './flag-type-editor.ts'
import { retargetFlags } from './retarget-flags.ts'

/** Makes the same changes to several flag types: to all of them, or to none if one fails. */
export async function updateFlagTypes(
  db: Db,
  caller: Caller,
  settings: Settings,
  refs: FlagTypeRefs,
  wanted: WantedFlagType,
) {
  return changeCatalogue(db, async (tx) => {
    const editor = await requireFlagTypeEditor(tx, caller, settings)
    const types = await listTargets(tx, editor, refs)
    // One name may refer to several types, which are renamed together. Several ids or names cannot be renamed in one call.
    if (wanted.name !== undefined && types.length > 1 && refs.ids.length + refs.names.length > 1)
      throw errors.one_at_a_time({ name: 'name', what: 'flag type' })
    const updated = []
    for (const type of types) updated.push(await updateOne(tx, editor, settings, type, wanted))
    return updated
  })
}

async function updateOne(
  tx: ConfigurationTransaction,
  editor: FlagTypeEditor,
  settings: Settings,
  before: ScopedFlagType,
  wanted: WantedFlagType,
) {
  const { inclusions, exclusions, ...attributes } = wanted
  requireMayEditSomeOf(editor, before)
  if (Object.values(attributes).some((value) => value !== undefined)) requireMayEditAllOf(editor, before)

  const after = withFlagTypeChanges(before, wanted)
  enforce(flagTypeRules, { after, settings })
  const type = await withGroups(tx, editor, after, wanted)
  await updateFlagType(tx, type)
  const changes: Changes = {
    ...flagTypeChanges(before, type),
    ...(await updateScopes(tx, editor, before, wanted)),
  }
  if (changes.inclusions || changes.exclusions) await retargetFlags(tx, editor.who, before, type)
  if (changes.is_requesteeble && type.is_requesteeble === 0) await dropRequestees(tx, type.id)
  await recordAudit(tx, { who: editor.who, class: 'FlagType', objectId: type.id }, changes)
  return { id: type.id, name: type.name, changes }
}

async function updateScopes(tx: Db, editor: FlagTypeEditor, type: ScopedFlagType, wanted: WantedFlagType) {
  const changes: Changes = {}
  for (const kind of ['inclusion', 'exclusion'] as const) {
    const wantedScopes = wanted[`${kind}s`]
    if (wantedScopes === undefined) continue
    const before = type[`${kind}s`]
    const replaced = replacedScopes(editor, type, before, await scopesOf(tx, editor, wantedScopes))
    const isEmpty = replaced.length === 0 || (wantedScopes.length === 0 && editor.isGlobal)
    const after = kind === 'inclusion' && isEmpty ? everywhere(editor) : replaced
    if (areSameScopes(before, after)) continue
    await replaceScopes(tx, type.id, kind, after)
    changes[`${kind}s`] = CHANGED
  }
  return changes
}

/** A type without inclusions applies everywhere. Only an editor of all products may decide this. */
function everywhere(editor: FlagTypeEditor): ScopeIds[] {
  requireOwnScopes(editor, [EVERYWHERE])
  return [EVERYWHERE]
}

/** compat: the response shows that they changed, but not how. */
export const CHANGED = { removed: '0', added: '1' }
