import { shownValue } from '../reading/shown-value.ts'
import type { Line } from '../text/styled-line.ts'

/** What the server stored instead of making a change, because the key may only propose; undefined if it was made. */
export function proposalIn(answer: unknown): { document: object; line: Line } | undefined {
  if (typeof answer !== 'object' || answer === null || !('proposal' in answer)) return undefined
  const { proposal } = answer
  const id = typeof proposal === 'object' && proposal !== null && 'id' in proposal ? shownValue(proposal.id) : ''
  return { document: { proposal }, line: `Proposal ${id}: it is carried out when somebody accepts it.` }
}
