import type { FlagType } from '../../catalogue/flag-types/flag-type.ts'
import { sameAs } from '../../platform/text/fold.ts'

export type FlagStatus = '?' | '+' | '-'

/** Somebody who is asked. */
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

/** What a client wants of a flag, under the names of the interface; undefined is not said. */
export interface WantedFlag {
  id: number | undefined
  type_id: number | undefined
  name: string | undefined
  status: string | undefined
  /** Login name; empty for nobody in particular. */
  requestee: string | undefined
  new: boolean | undefined
}

/** Somebody who is to be asked, with all that the rules want to know. */
export interface Candidate extends Requestee {
  isEnabled: boolean
  seesBug: boolean
  seesPrivate: boolean
  groups: ReadonlySet<number>
}

/** A flag that is to be made, or to become another; what the rules judge. */
export interface FlagEdit {
  type: FlagType
  before: FlagWithType | undefined
  /** As it was given, blanks aside; X clears the flag. */
  status: string
  /** Who is to be asked, when that is somebody else than before; null for nobody in particular, undefined for no change. */
  requestee: Candidate | null | undefined
  /** There is another flag of this type. */
  isTaken: boolean
  isOnPrivateAttachment: boolean
  /** The groups of whoever makes the change. */
  groups: ReadonlySet<number>
}

export const CLEARED = 'X'

export function clears({ status }: Pick<FlagEdit, 'status'>) {
  return status === CLEARED
}

/** Somebody in particular can only be asked while the flag is a request. */
export function hasRequestee({ status, requestee }: Pick<FlagEdit, 'status' | 'requestee'>): boolean {
  return status === '?' && requestee !== null && requestee !== undefined
}

/** What becomes of a flag. */
export interface FlagAfter {
  status: FlagStatus
  setterId: number
  requestee: Requestee | null
}

/**
 * The flag after an edit that broke no rule, or undefined when it is cleared. Whoever changes a flag becomes its setter, but a request
 * that is passed on to somebody else stays the request of the one who asked.
 */
export function afterEdit({ before, status, requestee }: FlagEdit, callerId: number): FlagAfter | undefined {
  if (status === CLEARED) return undefined
  const newRequestee = requestee === undefined ? (before?.requestee ?? null) : requestee
  const after = {
    status: status as FlagStatus,
    requestee: status === '?' && newRequestee ? { id: newRequestee.id, login: newRequestee.login } : null,
  }
  return { ...after, setterId: before?.status === status ? before.setterId : callerId }
}

export function isSame(before: FlagWithType, after: FlagAfter) {
  return before.status === after.status && before.requestee?.id === after.requestee?.id
}

/** The types of that name. One that takes no new flags does not stand in the way of another, unless it has a flag here. */
export function typesNamed(
  types: readonly FlagType[],
  held: readonly FlagWithType[],
  name: string,
): readonly FlagType[] {
  const isNamed = sameAs(name.trim())
  const named = types.filter((type) => isNamed(type.name))
  const usable = named.filter((type) => type.is_active === 1 || held.some((flag) => flag.type.id === type.id))
  return usable.length > 0 ? usable : named
}
