import type { CallContext } from '../../../access/call.ts'
import { keyForContent } from '../../../changes/stored-contents.ts'
import type { Db } from '../../../platform/database/db.ts'
import { changedAttachment, EMPTY_DESCRIPTION } from '../../attachments/attachment.ts'
import type { NewAttachment, StoredFile } from '../../attachments/create-attachments.ts'
import { decodeContent } from '../../attachments/reading/attachment-content.ts'
import type { ProposalKind } from '../proposal.ts'
import { rowsOfProposal } from '../storing/proposal-store.ts'

/** The file of a proposed attachment, which the proposal has kept; undefined for other proposals, and when it is closed. */
export async function readProposedFile(
  { db, settings }: Pick<CallContext, 'db' | 'settings'>,
  { id, kind }: { id: number; kind: ProposalKind },
): Promise<(Omit<StoredFile, 'content'> & { content: Omit<StoredFile['content'], 'key'> }) | undefined> {
  if (kind !== 'attachment') return undefined
  const [row] = await rowsOfProposal(db, id)
  const wanted = JSON.parse(row?.params ?? '{}') as NewAttachment
  if (wanted.data === undefined) return undefined
  const description = changedAttachment(EMPTY_DESCRIPTION, wanted)
  return { description, content: await decodeContent(wanted.data, settings) }
}

/** Puts the file into the store of attachments. This runs before the transaction, as for every attachment. */
export async function storeProposedFile(
  context: Pick<CallContext, 'db' | 'settings' | 'contents'>,
  proposal: { id: number; kind: ProposalKind },
): Promise<StoredFile | undefined> {
  const file = await readProposedFile(context, proposal)
  if (file === undefined) return undefined
  const content = { ...file.content, key: await keyForContent(context.db, file.content.digest) }
  await context.contents.put(context.settings, content)
  return { ...file, content }
}

/** The same for a dry run, in its transaction: the store gets nothing. */
export async function unstoredFile(
  tx: Db,
  context: Pick<CallContext, 'settings'>,
  proposal: { id: number; kind: ProposalKind },
): Promise<StoredFile | undefined> {
  const file = await readProposedFile({ ...context, db: tx }, proposal)
  if (file === undefined) return undefined
  return { ...file, content: { ...file.content, key: await keyForContent(tx, file.content.digest) } }
}
