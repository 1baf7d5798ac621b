import type { CallContext } from '../../access/call.ts'
import { requireLogin, type SignedIn } from '../../access/caller.ts'
import { isInsider } from '../../access/visibility/reader-rights.ts'
import { viewerOf } from '../../access/visibility/visible-bugs.ts'
import { type WriteBasis, writeBugs } from '../../access/write-bugs.ts'
import { noteChangeLink, typeOfPlainText } from '../../changes/change-links.ts'
import { recordEvent } from '../../changes/outbox.ts'
import { recordBugChanges, setBugsChangedAt } from '../../changes/record-bug-changes.ts'
import { keyForContent, lockContent } from '../../changes/stored-contents.ts'
import type { Settings } from '../../platform/config/settings.ts'
import type { KeyedContent } from '../../platform/contents/content-store.ts'
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
import type { WantedFlag } from '../flags/flag.ts'
import { requireRoomForNewAccount } from '../rights/new-account-limits.ts'
import { idsOfRefs, missingBugError } from '../values/bug-refs.ts'
import { type AttachmentDescription, changedAttachment, EMPTY_DESCRIPTION } from './attachment.ts'
import { changesOfFlags, historyOf, historyOfNewCc } from './attachment-changes.ts'
import { attachmentRules } from './attachment-rules.ts'
import {
  type AttachmentBug,
  insertAttachment,
  insertAttachmentText,
  isCommentRefused,
  listAttachmentBugs,
} from './attachment-store.ts'
import { requireCommentOfPicture } from './comment-of-picture.ts'
import { decodeContent, textOfContent } from './reading/attachment-content.ts'

type AttachContext = WriteBasis & Pick<CallContext, 'contents'>

export interface NewAttachment extends Partial<Record<'file_name' | 'summary' | 'content_type', string | undefined>> {
  data: string | undefined
  comment: string | undefined
  is_markdown?: boolean | undefined
  /** A comment that was sent before shows it, so that it gets none of its own. */
  in_comment?: boolean | undefined
  is_patch: boolean | undefined
  is_private: boolean | undefined
  flags: readonly WantedFlag[] | undefined
}

/** A file whose content is stored and which the caller may attach. */
export interface StoredFile {
  description: AttachmentDescription
  content: KeyedContent
}

/**
 * Checks that the caller may attach the file to these bugs, then stores its content. This runs before the transaction, so that
 * every attachment has its content and no other writer waits for the store.
 */
export async function storeFile(
  context: AttachContext,
  refs: readonly string[],
  wanted: NewAttachment,
): Promise<StoredFile> {
  const { db, settings, contents } = context
  const caller = requireLogin(context.caller)
  if (wanted.data === undefined) throw errors.parameter_required({ name: 'data' })
  if (wanted.in_comment) requireNothingElse(refs, wanted)
  const description = changedAttachment(EMPTY_DESCRIPTION, wanted)
  await getAttachmentBugs(db, context, refs)
  requireMayHide(caller, settings, description)
  enforce(attachmentRules, { before: undefined, after: description })
  const decoded = await decodeContent(wanted.data, settings)
  const content = { ...decoded, key: await keyForContent(db, decoded.digest) }
  await contents.put(settings, content)
  const isPlain = description.content_type === 'text/plain' && !description.is_patch
  return {
    description: isPlain ? { ...description, content_type: typeOfPlainText(decoded.bytes) } : description,
    content,
  }
}

function requireNothingElse(refs: readonly string[], { comment = '', flags = [] }: NewAttachment) {
  if (refs.length === 1 && isBlank(comment) && flags.length === 0) return
  const right = 'it is for one bug, without a comment and without flags'
  throw errors.bad_value({ name: 'in_comment', value: 'true', right })
}

/** Attaches the same file to several bugs: to all of them, or to none if one fails. */
export function createAttachments(
  context: WriteBasis,
  refs: readonly string[],
  wanted: NewAttachment,
  file: StoredFile,
): Promise<number[]> {
  const searchableText = textOfContent(file.content.bytes)
  requireTextWithinLimit(refs.length, [searchableText, wanted.comment])
  return writeBugs(context, async (tx, current) => {
    const caller = requireLogin(current.caller)
    await lockBugs(tx, await knownIds(tx, refs))
    await lockContent(tx, file.content.key)
    const at = timeNow()
    const ids: number[] = []
    const bugs = await getAttachmentBugs(tx, current, refs)
    requireMayHide(caller, current.settings, file.description)
    const { summary, file_name } = file.description
    const texts = [summary, file_name, wanted.comment]
    if (caller.joinedAt !== null)
      await requireRoomForNewAccount(tx, current, { kind: 'attachments', count: bugs.length, texts })
    if (!isBlank(wanted.comment ?? '') && bugs.some((bug) => isCommentRefused(caller, bug)))
      throw errors.comments_restricted()
    for (const bug of bugs) ids.push(await attach(tx, current, caller, bug, { ...file, at, wanted, searchableText }))
    return ids
  })
}

/** Each text is written for each bug, which keeps other requests waiting. */
export const MOST_CHARACTERS_ATTACHED = 10_000_000

function requireTextWithinLimit(bugs: number, texts: readonly (string | undefined)[]) {
  const characters = texts.reduce((sum, text = '') => sum + text.length, 0)
  if (bugs > 1 && bugs * characters > MOST_CHARACTERS_ATTACHED)
    throw errors.batch_text_too_large({ most: MOST_CHARACTERS_ATTACHED })
}

function requireMayHide(caller: SignedIn, settings: Settings, { is_private }: AttachmentDescription) {
  if (is_private && !isInsider(caller, settings)) throw errors.not_an_insider()
}

async function knownIds(tx: Db, refs: readonly string[]) {
  return [...(await idsOfRefs(tx, refs)).values()].flatMap((id) => id ?? [])
}

/** The bugs in the order of the references, each once. Throws the error of the first that is missing or cannot be changed. */
async function getAttachmentBugs(
  db: Db,
  { caller, settings }: Pick<CallContext, 'caller' | 'settings'>,
  refs: readonly string[],
): Promise<AttachmentBug[]> {
  const ids = await idsOfRefs(db, refs)
  const known = [...ids.values()].flatMap((id) => id ?? [])
  const found = new Map((await listAttachmentBugs(db, settings, viewerOf(caller), known)).map((bug) => [bug.id, bug]))
  const bugs = new Set<AttachmentBug>()
  for (const [ref, id] of ids) {
    const bug = id === undefined ? undefined : found.get(id)
    if (bug === undefined) throw await missingBugError(db, ref, id)
    bugs.add(bug)
  }
  for (const { is_editable, product } of bugs) if (is_editable === 0) throw errors.product_not_editable({ product })
  return [...bugs]
}

interface Attached extends StoredFile {
  at: string
  wanted: NewAttachment
  searchableText: string | undefined
}

async function attach(
  tx: BugTransaction,
  { settings, groups }: WriteBasis,
  caller: SignedIn,
  bug: AttachmentBug,
  { description, content, at, wanted, searchableText }: Attached,
): Promise<number> {
  const author = { bugId: bug.id, userId: caller.id, at }
  const isMarkdown = wanted.is_markdown ?? false
  enforce(newCommentRules, { isMarkdown, settings })
  if (wanted.in_comment) await requireCommentOfPicture(tx, author, description)
  const size = content.bytes.length
  const id = await insertAttachment(tx, description, { ...author, size, key: content.key })
  if (searchableText !== undefined) await insertAttachmentText(tx, id, searchableText)
  await noteChangeLink(tx, id, [description.content_type])
  if (wanted.in_comment) {
    await setBugsChangedAt(tx, [bug.id], at)
    const facts = { attachment_id: id, is_private: description.is_private, in_comment: true }
    await recordEvent(tx, { kind: 'attachment.create', bugId: bug.id, who: caller.id, at, facts })
    return id
  }
  const commentId = await addComment(tx, {
    ...author,
    text: wanted.comment ?? '',
    isPrivate: description.is_private,
    isMarkdown,
    kind: COMMENT_KIND.attachmentCreated,
    aboutId: id,
  })
  const target = {
    bugId: bug.id,
    productId: bug.product_id,
    componentId: bug.component_id,
    attachmentId: id,
    isPrivate: description.is_private,
    mayConfirm: false,
  }
  const flags = await applyFlags(tx, { caller, settings, groups }, target, wanted.flags ?? [], at)
  const newCc = await addRequesteesToCc(tx, bug.id, flags.cc)
  const history = [...historyOf(bug.id, id, changesOfFlags(flags)), ...historyOfNewCc(bug.id, newCc)]
  if (history.length === 0) await setBugsChangedAt(tx, [bug.id], at)
  const lines = await recordBugChanges(tx, caller.id, history, at)
  const said = { text: wanted.comment ?? '', isPrivate: description.is_private, isMarkdown, at }
  const mentioned = await saveMentions(
    tx,
    { caller, settings, groups },
    { ...said, commentIds: new Map([[bug.id, commentId]]) },
  )
  const facts = {
    ...factsOfMentions(mentioned, bug.id),
    attachment_id: id,
    comment_id: commentId,
    is_private: description.is_private,
    history: lines.get(bug.id) ?? [],
    flags: flags.facts,
  }
  await recordEvent(tx, { kind: 'attachment.create', bugId: bug.id, who: caller.id, at, facts })
  return id
}
