import { type FlagType, flagInWords } from '../../catalogue/flag-types/flag-type.ts'
import { type HeldFlag, wordsFor } from './flag.ts'

/** What became of flags: for history and answer under the field `flagtypes.name`, the CC list, and those who tell it later. */
export interface FlagChanges {
  removed: string[]
  added: string[]
  /** Ids of people who are newly asked and join the CC list, each once. */
  cc: number[]
  facts: FlagFact[]
}

/** One flag that changed: who is asked now, and who had asked before. */
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

/** Adds to the changes that a flag was made, became another or is gone. */
export function noteFlag(
  changes: FlagChanges,
  attachmentId: number | null,
  type: FlagType,
  before: HeldFlag | undefined,
  after: HeldFlag | undefined,
) {
  const known = (after ?? before) as HeldFlag
  const words = { before: before ? wordsFor(before) : null, after: after ? wordsFor(after) : null }
  if (words.before !== null) changes.removed.push(words.before)
  if (words.after !== null) changes.added.push(words.after)
  changes.facts.push({
    id: known.id,
    type_id: type.id,
    name: type.name,
    attachment_id: attachmentId,
    ...words,
    requestee_id: after?.requestee?.id ?? null,
    setter_id: before?.setterId ?? known.setterId,
  })
  const asked = after?.requestee?.id
  if (asked !== undefined && asked !== before?.requestee?.id && !changes.cc.includes(asked)) changes.cc.push(asked)
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
    before: flagInWords(name, status, requestee),
    after: null,
    requestee_id: null,
    setter_id,
  }))
  return { removed: facts.map(({ before }) => before), added: [], cc: [], facts }
}
