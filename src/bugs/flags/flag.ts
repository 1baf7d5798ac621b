import type { FlagType } from '../../catalogue/flag-types/flag-type.ts'
import { sameAs } from '../../platform/text/fold.ts'

export type FlagStatus = '?' | '+' | '-'

/** The user who is asked for a flag. */
export interface Requestee {
  id: number
  login: string
}

/** A flag on a bug or an attachment, with its type. */
export interface FlagWithType {
  id: number
  type: FlagType
  status: FlagStatus
  setterId: number
  requestee: Requestee | null
}

/** A requested change of a flag, with the names of the REST API. */
export interface WantedFlag {
  id: number | undefined
  type_id: number | undefined
  name: string | undefined
  status: string | undefined
  /** Login name; empty for a request to no particular user. */
  requestee: string | undefined
  new: boolean | undefined
}

/** A possible requestee, with all that the rules need. */
export interface PossibleRequestee extends Requestee {
  isEnabled: boolean
  seesBug: boolean
  seesPrivate: boolean
  /** The user's setting block_needinfo. */
  blocksQuestions: boolean
  groups: ReadonlySet<number>
}

/** A new or changed flag, which the rules check. */
export interface FlagEdit {
  type: FlagType
  before: FlagWithType | undefined
  /** As it was sent, without spaces around it. X clears the flag. */
  status: string
  /** The new requestee; null for no particular user, undefined if it does not change. */
  requestee: PossibleRequestee | null | undefined
  /** How many flags of this type there are. */
  ofThisType: number
  isOnPrivateAttachment: boolean
  /** Who makes the change. */
  caller: FlagEditor
}

/** The user who changes flags, with the rights that the rules need. */
export interface FlagEditor {
  id: number
  groups: ReadonlySet<number>
  /** Whether the user has canconfirm or editbugs in the product of the bug. */
  mayConfirm: boolean
}

export const CLEARED = 'X'

export function clears({ status }: Pick<FlagEdit, 'status'>) {
  return status === CLEARED
}

/** Whether this asks a question, or passes one on, that another flag asks already of the same user, or of no particular one. */
export function isAskedAlready({ type, before, status, requestee }: FlagEdit, others: readonly FlagWithType[]) {
  if (type.is_question === 0 || status !== '?') return false
  const asked = requestee === undefined ? (before?.requestee ?? null) : requestee
  if (before?.status === '?' && before.requestee?.id === asked?.id) return false
  return others.some((flag) => flag.status === '?' && flag.requestee?.id === asked?.id)
}

/** Only a request can have a requestee. */
export function hasRequestee({ status, requestee }: Pick<FlagEdit, 'status' | 'requestee'>): boolean {
  return status === '?' && requestee !== null && requestee !== undefined
}

/** The new values of a flag. */
export interface FlagAfter {
  status: FlagStatus
  setterId: number
  requestee: Requestee | null
}

/**
 * The flag after an edit, or undefined if it is cleared. The user who changes the status becomes the setter. A request that only
 * gets another requestee keeps its setter.
 */
export function afterEdit({ before, status, requestee, caller }: FlagEdit): FlagAfter | undefined {
  if (status === CLEARED) return undefined
  const newRequestee = requestee === undefined ? (before?.requestee ?? null) : requestee
  const after = {
    status: status as FlagStatus,
    requestee: status === '?' && newRequestee ? { id: newRequestee.id, login: newRequestee.login } : null,
  }
  return { ...after, setterId: before?.status === status ? before.setterId : caller.id }
}

export function isSame(before: FlagWithType, after: FlagAfter) {
  return before.status === after.status && before.requestee?.id === after.requestee?.id
}

/** The types with this name. Inactive types count only if they have a flag here or no other type has the name. */
export function typesNamed(
  types: readonly FlagType[],
  existing: readonly FlagWithType[],
  name: string,
): readonly FlagType[] {
  const isNamed = sameAs(name.trim())
  const named = types.filter((type) => isNamed(type.name))
  const usable = named.filter((type) => type.is_active === 1 || existing.some((flag) => flag.type.id === type.id))
  return usable.length > 0 ? usable : named
}
