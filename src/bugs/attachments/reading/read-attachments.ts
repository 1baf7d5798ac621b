import type { CallContext } from '../../../access/call.ts'
import { insiderParams } from '../../../access/visibility/reader-rights.ts'
import { viewerOf } from '../../../access/visibility/visible-bugs.ts'
import { errors } from '../../../platform/errors.ts'
import { jsonOfAbout } from '../../../platform/wire/json/json-text.ts'
import { idsOfRefs, missingBugError } from '../../values/bug-refs.ts'
import { attachmentParts, presentAttachment } from './attachment-json.ts'
import {
  type AttachmentRow,
  listAttachmentAccess,
  listAttachments,
  listAttachmentsOfBugs,
} from './attachment-view-store.ts'

type AttachmentReadContext = Pick<CallContext, 'db' | 'caller' | 'settings' | 'select'>

export interface WantedAttachments {
  /** Bugs whose attachments are all returned, by number or alias. */
  refs: readonly string[]
  /** Ids of single attachments. */
  ids: readonly number[]
}

/** The attachments of bugs, and single attachments, that the caller may see; with contents if the field `data` is requested. */
export async function getAttachments(context: CallContext, { refs, ids }: WantedAttachments) {
  const bugs = await attachmentsByRef(context, refs)
  const single = ids.length === 0 ? [] : await attachmentsByIds(context, ids)
  const dataOf = context.select.wants('data')
    ? await contentsOf(context, [...[...bugs.values()].flat(), ...single])
    : NO_CONTENTS
  const presented = (row: AttachmentRow) => presentAttachment(row, context, dataOf.get(row.content_digest))
  const whole = {
    bugs: Object.fromEntries([...bugs].map(([id, rows]) => [id, rows.map(presented)])),
    attachments: Object.fromEntries(single.map((row) => [row.id, presented(row)])),
  }
  return dataOf.size > 0 ? whole : jsonOfAbout(charactersOf([...bugs.values(), single]), whole)
}

const NO_CONTENTS: ReadonlyMap<string, string> = new Map()

function charactersOf(lists: readonly (readonly AttachmentRow[])[]) {
  let characters = 0
  for (const rows of lists)
    for (const { flags } of rows) characters += CHARACTERS_OF_AN_ATTACHMENT + 2 * (flags?.length ?? 0)
  return characters
}

/** Estimated size of the JSON of an attachment without its content and flags. */
const CHARACTERS_OF_AN_ATTACHMENT = 2000

async function attachmentsByRef(context: AttachmentReadContext, refs: readonly string[]) {
  const ids = await idsOfRefs(context.db, refs)
  const known = [...ids.values()].flatMap((id) => id ?? [])
  const found = known.length === 0 ? new Map<number, AttachmentRow[]>() : await attachmentsOfBugs(context, known)
  for (const [ref, id] of ids) if (id === undefined || !found.has(id)) throw await missingBugError(context.db, ref, id)
  return found
}

/** The attachments of each bug that the caller may see, by bug number. */
export async function attachmentsOfBugs(context: AttachmentReadContext, ids: readonly number[]) {
  const { db, settings } = context
  const bugs = new Map<number, AttachmentRow[]>()
  for await (const rows of listAttachmentsOfBugs(db, settings, insiderParams(context), ids, attachmentParts(context)))
    for (const row of rows) {
      const attachments = bugs.get(row.bug_id) ?? []
      bugs.set(row.bug_id, attachments)
      if (row.id !== null) attachments.push(row)
    }
  return bugs
}

/** The attachments with these ids. Missing ones are left out. Throws if the caller may not see one. */
export async function attachmentsByIds(
  context: AttachmentReadContext,
  ids: readonly number[],
): Promise<AttachmentRow[]> {
  if (ids.length === 0) return []
  const { db, settings } = context
  const rows = await listAttachments(db, settings, insiderParams(context), ids, attachmentParts(context))
  await requireNoneIsHidden(context, ids, rows)
  return rows
}

/** Throws 102 for an attachment on a bug that the caller may not see, and 304 for a private attachment. */
export async function requireNoneIsHidden(
  { db, caller, settings }: Pick<CallContext, 'db' | 'caller' | 'settings'>,
  ids: readonly number[],
  readable: readonly { id: number }[],
) {
  const seen = new Set(readable.map(({ id }) => id))
  const unseen = ids.filter((id) => !seen.has(id))
  if (unseen.length === 0) return
  const [hidden] = await listAttachmentAccess(db, settings, viewerOf(caller), unseen)
  if (hidden === undefined) return
  throw hidden.is_bug_seen === 1
    ? errors.attachment_is_private({ id: hidden.id })
    : errors.attachments_bug_not_visible({ id: hidden.id })
}

/** For more than this, clients use the call that downloads one attachment. */
const MOST_BYTES = 64 * 1024 * 1024

/** The contents in base64, by digest; empty if the field `data` is not requested. */
async function contentsOf(context: CallContext, rows: readonly AttachmentRow[]): Promise<ReadonlyMap<string, string>> {
  const found = new Map<string, string>()
  const bytes = rows.reduce((sum, { size }) => sum + size, 0)
  if (bytes > MOST_BYTES) throw errors.attachments_too_large_together()
  context.request.memory.hold(2 * bytes)
  for (const { content_digest: digest } of rows)
    if (!found.has(digest))
      found.set(digest, (await context.contents.read(context.settings, digest)).toString('base64'))
  return found
}
