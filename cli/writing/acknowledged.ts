import { StrangeAnswer } from '../failures/strange-answer.ts'
import { proposalIn } from './proposal.ts'

/** The answer, if it has the number of what was made or of a proposal: only then has the server what was sent. */
export function acknowledged<Answer>(answer: Answer): Answer {
  const isMade = typeof answer === 'object' && answer !== null && 'id' in answer && Number.isSafeInteger(answer.id)
  if (isMade || proposalIn(answer) !== undefined) return answer
  throw new StrangeAnswer('it does not say the number of what was made; look whether it is there')
}
