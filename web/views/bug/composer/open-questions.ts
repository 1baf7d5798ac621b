import { me } from '../../../core/account/session.ts'
import type { FlagType } from '../../../core/bugs/flag-types.ts'
import type { Flag } from '../../../core/server/types.ts'
import type { FlagChange } from './composed.ts'

/** An open question that the reader may answer. */
export interface OpenQuestion {
  flag: Flag
  /** Whether a comment answers it. */
  isTicked: boolean
}

interface Rights {
  types: readonly FlagType[] | undefined
  /** Whether the reader may confirm bugs of the product, and so answer questions to others. */
  mayConfirm: boolean
}

/** A comment answers the questions to the reader, and those to anyone if the reader may confirm bugs, unless the reader decides otherwise. */
export function openQuestions(
  flags: readonly Flag[],
  { types = [], mayConfirm }: Rights,
  decided: Readonly<Record<number, boolean>>,
): OpenQuestion[] {
  const questions = new Set(types.filter((type) => type.is_question).map(({ id }) => id))
  const own = me.value?.name
  const mayAnswer = ({ requestee, setter }: Flag) =>
    mayConfirm || requestee === undefined || requestee === own || setter === own
  return flags
    .filter((flag) => flag.status === '?' && questions.has(flag.type_id) && mayAnswer(flag))
    .map((flag) => ({
      flag,
      isTicked: decided[flag.id] ?? (flag.requestee === own || (flag.requestee === undefined && mayConfirm)),
    }))
}

/** The changes that clear what the text answers. */
export function answersIn(questions: readonly OpenQuestion[], text: string): FlagChange[] {
  if (text.trim() === '') return []
  return questions
    .filter(({ isTicked }) => isTicked)
    .map(({ flag: { id, name, type_id } }) => ({ id, name, type_id, status: 'X' }))
}
