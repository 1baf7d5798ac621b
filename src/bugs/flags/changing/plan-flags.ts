import type { FlagType } from '../../../catalogue/flag-types/flag-type.ts'
import { enforce } from '../../../platform/rule.ts'
import { fold } from '../../../platform/text/fold.ts'
import { findFlag } from '../find-flag.ts'
import {
  afterEdit,
  type FlagAfter,
  type FlagEditor,
  type FlagWithType,
  isAskedAlready,
  isSame,
  type PossibleRequestee,
  type WantedFlag,
} from '../flag.ts'
import { flagRules } from '../flag-rules.ts'

/** The flags of a bug or an attachment, and the caller who changes them. */
export interface FlagPlanContext {
  /** The current flags. */
  existing: readonly FlagWithType[]
  /** The flag types that apply to it. */
  types: readonly FlagType[]
  isOnPrivateAttachment: boolean
  caller: FlagEditor
}

/** A planned change of a flag. A new flag has no `before`, a cleared one no `after`. */
export interface FlagStep {
  type: FlagType
  before: FlagWithType | undefined
  after: FlagAfter | undefined
}

/**
 * Plans the requested changes of the flags of a bug or an attachment, in the order of the request. Throws the error of the first
 * broken rule.
 */
export function planFlags(
  { existing, types, isOnPrivateAttachment, caller }: FlagPlanContext,
  wanted: readonly WantedFlag[],
  candidate: (login: string) => PossibleRequestee,
): FlagStep[] {
  const current = new Map(existing.map((flag) => [flag.id, flag]))
  const steps: FlagStep[] = []
  for (const want of wanted) {
    // A name finds only flags from before the call, so that one call can set two new flags of the same type.
    const { type, before } = findFlag(types, [...current.values()], want)
    const made = steps.filter((step) => step.before === undefined && step.type.id === type.id)
    const kept = [...current.values()].filter((flag) => flag.type.id === type.id)
    const edit = {
      type,
      before,
      status: want.status?.trim() ?? '',
      requestee: newRequestee(want, before, candidate),
      ofThisType: made.length + kept.length,
      isOnPrivateAttachment,
      caller,
    }
    const isRepeated = isAskedAlready(edit, [...kept.filter(({ id }) => id !== before?.id), ...madeFlags(made)])
    if (isRepeated && before === undefined) continue
    enforce(flagRules, edit)
    const after = isRepeated ? undefined : afterEdit(edit)
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

/** The new flags of the steps. They have no ids yet. */
function madeFlags(made: readonly FlagStep[]): FlagWithType[] {
  return made.flatMap(({ type, after }) => (after === undefined ? [] : { id: 0, type, ...after }))
}

/** The new requestee; undefined if the requestee does not change. */
function newRequestee(
  { status, requestee }: WantedFlag,
  before: FlagWithType | undefined,
  candidate: (login: string) => PossibleRequestee,
): PossibleRequestee | null | undefined {
  if (requestee === undefined || status?.trim() !== '?') return undefined
  if (requestee.trim() === '') return null
  return before?.requestee && fold(before.requestee.login) === fold(requestee.trim()) ? undefined : candidate(requestee)
}
