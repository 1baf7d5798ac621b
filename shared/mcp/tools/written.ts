import type { ToolOutcome } from '../marked-data.ts'
import type { CallOptions, Tracker, TrackerAnswer } from '../tracker.ts'

/** What a call that writes has come to: it is done, or stored as a proposal because the key may only propose. */
export function writtenOutcome({ body }: TrackerAnswer, done: string, data: unknown): ToolOutcome {
  const proposal = proposalIn(body)
  if (proposal === undefined) return { says: done, isDone: true, data }
  const number = proposal.id
  return {
    says: `Stored as proposal ${number ?? ''}, not done yet: a person must accept it.`,
    isDone: false,
    ...(number !== undefined && { proposal: number }),
    data: { proposal },
  }
}

function proposalIn(body: unknown): { id?: number } | undefined {
  if (typeof body !== 'object' || body === null || !('proposal' in body)) return undefined
  const { proposal } = body
  const id = typeof proposal === 'object' && proposal !== null && 'id' in proposal ? proposal.id : undefined
  return { ...(proposal as object), ...(typeof id === 'number' && { id }) }
}

/** The header with which the same request is carried out once. */
export function once(requestId: unknown): CallOptions {
  return typeof requestId === 'string' ? { headers: { 'Idempotency-Key': requestId } } : {}
}

/** The arguments of these names, as parameters of a call. */
export function picked(args: Readonly<Record<string, unknown>>, names: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(names.flatMap((name) => (args[name] === undefined ? [] : [[name, args[name]]])))
}

/** Why something is proposed, as a parameter of the call. To an access that writes it would say nothing. */
export function whyProposed({ scopes }: Pick<Tracker, 'scopes'>, reason: unknown): { proposal_reason?: string } {
  const isProposing = scopes?.has('propose') === true && !scopes.has('write')
  return isProposing && typeof reason === 'string' ? { proposal_reason: reason } : {}
}
