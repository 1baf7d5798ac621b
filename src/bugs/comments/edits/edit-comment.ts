import type { CallContext } from '../../../access/call.ts'
import { requireLogin } from '../../../access/caller.ts'
import { insiderParams } from '../../../access/visibility/reader-rights.ts'
import { type WriteBasis, writeBugs } from '../../../access/write-bugs.ts'
import { recordAudit } from '../../../changes/audit.ts'
import { recordEvent } from '../../../changes/outbox.ts'
import { DELETED_TEXT } from '../../../changes/readable-history.ts'
import type { BugTransaction } from '../../../platform/database/db.ts'
import { errors } from '../../../platform/errors.ts'
import { enforce } from '../../../platform/rule.ts'
import { secondsAgo, timeNow } from '../../../platform/time/clock.ts'
import { editorRightsOf } from '../../editing/batch/editor-rights.ts'
import { lockBugs } from '../../editing/lock-bugs.ts'
import { requireRoomForNewAccount } from '../../rights/new-account-limits.ts'
import { normalisedComment } from '../comment.ts'
import { commentRules, newCommentRules } from '../comment-rules.ts'
import { bugOfComment } from '../comment-store.ts'
import { factsOfMentions, updateMentions } from '../mentions/save-mentions.ts'
import { listComments } from '../reading/comment-view-store.ts'
import { unreadableCommentError } from '../reading/read-comments.ts'
import { renderComment } from '../reading/render-comment.ts'
import { commentEditRules } from './comment-edit-rules.ts'
import {
  countEdits,
  getStoredComment,
  hasLineAbout,
  hideVersions,
  listReplacedTexts,
  noteCommentChanged,
  replaceByVersion,
  sizeOfVersions,
} from './comment-version-store.ts'
import { isCommentAdmin, requireMayEdit } from './edit-rights.ts'

export interface WantedEdit {
  text: string
  /** Undefined for what it is. */
  isMarkdown: boolean | undefined
  /** Hides the text before, which needs the right to. */
  isHidden: boolean
  /** The number of edits that the caller has seen; refused if there are more. */
  seenEdits: number | undefined
}

/** Replaces the text of a comment. Who wrote it and when stay, and so does the time of the last change of the bug. */
export async function editComment(context: CallContext, id: number, wanted: WantedEdit) {
  requireLogin(context.caller)
  const text = normalisedComment(wanted.text)
  enforce(commentRules, text)
  const edited = await writeBugs(context, async (tx, current) => {
    const { caller, settings } = current
    const editor = requireLogin(caller)
    const { before, rights } = await commentToChange(tx, current, id)
    requireMayEdit({ caller: editor, settings }, before, rights)
    if (wanted.isHidden && !isCommentAdmin({ caller: editor, settings }))
      throw errors.group_required({ groups: [settings.edit_comments_admins_group] })
    if (wanted.seenEdits !== undefined && wanted.seenEdits !== before.edit_count)
      throw errors.comment_edited_meanwhile()
    if (caller.joinedAt !== null)
      await requireRoomForNewAccount(tx, current, { kind: 'comments', count: 0, texts: [text] })
    const isMarkdown = wanted.isMarkdown ?? before.is_markdown === 1
    if (before.is_markdown === 0) enforce(newCommentRules, { isMarkdown, settings })
    enforce(commentEditRules, {
      before,
      text,
      isMarkdown,
      wasDeleted: await hasLineAbout(tx, before, DELETED_TEXT),
      size: await sizeOfVersions(tx, id),
      editsInLastHour: await countEdits(tx, editor.id, secondsAgo(HOUR_SECONDS)),
    })
    const at = timeNow()
    await replaceByVersion(tx, before, {
      text,
      isMarkdown: isMarkdown ? 1 : 0,
      userId: editor.id,
      at,
      isHidden: wanted.isHidden ? 1 : 0,
    })
    await noteCommentChanged(tx, before.bug_id)
    const mentioned = await updateMentions(tx, current, {
      commentId: id,
      bugId: before.bug_id,
      before: { text: before.text, isMarkdown: before.is_markdown === 1 },
      text,
      isPrivate: before.is_private === 1,
      isMarkdown,
      at,
    })
    const facts = { comment_id: id, ...factsOfMentions(mentioned, before.bug_id) }
    await recordEvent(tx, { kind: 'comment.update', bugId: before.bug_id, who: editor.id, at, facts })
    return { bugId: before.bug_id, isMarkdown, count: before.edit_count + 1 }
  })
  const html = await renderComment(context, { text, id: String(edited.bugId), is_markdown: edited.isMarkdown })
  return { text, html, count: edited.count }
}

const HOUR_SECONDS = 3600

/** Pages that are open learn that a comment changed. There is no mail about it, except to those whom an edit mentions. */
export function recordCommentEvent(tx: BugTransaction, bugId: number, commentId: number, who: number) {
  return recordEvent(tx, { kind: 'comment.update', bugId, who, at: timeNow(), facts: { comment_id: commentId } })
}

/** The comment with the rights of the caller on its bug, which is locked. Throws if the caller does not see it or may change nothing there. */
export async function commentToChange(tx: BugTransaction, current: WriteBasis, id: number) {
  const { settings } = current
  const editor = requireLogin(current.caller)
  const bugId = await bugOfComment(tx, id)
  if (bugId !== undefined) await lockBugs(tx, [bugId])
  const [seen] = await listComments(tx, settings, insiderParams(current), [id], new Set())
  if (seen === undefined) throw await unreadableCommentError(tx, current, id)
  const found = (await editorRightsOf(tx, { editor, settings }, [seen.bug_id])).get(seen.bug_id)
  if (found === undefined) throw errors.no_such_comment({ ref: String(id) })
  if (!found.isEditable) throw errors.product_not_editable({ product: found.product.name })
  return { before: await getStoredComment(tx, id), rights: found.rights }
}

/** Hides or shows the versions that were replaced at that time, or one of them by its number. Recorded in the audit log. */
export async function hideVersion(
  basis: WriteBasis,
  wanted: { commentId: number; when: string | undefined; version: number | undefined; isHidden: boolean },
): Promise<string> {
  requireLogin(basis.caller)
  const { commentId, when, version, isHidden } = wanted
  return writeBugs(basis, async (tx, current) => {
    const { settings } = current
    const admin = requireLogin(current.caller)
    if (!isCommentAdmin({ caller: admin, settings }))
      throw errors.group_required({ groups: [settings.edit_comments_admins_group] })
    const { before } = await commentToChange(tx, current, commentId)
    const replaced = await listReplacedTexts(tx, commentId)
    const chosen = replaced.filter(({ at }, number) => (version === undefined ? at === when : number === version))
    const [first] = chosen
    if (first === undefined) throw errors.no_such_object({ what: 'version', ref: String(version ?? when) })
    const changed = chosen.filter((it) => (it.is_hidden === 1) !== isHidden)
    if (changed.length === 0) return first.at
    await hideVersions(
      tx,
      changed.map((it) => it.id),
      isHidden ? 1 : 0,
    )
    const name = changed.map((it) => `version ${replaced.indexOf(it)}`).join(', ')
    const change = isHidden ? { removed: '', added: name } : { removed: name, added: '' }
    await recordAudit(tx, { who: admin.id, class: 'Comment', objectId: commentId }, { hidden_version: change })
    await recordCommentEvent(tx, before.bug_id, commentId, admin.id)
    return first.at
  })
}
