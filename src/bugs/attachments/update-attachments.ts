import { isIn, requireLogin, type SignedIn } from '../../access/caller.ts'
import { insiderParams, isInsider } from '../../access/visibility/reader-rights.ts'
import { viewerOf } from '../../access/visibility/visible-bugs.ts'
import { type WriteBasis, writeBugs } from '../../access/write-bugs.ts'
import type { Changes } from '../../changes/audit.ts'
import { noteChangeLink } from '../../changes/change-links.ts'
import { recordEvent } from '../../changes/outbox.ts'
import { recordBugChanges, setBugsChangedAt } from '../../changes/record-bug-changes.ts'
import type { BugTransaction, Db } from '../../platform/database/db.ts'
import { errors } from '../../platform/errors.ts'
import { enforce } from '../../platform/rule.ts'
import { timeNow } from '../../platform/time/clock.ts'
import { addComment } from '../comments/add-comment.ts'
import { COMMENT_KIND, isBlank } from '../comments/comment.ts'
import { newCommentRules } from '../comments/comment-rules.ts'
import { factsOfMentions, saveMentions } from '../comments/mentions/save-mentions.ts'
import { lockBugs } from '../editing/lock-bugs.ts'
import { addRequesteesToCc } from '../filing/add-requestees-to-cc.ts'
import { applyFlags } from '../flags/changing/apply-flags.ts'
import { cancelRequests } from '../flags/changing/cancel-requests.ts'
import type { WantedFlag } from '../flags/flag.ts'
import type { FlagChanges } from '../flags/flag-changes.ts'
import { areOwnFlags } from '../flags/own-flags.ts'
import { requireRoomForNewAccount } from '../rights/new-account-limits.ts'
import {
  type AttachmentDescription,
  type AttachmentEdit,
  attachmentDescription,
  changedAttachment,
} from './attachment.ts'
import { changesOf, historyOf, historyOfNewCc, mergeFlagChanges } from './attachment-changes.ts'
import { attachmentRules } from './attachment-rules.ts'
import {
  type AttachmentBug,
  isCommentRefused,
  listAttachmentBugs,
  listBugIdsOf,
  saveAttachment,
} from './attachment-store.ts'
import { type AttachmentRow, listAttachments } from './reading/attachment-view-store.ts'
import { requireNoneIsHidden } from './reading/read-attachments.ts'

export type WantedUpdate = { [Part in keyof AttachmentDescription]?: AttachmentDescription[Part] | undefined } & {
  comment?: string | undefined
  is_markdown?: boolean | undefined
  flags?: readonly WantedFlag[] | undefined
}

export interface UpdatedAttachment {
  id: number
  last_change_time: string
  changes: Changes
}

/** Makes the same changes to several attachments: to all of them, or to none if one fails. */
export async function updateAttachments(
  context: WriteBasis,
  ids: readonly number[],
  wanted: WantedUpdate,
): Promise<UpdatedAttachment[]> {
  requireLogin(context.caller)
  return writeBugs(context, async (tx, current) => {
    const caller = requireLogin(current.caller)
    await lockBugs(tx, await listBugIdsOf(tx, ids))
    const attachments = await attachmentsToChange(tx, current, ids)
    const bugs = await bugsOfAttachments(tx, current, attachments)
    const at = timeNow()
    if (caller.joinedAt !== null) await requireRoomFor(tx, current, attachments.length, wanted)
    const updated: UpdatedAttachment[] = []
    for (const attachment of attachments) {
      const bug = bugs.get(attachment.bug_id) as AttachmentBug
      await requireMayChange(tx, caller, attachment, bug, wanted)
      updated.push(await updateAttachment(tx, current, caller, { attachment, bug, wanted, at }))
    }
    return updated
  })
}

/** New accounts are limited in their comments, and in the words that they write. */
function requireRoomFor(tx: BugTransaction, current: WriteBasis, attachments: number, wanted: WantedUpdate) {
  const { summary, file_name, comment } = wanted
  const count = comment === undefined || isBlank(comment) ? 0 : attachments
  return requireRoomForNewAccount(tx, current, { kind: 'comments', count, texts: [summary, file_name, comment] })
}

/** The attachments in the order of the ids, each once, read while their bugs are locked. */
async function attachmentsToChange(tx: Db, context: WriteBasis, ids: readonly number[]): Promise<AttachmentRow[]> {
  const rows = await listAttachments(tx, context.settings, insiderParams(context), ids)
  await requireNoneIsHidden({ ...context, db: tx }, ids, rows)
  const byId = new Map(rows.map((row) => [row.id, row]))
  return [...new Set(ids)].map((id) => {
    const found = byId.get(id)
    if (found === undefined) throw errors.no_such_attachment({ id })
    return found
  })
}

async function bugsOfAttachments(tx: Db, { caller, settings }: WriteBasis, attachments: readonly AttachmentRow[]) {
  const ids = attachments.map(({ bug_id }) => bug_id)
  return new Map((await listAttachmentBugs(tx, settings, viewerOf(caller), ids)).map((bug) => [bug.id, bug]))
}

/**
 * The user who attached it may change it, and so may users with editbugs in the product. The setter and the requestee of a flag
 * may change only that flag, with a comment.
 */
async function requireMayChange(
  tx: Db,
  caller: SignedIn,
  attachment: AttachmentRow,
  bug: AttachmentBug,
  wanted: WantedUpdate,
) {
  if (bug.is_editable === 0) throw errors.product_not_editable({ product: bug.product })
  if (!isBlank(wanted.comment ?? '') && isCommentRefused(caller, bug)) throw errors.comments_restricted()
  if (attachment.user_id === caller.id || hasEditbugs(caller, bug)) return
  const { flags = [], comment: _, is_markdown: __, ...rest } = wanted
  const isOnlyFlags = Object.values(rest).every((value) => value === undefined)
  if (isOnlyFlags && (await areOwnFlags(tx, caller.id, targetOf(bug, attachment.id), flags))) return
  throw errors.attachment_not_yours({ id: attachment.id })
}

function hasEditbugs(caller: SignedIn, bug: AttachmentBug) {
  return bug.gives_editbugs === 1 || isIn(caller, 'editbugs')
}

function mayConfirm(caller: SignedIn, bug: AttachmentBug) {
  return hasEditbugs(caller, bug) || bug.gives_canconfirm === 1 || isIn(caller, 'canconfirm')
}

function targetOf(bug: AttachmentBug, attachmentId: number) {
  return { bugId: bug.id, productId: bug.product_id, componentId: bug.component_id, attachmentId }
}

interface Change {
  attachment: AttachmentRow
  bug: AttachmentBug
  wanted: WantedUpdate
  at: string
}

async function updateAttachment(
  tx: BugTransaction,
  context: WriteBasis,
  caller: SignedIn,
  change: Change,
): Promise<UpdatedAttachment> {
  const { attachment, bug, wanted, at } = change
  const { id } = attachment
  const before = attachmentDescription(attachment)
  const edit = { before, after: changedAttachment(before, wanted) }
  if (edit.before.is_private !== edit.after.is_private && !isInsider(caller, context.settings))
    throw errors.not_an_insider()
  enforce(attachmentRules, edit)

  const flags = await changeFlags(tx, context, caller, change, edit)
  const changes = changesOf(edit, flags)
  const commentId = await remark(tx, context, caller, change, edit.after)
  if (Object.keys(changes).length === 0 && commentId === null)
    return { id, last_change_time: attachment.changed_at, changes }

  await saveAttachment(tx, id, edit.after, at)
  await noteChangeLink(tx, id, [edit.before.content_type, edit.after.content_type])
  const newCc = await addRequesteesToCc(tx, bug.id, flags.cc)
  const history = [...historyOf(bug.id, id, changes), ...historyOfNewCc(bug.id, newCc)]
  if (history.length === 0) await setBugsChangedAt(tx, [bug.id], at)
  const lines = await recordBugChanges(tx, caller.id, history, at)
  const commentIds = new Map(commentId === null ? [] : [[bug.id, commentId]])
  const said = { text: wanted.comment ?? '', isPrivate: edit.after.is_private, isMarkdown: wanted.is_markdown }
  const mentioned = await saveMentions(tx, { ...context, caller }, { ...said, at, commentIds })
  const facts = {
    ...factsOfMentions(mentioned, bug.id),
    attachment_id: id,
    comment_id: commentId,
    is_private: edit.before.is_private || edit.after.is_private,
    fields: Object.keys(changes),
    history: lines.get(bug.id) ?? [],
    flags: flags.facts,
  }
  await recordEvent(tx, { kind: 'attachment.update', bugId: bug.id, who: caller.id, at, facts })
  return { id, last_change_time: at, changes }
}

/** An attachment that becomes obsolete loses its pending flag requests. */
async function changeFlags(
  tx: BugTransaction,
  { settings, groups }: WriteBasis,
  caller: SignedIn,
  { attachment, bug, wanted, at }: Change,
  { before, after }: AttachmentEdit,
): Promise<FlagChanges> {
  const target = {
    ...targetOf(bug, attachment.id),
    isPrivate: after.is_private,
    mayConfirm: mayConfirm(caller, bug),
  }
  const changed = await applyFlags(tx, { caller, settings, groups }, target, wanted.flags ?? [], at)
  const becomesObsolete = after.is_obsolete && !before?.is_obsolete
  return becomesObsolete ? mergeFlagChanges(changed, await cancelRequests(tx, attachment.id)) : changed
}

/** Adds a comment about the attachment to its bug. It is private if the attachment is. */
async function remark(
  tx: BugTransaction,
  { settings }: WriteBasis,
  caller: SignedIn,
  { attachment, bug, wanted, at }: Change,
  { is_private }: AttachmentDescription,
): Promise<number | null> {
  if (wanted.comment === undefined || isBlank(wanted.comment)) return null
  const isMarkdown = wanted.is_markdown ?? false
  enforce(newCommentRules, { isMarkdown, settings })
  const id = await addComment(tx, {
    bugId: bug.id,
    userId: caller.id,
    at,
    text: wanted.comment,
    isPrivate: is_private,
    isMarkdown,
    kind: COMMENT_KIND.aboutAttachment,
    aboutId: attachment.id,
  })
  return id
}
