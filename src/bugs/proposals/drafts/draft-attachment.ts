import type { WriteBasis } from '../../../access/write-bugs.ts'
import { keyForContent } from '../../../changes/stored-contents.ts'
import type { Content } from '../../../platform/contents/content-store.ts'
import type { BugTransaction } from '../../../platform/database/db.ts'
import { errors } from '../../../platform/errors.ts'
import { enforce } from '../../../platform/rule.ts'
import {
  type AttachmentDescription,
  changedAttachment,
  EMPTY_DESCRIPTION,
  FLAGS_FIELD,
  HISTORY_NAMES,
} from '../../attachments/attachment.ts'
import { attachmentRules } from '../../attachments/attachment-rules.ts'
import { createAttachments, type NewAttachment } from '../../attachments/create-attachments.ts'
import { decodeContent } from '../../attachments/reading/attachment-content.ts'
import { flagsOfAttachments } from '../../flags/flag-texts.ts'
import { idsOfRefs } from '../../values/bug-refs.ts'
import { addedLine, type DraftProposal, type ProposedLine } from '../proposal.ts'
import { type Draft, placesOf, requireFew, tried } from './draft.ts'
import { linesOfComment } from './rows-of-change.ts'

/** Larger files are not kept for somebody who may never accept them. */
export const MOST_PROPOSED_KIBIBYTES = 100

/** Attaching a file to bugs: a proposal for each. The content stays in the proposal; the store gets it when it is accepted. */
export async function draftAttachment(
  context: WriteBasis,
  refs: readonly string[],
  wanted: NewAttachment,
): Promise<Draft> {
  await requireFew(context, refs.length)
  if (wanted.data === undefined) throw errors.parameter_required({ name: 'data' })
  if (wanted.in_comment)
    throw errors.bad_value({ name: 'in_comment', value: 'true', right: 'a file that is proposed is in no comment' })
  const description = changedAttachment(EMPTY_DESCRIPTION, wanted)
  enforce(attachmentRules, { before: undefined, after: description })
  const content = await decodeContent(wanted.data, context.settings)
  if (content.bytes.length > MOST_PROPOSED_KIBIBYTES * 1024)
    throw errors.attachment_too_large({ most: MOST_PROPOSED_KIBIBYTES })
  const flags = await tried(context, (tx, current) => flagsOfNew(tx, current, refs, wanted, { description, content }))
  const ids = await idsOfRefs(context.db, refs)
  const bugIds = [...new Set(refs.flatMap((ref) => ids.get(ref) ?? []))]
  const places = await placesOf(context.db, bugIds)
  const lines = linesOfFile(description, content, wanted, flags)
  const { is_obsolete: _, ...file } = description
  const { comment, is_markdown, flags: wantedFlags } = wanted
  const params = { ...file, comment, is_markdown, flags: wantedFlags, data: content.bytes.toString('base64') }
  const row = {
    name: 'attachment',
    params,
    lines,
    isForInsiders: description.is_private,
    isForTimeTrackers: false,
    bugs: [],
  }
  const proposals = bugIds.flatMap((bugId): DraftProposal[] => {
    const place = places.get(bugId)
    return place === undefined
      ? []
      : [{ kind: 'attachment', bugId, attachmentId: null, groupIds: [], ...place, rows: [row] }]
  })
  return { proposals }
}

interface ProposedFile {
  description: AttachmentDescription
  content: Content
}

/** Attaches it, which is undone, and returns the flags that the attachment got. */
async function flagsOfNew(
  tx: BugTransaction,
  current: WriteBasis,
  refs: readonly string[],
  wanted: NewAttachment,
  { description, content }: ProposedFile,
): Promise<string[]> {
  const key = await keyForContent(tx, content.digest)
  const [first = 0] = await createAttachments(current, refs, wanted, { description, content: { ...content, key } })
  return ((await flagsOfAttachments(tx, [first])).get(first) ?? []).map(({ text }) => text)
}

export function linesOfFile(
  description: AttachmentDescription,
  { bytes, digest }: Content,
  { comment = '', is_markdown: isMarkdown = false }: Pick<NewAttachment, 'comment' | 'is_markdown'>,
  flags: readonly string[],
): ProposedLine[] {
  const { is_private: isPrivate } = description
  return [
    ...Object.entries(HISTORY_NAMES).flatMap(([name, field]) => {
      const value = description[name as keyof AttachmentDescription]
      if (name === 'is_private' || value === false || value === '') return []
      return [addedLine(field, value === true ? '1' : value)]
    }),
    ...(isPrivate ? [addedLine(HISTORY_NAMES.is_private, '1')] : []),
    addedLine('attachments.size', String(bytes.length)),
    addedLine('attachments.sha256', digest),
    ...(flags.length > 0 ? [addedLine(FLAGS_FIELD, flags.join(', '))] : []),
    ...linesOfComment({ text: comment, isPrivate: false, isMarkdown, tags: [] }),
  ]
}
