import { errors } from '../../../platform/errors.ts'
import { mayWithdraw } from '../reading/present-proposal.ts'
import { getProposal, noSuchProposal, type PresentedProposal, type ProposalContext } from '../reading/read-proposals.ts'
import { closeProposal, lockProposal } from '../storing/proposal-store.ts'
import { requireOpen } from './require-open.ts'

/** Takes a proposal back. Its author sees it in lists of closed ones. */
export async function withdrawProposal(context: ProposalContext, ref: string): Promise<PresentedProposal> {
  const { id } = await getProposal(context, ref)
  await context.db.transaction(async (tx) => {
    const proposal = await lockProposal(tx, id)
    if (proposal === undefined) throw noSuchProposal(ref)
    if (!mayWithdraw(context, proposal))
      throw errors.not_allowed({
        need: 'only its author can withdraw a proposal, with the same API key or one that may write',
      })
    requireOpen(proposal)
    await closeProposal(tx, { id, state: 'withdrawn', who: proposal.user_id })
  })
  return getProposal(context, ref)
}
