import type { FlagType } from '../../../catalogue/flag-types/flag-type.ts'
import { enforce } from '../../../platform/rule.ts'
import { fold } from '../../../platform/text/fold.ts'
import { findFlag } from '../find-flag.ts'
import { afterEdit, type Candidate, type FlagAfter, type FlagWithType, isSame, type WantedFlag } from '../flag.ts'
import { flagRules } from '../flag-rules.ts'

/** A bug or an attachment, and who changes its flags. */
export interface FlagPlace {
  /** The flags it has. */
  held: readonly FlagWithType[]
  /** The types of which it can have some. */
  types: readonly FlagType[]
  isOnPrivateAttachment: boolean
  caller: { id: number; groups: ReadonlySet<number> }
}

/** What is to become of a flag: nothing before when it is made, nothing after when it is cleared. */
export interface FlagStep {
  type: FlagType
  before: FlagWithType | undefined
  after: FlagAfter | undefined
}

/**
 * Decides what becomes of the flags of a bug or an attachment as a client wants, in the order in which the client names them, or throws
 * the error of the first rule that this breaks.
 */
export function planFlags(
  { held, types, isOnPrivateAttachment, caller }: FlagPlace,
  wanted: readonly WantedFlag[],
  candidate: (login: string) => Candidate,
): FlagStep[] {
  const current = new Map(held.map((flag) => [flag.id, flag]))
  const steps: FlagStep[] = []
  for (const want of wanted) {
    // A name means a flag that was there before the call: two new ones of the same type can be asked for at once.
    const { type, before } = findFlag(types, [...current.values()], want)
    const isMade = steps.some((step) => step.before === undefined && step.type.id === type.id)
    const edit = {
      type,
      before,
      status: want.status?.trim() ?? '',
      requestee: newlyAsked(want, before, candidate),
      isTaken: isMade || [...current.values()].some((flag) => flag.type.id === type.id),
      isOnPrivateAttachment,
      groups: caller.groups,
    }
    enforce(flagRules, edit)
    const after = afterEdit(edit, caller.id)
    if (before === undefined) {
      if (after !== undefined) steps.push({ type, before, after })
      continue
    }
    if (after === undefined) current.delete(before.id)
    else current.set(before.id, { ...before, ...after })
    const known = steps.find((step) => step.before?.id === before.id)
    if (known) known.after = after
    else steps.push({ type, before, after })
  }
  return steps.filter(({ before, after }) => before === undefined || after === undefined || !isSame(before, after))
}

/** Who is to be asked instead of whoever was before; undefined when that stays. */
function newlyAsked(
  { status, requestee }: WantedFlag,
  before: FlagWithType | undefined,
  candidate: (login: string) => Candidate,
): Candidate | null | undefined {
  if (requestee === undefined || status?.trim() !== '?') return undefined
  if (requestee.trim() === '') return null
  return before?.requestee && fold(before.requestee.login) === fold(requestee.trim()) ? undefined : candidate(requestee)
}
