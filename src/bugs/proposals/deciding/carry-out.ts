import type { CallContext } from '../../../access/call.ts'
import { insiderParams } from '../../../access/visibility/reader-rights.ts'
import type { BugTransaction } from '../../../platform/database/db.ts'
import type { RequestParams } from '../../../platform/wire/params.ts'
import { readParams } from '../../../platform/wire/read-params.ts'
import { createAttachments, type NewAttachment, type StoredFile } from '../../attachments/create-attachments.ts'
import { listAttachments } from '../../attachments/reading/attachment-view-store.ts'
import { updateAttachments, type WantedUpdate } from '../../attachments/update-attachments.ts'
import { makeComment, wantedComment } from '../../comments/create-comment.ts'
import { makeUpdate } from '../../editing/update-bugs.ts'
import { updateParams } from '../../editing/update-params.ts'
import { createBug } from '../../filing/create-bug.ts'
import { CREATE_PARAMS } from '../../filing/create-params.ts'
import { flagsOfAttachments } from '../../flags/flag-texts.ts'
import { namedParams } from '../drafts/draft.ts'
import { linesOfFile } from '../drafts/draft-attachment.ts'
import { commentOnAttachment, linesOfAttachment } from '../drafts/draft-attachment-change.ts'
import { filedBug } from '../drafts/draft-bug.ts'
import { commentOnChange, linesOfUpdate } from '../drafts/draft-change.ts'
import { linesOfProposedComment } from '../drafts/draft-comment.ts'
import type { ProposalKind, ProposedLine } from '../proposal.ts'

export type DecisionContext = Pick<
  CallContext,
  'db' | 'caller' | 'settings' | 'groups' | 'catalogue' | 'versions' | 'baseUrl'
>

/** What is carried out: the parameters of the accepted rows. */
export interface Accepted {
  kind: ProposalKind
  bugId: number
  attachmentId: number
  params: RequestParams
  /** The file of a new attachment. */
  file: StoredFile | undefined
}

/** What was done, in the same lines in which it was proposed. */
export interface Done {
  lines: readonly ProposedLine[]
  /** Parameters that had no effect, because the caller may not set them. */
  ignored: readonly string[]
  made: { bug_id?: number; comment_id?: number; attachment_id?: number }
}

type CarriesOut = (tx: BugTransaction, context: DecisionContext, accepted: Accepted) => Promise<Done>

const CALLS: Readonly<Record<ProposalKind, CarriesOut>> = {
  async bug(tx, context, { params: rawParams }) {
    const params = namedParams(readParams(CREATE_PARAMS, rawParams))
    const { id, ignored = [] } = await createBug({ ...context, params: { ...params }, rawParams })
    const { lines } = await filedBug(tx, id, context, params)
    return { lines, ignored, made: { bug_id: id } }
  },
  async change(_, context, { bugId, params: rawParams }) {
    const params = readParams(updateParams, rawParams)
    const { outcomes, ignored } = await makeUpdate({ ...context, params, rawParams, ifMatch: undefined }, [
      String(bugId),
    ])
    return { lines: [...outcomes.flatMap(linesOfUpdate), ...commentOnChange(params)], ignored: [...ignored], made: {} }
  },
  async comment(_, context, { bugId, params }) {
    const wanted = wantedComment(params)
    const { id, ignored, changes } = await makeComment(context, String(bugId), wanted)
    return { lines: linesOfProposedComment(wanted, changes), ignored, made: { comment_id: id } }
  },
  async attachment(tx, context, { bugId, params, file }) {
    const wanted = params as unknown as NewAttachment
    if (file === undefined) throw new Error('The content of a proposed attachment is missing')
    const [id = 0] = await createAttachments(context, [String(bugId)], wanted, file)
    const flags = ((await flagsOfAttachments(tx, [id])).get(id) ?? []).map(({ text }) => text)
    const lines = linesOfFile(file.description, file.content, wanted, flags)
    return { lines, ignored: [], made: { attachment_id: id } }
  },
  async attachment_change(tx, context, { attachmentId, params }) {
    const wanted = params as WantedUpdate
    const updated = await updateAttachments(context, [attachmentId], wanted)
    const reader = insiderParams(context)
    const [attachment] = await listAttachments(tx, context.settings, reader, [attachmentId])
    const lines = updated.flatMap(({ id, changes }) => linesOfAttachment(id, changes))
    return { lines: [...lines, ...commentOnAttachment(wanted, attachment?.is_private === 1)], ignored: [], made: {} }
  },
}

/** Makes the accepted call as the caller, with their rights, and returns what it did. */
export function carryOut(tx: BugTransaction, context: DecisionContext, accepted: Accepted): Promise<Done> {
  return CALLS[accepted.kind](tx, { ...context, db: tx }, accepted)
}
