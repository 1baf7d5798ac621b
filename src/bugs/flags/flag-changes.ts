import { flagText } from '../../catalogue/flag-types/flag-type.ts'
import type { FlagStep } from './changing/plan-flags.ts'

/** The changes of flags: for history and response (field `flagtypes.name`), for the CC list, and for events. */
export interface FlagChanges {
  removed: string[]
  added: string[]
  /** Ids of new requestees, who are added to the CC list, each once. */
  cc: number[]
  facts: FlagFact[]
}

/** One changed flag, with its new requestee and its previous setter. */
export interface FlagFact {
  id: number
  type_id: number
  name: string
  attachment_id: number | null
  before: string | null
  after: string | null
  requestee_id: number | null
  setter_id: number
}

export const NO_CHANGES: FlagChanges = { removed: [], added: [], cc: [], facts: [] }

/** The changes that steps make to their bug or attachment. */
export function changesOfSteps(
  attachmentId: number | null,
  steps: readonly FlagStep[],
  idOf: (step: FlagStep) => number,
): FlagChanges {
  const facts = steps.map((step) => factOf(attachmentId, step, idOf(step)))
  const requestees = steps.flatMap(({ before, after }) =>
    after?.requestee && after.requestee.id !== before?.requestee?.id ? after.requestee.id : [],
  )
  return {
    removed: facts.flatMap(({ before }) => before ?? []),
    added: facts.flatMap(({ after }) => after ?? []),
    cc: [...new Set(requestees)],
    facts,
  }
}

function factOf(attachmentId: number | null, { type, before, after }: FlagStep, id: number): FlagFact {
  return {
    id,
    type_id: type.id,
    name: type.name,
    attachment_id: attachmentId,
    before: before ? flagText(type.name, before.status, before.requestee?.login) : null,
    after: after ? flagText(type.name, after.status, after.requestee?.login) : null,
    requestee_id: after?.requestee?.id ?? null,
    setter_id: before?.setterId ?? after?.setterId ?? 0,
  }
}

interface RemovedFlag {
  id: number
  type_id: number
  name: string
  attachment_id: number | null
  status: string
  setter_id: number
  requestee: string | null
}

export function changesOfRemoved(flags: readonly RemovedFlag[]): FlagChanges {
  const facts = flags.map(({ id, type_id, name, attachment_id, status, requestee, setter_id }) => ({
    id,
    type_id,
    name,
    attachment_id,
    before: flagText(name, status, requestee),
    after: null,
    requestee_id: null,
    setter_id,
  }))
  return { removed: facts.map(({ before }) => before), added: [], cc: [], facts }
}
