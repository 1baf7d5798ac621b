import { bugFields } from '../../../../shared/bug-fields/bug-fields.ts'
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
  const events = new Set<MailEvent>(fields.map((field) => EVENT_OF.get(field) ?? 'other'))
  if (hasComment) events.add('comment')
  if (hasNewAttachment) events.add('attachment')
  return events
}

const EVENT_OF: ReadonlyMap<string, MailEvent> = new Map(
  bugFields.flatMap(({ name, mailEvent }): [string, MailEvent][] =>
    mailEvent === undefined ? [] : [[name, mailEvent]],
  ),
)

/** The field of a bug that holds each role. The reporter never changes. */
export const FIELD_OF_ROLE: Readonly<Partial<Record<Role, string>>> = {
  assigned_to: 'assigned_to',
  qa_contact: 'qa_contact',
  cc: 'cc',
}

/** The names of all fields that hold a role which can change. */
export const fieldOfEveryRole: readonly string[] = Object.values(FIELD_OF_ROLE)
