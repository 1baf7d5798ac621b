import type { FlagType } from '../../catalogue/flag-types/flag-type.ts'
import { errors } from '../../platform/errors.ts'
import { type FlagWithType, typesNamed, type WantedFlag } from './flag.ts'

/** An existing flag, or the type of a new one. */
export interface FlagReference {
  type: FlagType
  before: FlagWithType | undefined
}

/**
 * Finds the flag that a client refers to: by id, or the only one of the type or name. If there is none, or with `new`, it is a new
 * flag. `types` are the types that apply to the bug, `existing` its flags before the call.
 */
export function findFlag(
  types: readonly FlagType[],
  existing: readonly FlagWithType[],
  wanted: WantedFlag,
): FlagReference {
  if (wanted.id !== undefined) return existingFlag(existing, wanted.id)
  const type = typeOf(types, existing, wanted)
  if (wanted.new === true) return { type, before: undefined }
  const [before, another] = existing.filter((flag) => flag.type.id === type.id)
  if (another) throw errors.several_flags_match({ flag: type.name })
  return { type, before }
}

function existingFlag(existing: readonly FlagWithType[], id: number): FlagReference {
  const before = existing.find((flag) => flag.id === id)
  if (!before) throw errors.no_such_id({ what: 'flag', ref: String(id) })
  return { type: before.type, before }
}

function typeOf(
  types: readonly FlagType[],
  existing: readonly FlagWithType[],
  { type_id, name }: WantedFlag,
): FlagType {
  if (type_id !== undefined) {
    const type = types.find((it) => it.id === type_id)
    if (!type) throw errors.no_such_id({ what: 'flag type', ref: String(type_id) })
    return type
  }
  if (name === undefined || name.trim() === '')
    throw errors.one_of_required({ names: ['id', 'type_id', 'name'], hint: 'of the flag' })
  const [type, another] = typesNamed(types, existing, name)
  if (!type) throw errors.no_such_object({ what: 'flag type', ref: name })
  if (another) throw errors.several_flag_types_match({ flag: type.name })
  return type
}
