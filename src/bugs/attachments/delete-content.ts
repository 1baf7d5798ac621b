import { requireGroup, type SignedIn } from '../../access/caller.ts'
import { insiderParams } from '../../access/visibility/reader-rights.ts'
import { viewerOf } from '../../access/visibility/visible-bugs.ts'
import { type WriteBasis, writeBugs } from '../../access/write-bugs.ts'
import { recordRemoval } from '../../changes/audit.ts'
import { recordEvent } from '../../changes/outbox.ts'
import { recordBugChanges, setBugsChangedAt } from '../../changes/record-bug-changes.ts'
import { freeUnusedContents } from '../../changes/stored-contents.ts'
import { EMPTY_KEY } from '../../platform/contents/content-store.ts'
import type { BugTransaction, Db } from '../../platform/database/db.ts'
import { errors } from '../../platform/errors.ts'
import { timeNow } from '../../platform/time/clock.ts'
import { addComment } from '../comments/add-comment.ts'
import { COMMENT_KIND } from '../comments/comment.ts'
import { requireReason } from '../editing/deletion-reason.ts'
import { lockBugs } from '../editing/lock-bugs.ts'
import { removeFlagsOf } from '../flags/changing/cancel-requests.ts'
import { attachmentDescription } from './attachment.ts'
import { changesOf, historyOf } from './attachment-changes.ts'
import { emptyAttachment, listAttachmentBugs, listBugIdsOf, saveAttachment } from './attachment-store.ts'
import { type AttachmentRow, listAttachments } from './reading/attachment-view-store.ts'
import { requireNoneIsHidden } from './reading/read-attachments.ts'

/** Deletes the content of an attachment for good. Its description stays, and a comment on the bug gives the reason. */
export async function deleteContent(
  basis: WriteBasis,
  id: number,
  givenReason: string | undefined,
): Promise<{ id: number; name: string }> {
  requireMayDelete(basis)
  const reason = requireReason(givenReason)
  return writeBugs(basis, async (tx, current) => {
    const admin = requireMayDelete(current)
    await lockBugs(tx, await listBugIdsOf(tx, [id]))
    const attachment = await attachmentToEmpty(tx, current, id)
    await empty(tx, admin, attachment, reason)
    await freeUnusedContents(tx, [attachment.content_digest])
    await recordRemoval(tx, { who: admin.id, class: 'Attachment', objectId: id }, reason)
    return { id, name: attachment.file_name }
  })
}

function requireMayDelete({ caller, settings }: WriteBasis): SignedIn {
  const admin = requireGroup(caller, 'admin')
  if (!settings.allow_attachment_deletion) throw errors.attachment_deletion_off()
  return admin
}

async function attachmentToEmpty(tx: Db, current: WriteBasis, id: number): Promise<AttachmentRow> {
  const { caller, settings } = current
  const rows = await listAttachments(tx, settings, insiderParams(current), [id])
  await requireNoneIsHidden(current, [id], rows)
  const [attachment] = rows
  if (attachment === undefined) throw errors.no_such_object({ what: 'attachment', ref: String(id) })
  const [bug] = await listAttachmentBugs(tx, settings, viewerOf(caller), [attachment.bug_id])
  if (bug?.is_editable === 0) throw errors.product_not_editable({ product: bug.product })
  if (attachment.content_digest === EMPTY_KEY) throw errors.attachment_content_deleted({ id })
  return attachment
}

/** compat: the attachment becomes obsolete plain text without flags, as in Bugzilla. */
async function empty(tx: BugTransaction, admin: SignedIn, attachment: AttachmentRow, reason: string) {
  const { id, bug_id: bugId } = attachment
  const at = timeNow()
  const before = attachmentDescription(attachment)
  const after = { ...before, content_type: 'text/plain', is_patch: false, is_obsolete: true }
  const flags = await removeFlagsOf(tx, id)
  const changes = changesOf({ before, after }, flags)
  await saveAttachment(tx, id, after, at)
  await emptyAttachment(tx, id)
  const commentId = await addComment(tx, {
    bugId,
    userId: admin.id,
    at,
    text: `The content of this attachment was deleted: ${reason}`,
    isPrivate: before.is_private,
    kind: COMMENT_KIND.aboutAttachment,
    aboutId: id,
  })
  const lines = await recordBugChanges(tx, admin.id, [...historyOf(bugId, id, changes)], at)
  if (lines.size === 0) await setBugsChangedAt(tx, [bugId], at)
  const facts = {
    attachment_id: id,
    comment_id: commentId,
    is_private: before.is_private,
    fields: Object.keys(changes),
    history: lines.get(bugId) ?? [],
    flags: flags.facts,
  }
  await recordEvent(tx, { kind: 'attachment.update', bugId, who: admin.id, at, facts })
}
