import { dictionary } from '../../../platform/text/dictionary.ts'
import type { MailEvent, Role } from '../preferences/mail-preference.ts'

/** What happened to a bug, limited to what the recipient may see. */
export interface VisibleChange {
  kind: 'new' | 'changed' | 'dependency'
  /** Names of the changed fields, as in the history. */
  fields: readonly string[]
  /** Whether a user wrote text. */
  hasComment: boolean
  hasNewAttachment: boolean
}

/** The events among which users choose in their mail preferences. */
export function eventsIn({ kind, fields, hasComment, hasNewAttachment }: VisibleChange): Set<MailEvent> {
  if (kind === 'new') return new Set(['created'])
  if (kind === 'dependency') return new Set(['dependencies'])
  const events = new Set<MailEvent>(fields.map((field) => EVENT_OF[field] ?? 'other'))
  if (hasComment) events.add('comment')
  if (hasNewAttachment) events.add('attachment')
  return events
}

const EVENT_OF: Readonly<Record<string, MailEvent>> = dictionary({
  resolution: 'resolution',
  keywords: 'keywords',
  cc: 'cc',
  severity: 'progress',
  priority: 'progress',
  status: 'progress',
  target_milestone: 'progress',
  'attachments.description': 'attachment_data',
  'attachments.mimetype': 'attachment_data',
  'attachments.ispatch': 'attachment_data',
  depends_on: 'dependencies',
  blocks: 'dependencies',
  product: 'component',
  component: 'component',
})

/** The field of a bug that holds each role. The reporter never changes. */
export const FIELD_OF_ROLE: Readonly<Partial<Record<Role, string>>> = {
  assigned_to: 'assigned_to',
  qa_contact: 'qa_contact',
  cc: 'cc',
}
