import type { Caller } from '../../../access/caller.ts'
import { recordCreation } from '../../../changes/audit.ts'
import type { Settings } from '../../../platform/config/settings.ts'
import type { Db } from '../../../platform/database/db.ts'
import { errors } from '../../../platform/errors.ts'
import { enforce } from '../../../platform/rule.ts'
import { changeCatalogue } from '../../change-catalogue.ts'
import { EVERYWHERE, type FlagTarget, withoutRedundantScopes } from '../flag-type.ts'
import { flagTypeRules } from '../flag-type-rules.ts'
import { insertFlagType, replaceScopes } from '../flag-type-store.ts'
import { NEW_FLAG_TYPE, type WantedFlagType, withFlagTypeChanges, withGroups } from './flag-type-edit.ts'
import { requireFlagTypeEditor, requireOwnScopes, scopesOf } from './flag-type-editor.ts'

export interface WantedNewFlagType extends WantedFlagType {
  target_type: string | undefined
}

export async function createFlagType(
  db: Db,
  caller: Caller,
  settings: Settings,
  wanted: WantedNewFlagType,
): Promise<number> {
  return changeCatalogue(db, async (tx) => {
    const editor = await requireFlagTypeEditor(tx, caller, settings)
    for (const name of ['name', 'description'] as const) if (!wanted[name]) throw errors.parameter_required({ name })
    const after = withFlagTypeChanges({ ...NEW_FLAG_TYPE, target: requireTarget(wanted.target_type) }, wanted)
    enforce(flagTypeRules, { after, settings })
    const type = await withGroups(tx, editor, after, wanted)
    const included = withoutRedundantScopes(await scopesOf(tx, editor, wanted.inclusions ?? []))
    const inclusions = included.length === 0 ? [EVERYWHERE] : included
    const exclusions = withoutRedundantScopes(await scopesOf(tx, editor, wanted.exclusions ?? []))
    requireOwnScopes(editor, [...inclusions, ...exclusions])

    const id = await insertFlagType(tx, type)
    await replaceScopes(tx, id, 'inclusion', inclusions)
    await replaceScopes(tx, id, 'exclusion', exclusions)
    await recordCreation(tx, { who: editor.who, class: 'FlagType', objectId: id }, type.name)
    return id
  })
}

export function requireTarget(input: string | undefined): FlagTarget {
  const target = input?.trim().toLowerCase() || 'bug'
  if (target !== 'bug' && target !== 'attachment')
    throw errors.bad_value({ name: 'target_type', value: input, right: 'it must be bug or attachment' })
  return target
}
