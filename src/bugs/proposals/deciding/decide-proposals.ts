import { ApiError } from '../../../platform/errors.ts'
import { presentLine } from '../proposal-schema.ts'
import { type ProposalContext, presentProposals, readOneProposal } from '../reading/read-proposals.ts'
import { type AcceptContext, type AcceptedProposal, type AcceptRequest, acceptProposal } from './accept-proposal.ts'
import { type DeclineRequest, declineProposal, requireMayDecline } from './decline-proposal.ts'

/** Accepts one proposal, and returns it as it is then. */
export async function acceptOne(context: AcceptContext, ref: string, request: AcceptRequest) {
  const { id } = await readOneProposal(context, ref)
  const accepted = await acceptProposal(context, ref, request)
  const [proposal] = await presentProposals(context, [id])
  return { dry_run: request.isDryRun, ...presentAccepted(id, accepted), ...(proposal !== undefined && { proposal }) }
}

export interface DecidedRequest {
  decision: 'accept' | 'decline'
  proposals: readonly { id: number; digest: string }[]
  isDryRun: boolean
  note: string
}

/** Decides several proposals, each in a transaction of its own: what is refused is listed, and the others are decided. */
export async function decideProposals(context: AcceptContext, request: DecidedRequest) {
  const decided: ReturnType<typeof presentAccepted>[] = []
  const refused: ReturnType<typeof presentRefusal>[] = []
  for (const { id, digest } of request.proposals)
    try {
      decided.push(presentAccepted(id, await decide(context, String(id), digest, request)))
    } catch (fault) {
      if (!(fault instanceof ApiError) || fault.status >= 500) throw fault
      refused.push(presentRefusal(id, fault))
    }
  return { dry_run: request.isDryRun, decided, refused }
}

async function decide(
  context: AcceptContext,
  ref: string,
  digest: string,
  { decision, isDryRun, note }: DecidedRequest,
): Promise<AcceptedProposal> {
  if (decision === 'accept') return acceptProposal(context, ref, { digest, rows: undefined, isDryRun })
  const { rows, bug_id } = await readOneProposal(context, ref)
  await (isDryRun ? requireMayDecline : declineProposal)(context, ref, { rows: undefined, note })
  const lines = rows.filter(({ state }) => state === 'open').flatMap((row) => row.lines)
  return { lines, made: bug_id === null ? {} : { bug_id }, changeId: undefined }
}

/** Declines one proposal, or some of its rows, and returns it as it is then. */
export async function declineOne(context: ProposalContext, ref: string, request: DeclineRequest) {
  const { id } = await readOneProposal(context, ref)
  await declineProposal(context, ref, request)
  const [proposal] = await presentProposals(context, [id])
  return { ...(proposal !== undefined && { proposal }) }
}

function presentAccepted(id: number, { lines, made, changeId }: AcceptedProposal) {
  return { id, changes: lines.map(presentLine), ...made, ...(changeId !== undefined && { change_id: changeId }) }
}

function presentRefusal(id: number, { code, reason, message, field }: ApiError) {
  return { id, code, reason, message, ...(field !== undefined && { field }) }
}
