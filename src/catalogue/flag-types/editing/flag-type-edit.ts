import type { Changes } from '../../../changes/audit.ts'
import { changesBetween } from '../../../changes/changes-between.ts'
import { findGroups } from '../../../people/groups/group-store.ts'
import type { Db } from '../../../platform/database/db.ts'
import { errors } from '../../../platform/errors.ts'
import { splitWords } from '../../../platform/text/split-words.ts'
import { type FlagType, LONGEST_CC_LIST } from '../flag-type.ts'
import type { FlagTypeScope } from '../flag-type-scopes.ts'
import type { FlagTypeEditor } from './flag-type-editor.ts'

/** The requested state of a flag type, with the names of the REST API. Undefined parts do not change. */
export interface WantedFlagType {
  name: string | undefined
  description: string | undefined
  sortkey: unknown
  is_active: boolean | undefined
  is_requestable: boolean | undefined
  is_specifically_requestable: boolean | undefined
  is_multiplicable: boolean | undefined
  is_question: boolean | undefined
  cc_list: readonly string[] | undefined
  /** Name or id of a group; empty for none. */
  grant_group: string | undefined
  request_group: string | undefined
  inclusions: readonly FlagTypeScope[] | undefined
  exclusions: readonly FlagTypeScope[] | undefined
}

/** The defaults of a new flag type. */
export const NEW_FLAG_TYPE: Omit<FlagType, 'id' | 'target'> = {
  name: '',
  description: '',
  sort_key: 1,
  is_active: 1,
  is_requestable: 1,
  is_requesteeble: 1,
  is_multiplicable: 1,
  is_question: 0,
  cc_list: '',
  grant_group_id: null,
  request_group_id: null,
}

/** Applies the requested changes except the groups, which must be looked up. Spaces around the name are removed. */
export function withFlagTypeChanges<Type extends Omit<FlagType, 'id'>>(before: Type, wanted: WantedFlagType): Type {
  const flag = (value: boolean | undefined, current: 0 | 1) => (value === undefined ? current : value ? 1 : 0)
  return {
    ...before,
    name: (wanted.name ?? before.name).trim(),
    description: (wanted.description ?? before.description).trim(),
    sort_key: wanted.sortkey === undefined ? before.sort_key : numberIn(wanted.sortkey),
    is_active: flag(wanted.is_active, before.is_active),
    is_requestable: flag(wanted.is_requestable, before.is_requestable),
    is_requesteeble: flag(wanted.is_specifically_requestable, before.is_requesteeble),
    is_multiplicable: flag(wanted.is_multiplicable, before.is_multiplicable),
    is_question: flag(wanted.is_question, before.is_question),
    cc_list: wanted.cc_list === undefined ? before.cc_list : joinedAddresses(wanted.cc_list),
  }
}

/** Applies the requested groups. Throws the same error for a group that the editor may not know of and for a missing one. */
export async function withGroups<Type extends Omit<FlagType, 'id'>>(
  tx: Db,
  editor: FlagTypeEditor,
  type: Type,
  wanted: WantedFlagType,
) {
  const current = new Set([type.grant_group_id, type.request_group_id])
  const isKnown = (groupId: number) => current.has(groupId) || editor.knowsGroup(groupId)
  return {
    ...type,
    grant_group_id: await groupId(tx, isKnown, wanted.grant_group, type.grant_group_id),
    request_group_id: await groupId(tx, isKnown, wanted.request_group, type.request_group_id),
  }
}

async function groupId(
  tx: Db,
  isKnown: (groupId: number) => boolean,
  ref: string | undefined,
  current: number | null,
): Promise<number | null> {
  if (ref === undefined) return current
  if (ref.trim() === '') return null
  const group = (await findGroups(tx, [ref])).get(ref)
  if (group === undefined || !isKnown(group.id)) throw errors.no_such_object({ what: 'group', ref })
  return group.id
}

/** Returns NaN for anything but a whole number. The rule then refuses it. */
function numberIn(input: unknown): number {
  if (typeof input === 'number') return input
  return typeof input === 'string' && /^\s*[+-]?\d{1,16}\s*$/.test(input) ? Number(input) : Number.NaN
}

/** Joins addresses, each of them once. A text may have several. */
function joinedAddresses(input: readonly string[]) {
  const addresses = input.flatMap((text) => splitWords(text, LONGEST_CC_LIST))
  if (addresses.length > LONGEST_CC_LIST) throw errors.flag_type_cc_list_too_long({ longest: LONGEST_CC_LIST })
  return [...new Set(addresses)].join(', ')
}

/** compat: with Bugzilla's names, which differ in part from the parameters of the call. */
export function flagTypeChanges(before: FlagType, after: FlagType): Changes {
  return changesBetween(visibleForm(before), visibleForm(after))
}

function visibleForm(type: FlagType) {
  return {
    name: type.name,
    description: type.description,
    cc_list: type.cc_list,
    sortkey: type.sort_key,
    is_active: type.is_active,
    is_requestable: type.is_requestable,
    is_requesteeble: type.is_requesteeble,
    is_multiplicable: type.is_multiplicable,
    is_question: type.is_question,
    grant_group_id: type.grant_group_id,
    request_group_id: type.request_group_id,
  }
}
