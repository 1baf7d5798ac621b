import { fieldNameOf, restNameOf } from '../../../../shared/bug-fields/field-names.ts'
import { loginFor } from '../../../access/visibility/reader-rights.ts'
import { renderText } from '../../../bugs/comments/reading/render-comment.ts'
import type { HistoryChange } from '../../../bugs/history/history.ts'
import { localBugUrl } from '../../../bugs/links/see-also/see-also.ts'
import type { FieldDefinitions } from '../../../catalogue/fields/field.ts'
import type { Addressee } from '../addressee/find-addressee.ts'
import { siteOf } from '../mail-context.ts'
import type { MailJob } from '../mail-job.ts'
import type { MailReason } from '../recipients/wants-mail.ts'
import {
  type ChangeLine,
  type Fact,
  type MessageComment,
  type MessageContent,
  userInSentence,
} from './message-content.ts'
import type { MailReader, ShownBug, ShownComment } from './read-as.ts'
import { isShownInMail } from './seen-changes.ts'

/** A message that is being written: its reader and its topic. */
export interface MessageDraft {
  reader: MailReader
  addressee: Addressee
  job: MailJob
  bug: ShownBug
  fields: FieldDefinitions
  /** The user who made the change. */
  login: string
  name: string
}

/** The parts that all messages have. */
export function newMessageContent(
  { reader, job, bug, login, name }: MessageDraft,
  reasons: readonly MailReason[],
): MessageContent {
  return {
    type: 'changed',
    bug,
    who: { login: loginFor(login, reader), name },
    at: job.at,
    title: String(bug.summary),
    opening: '',
    facts: [],
    changes: [],
    comments: [],
    reasons,
    request: undefined,
    changedFields: [],
    attachmentId: undefined,
    link: localBugUrl(Number(bug.id), siteOf(reader)),
  }
}

/** The user who made the change, as part of a sentence. */
export function actorInSentence({ reader, login, name }: MessageDraft) {
  return userInSentence(loginFor(login, reader), name)
}

export function changeLine(
  { fields }: MessageDraft,
  { field_name, removed, added, attachment_id }: HistoryChange,
): ChangeLine {
  const label = fields.named(fieldNameOf(field_name))?.display_name ?? field_name
  return { what: attachment_id === undefined ? label : `Attachment ${attachment_id}: ${label}`, removed, added }
}

/** The changed fields, by their names in the fields call. */
export function fieldNamesIn(changes: readonly HistoryChange[]): string[] {
  return [...new Set(changes.map(({ field_name }) => fieldNameOf(field_name)))]
}

/** The non-empty fields of a new bug that mail shows. */
export function factsOfBug({ bug, fields, reader }: MessageDraft): Fact[] {
  return fields.all
    .filter(({ is_in_new_mail, is_obsolete }) => is_in_new_mail === 1 && is_obsolete === 0)
    .filter(({ name }) => isShownInMail(reader.settings, name))
    .map(({ name, display_name }) => ({ field: name, label: display_name, value: asText(bug[restNameOf(name)]) }))
    .filter(({ value }) => value !== '')
}

function asText(value: unknown): string {
  if (Array.isArray(value)) return value.map(String).join(', ')
  return value === undefined || value === null || value === 0 ? '' : String(value)
}

/** The comment, with links to what the reader may see. Its author is the user who made the change, unless it is edited. */
export async function messageComments(
  draft: MessageDraft,
  comment: ShownComment | undefined,
): Promise<MessageComment[]> {
  if (comment === undefined) return []
  const { reader, bug, job } = draft
  const html = await renderText({ ...reader, baseUrl: siteOf(reader) }, comment.text, Number(bug.id))
  return [{ ...comment, html, author: job.kind === 'comment.update' ? comment.creator : actorInSentence(draft) }]
}
