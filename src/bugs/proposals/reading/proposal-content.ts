import { requireLogin } from '../../../access/caller.ts'
import type { NewAttachment } from '../../attachments/create-attachments.ts'
import { rowsOfProposal } from '../storing/proposal-store.ts'
import { noSuchProposal, type ProposalContext, readOneProposal } from './read-proposals.ts'

/** The file of a proposed attachment. Throws the same for another kind of proposal, and for one that is closed. */
export async function getProposalContent(context: ProposalContext, ref: string) {
  requireLogin(context.caller)
  const { id } = await readOneProposal(context, ref)
  const [row] = await rowsOfProposal(context.db, id)
  const { data, file_name = '', content_type = '' } = JSON.parse(row?.params ?? '{}') as Partial<NewAttachment>
  if (data === undefined) throw noSuchProposal(ref)
  context.request.memory.hold(data.length)
  return { id, file_name, content_type, data }
}
