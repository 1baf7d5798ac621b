import { insiderParams } from '../../../access/visibility/reader-rights.ts'
import type { WriteBasis } from '../../../access/write-bugs.ts'
import type { Changes } from '../../../changes/audit.ts'
import { historyOf } from '../../attachments/attachment-changes.ts'
import { listAttachments } from '../../attachments/reading/attachment-view-store.ts'
import { updateAttachments, type WantedUpdate } from '../../attachments/update-attachments.ts'
import { type DraftProposal, lineOf, type ProposedLine } from '../proposal.ts'
import { type Draft, placesOf, requireFew, tried } from './draft.ts'
import { linesOfComment, rowsOfChange } from './rows-of-change.ts'

/** A change of attachments: a proposal for each that it changes. */
export async function draftAttachmentChange(
  context: WriteBasis,
  ids: readonly number[],
  wanted: WantedUpdate,
): Promise<Draft> {
  const { db, settings } = context
  await requireFew(context, ids.length)
  const updated = await tried(context, (_, current) => updateAttachments(current, ids, wanted))
  const attachments = await listAttachments(db, settings, insiderParams(context), ids)
  const byId = new Map(attachments.map((attachment) => [attachment.id, attachment]))
  const places = await placesOf(
    db,
    attachments.map(({ bug_id }) => bug_id),
  )
  const proposals = updated.flatMap(({ id, changes }): DraftProposal[] => {
    const attachment = byId.get(id)
    const place = places.get(attachment?.bug_id ?? 0)
    if (attachment === undefined || place === undefined) return []
    const isPrivate = wanted.is_private ?? attachment.is_private === 1
    const lines = [...linesOfAttachment(id, changes), ...commentOnAttachment(wanted, isPrivate)]
    const sent = Object.fromEntries(Object.entries(wanted).filter(([, value]) => value !== undefined))
    const rows = rowsOfChange(sent, lines, { namingBugs: new Set(), baseUrl: '' })
    if (rows.length === 0) return []
    return [{ kind: 'attachment_change', bugId: attachment.bug_id, attachmentId: id, groupIds: [], ...place, rows }]
  })
  return proposals.length === 0 ? { usual: { attachments: updated } } : { proposals }
}

/** What an update does to an attachment. */
export function linesOfAttachment(id: number, changes: Changes): ProposedLine[] {
  return historyOf(0, id, changes).map(lineOf)
}

export function commentOnAttachment(
  { comment = '', is_markdown: isMarkdown = false }: WantedUpdate,
  isPrivate: boolean,
) {
  return linesOfComment({ text: comment, isPrivate, isMarkdown, tags: [] })
}
