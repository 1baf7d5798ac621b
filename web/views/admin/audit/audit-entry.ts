import type { Answer } from '../../../../client/call-types.ts'
import { fieldInWords } from './audit-words.ts'

export type AuditEntry = Answer<'GET /audit'>['audit'][number]

/** The classes of the audit log in words, in the order of the filter. */
export const CLASSES: ReadonlyMap<string, string> = new Map([
  ['Tracker::User', 'account'],
  ['Tracker::User::APIKey', 'API key'],
  ['Tracker::Group', 'group'],
  ['Tracker::Classification', 'classification'],
  ['Tracker::Product', 'product'],
  ['Tracker::Component', 'component'],
  ['Tracker::Version', 'version'],
  ['Tracker::Milestone', 'milestone'],
  ['Tracker::GroupControl', 'group control'],
  ['Tracker::FlagType', 'flag type'],
  ['Tracker::Field', 'field'],
  ['Tracker::FieldValue', 'value'],
  ['Tracker::Workflow', 'workflow'],
  ['Tracker::Keyword', 'keyword'],
  ['Tracker::CannedReply', 'canned reply'],
  ['Tracker::Rotation', 'rotation'],
  ['Tracker::TriageQueue', 'triage queue'],
  ['Tracker::Parameter', 'parameter'],
  ['Tracker::Webhook', 'webhook'],
  ['Tracker::Mail', 'mail'],
  ['Tracker::SignInProvider', 'provider'],
  ['Tracker::CodeSource', 'source of code'],
  ['Tracker::Bug', 'bug'],
  ['Tracker::Comment', 'comment'],
  ['Tracker::Attachment', 'attachment'],
])

const CREATED = '__create__'
const REMOVED = '__remove__'

export function classInWords(name: string) {
  return CLASSES.get(name) ?? name
}

/** What the object is called now, or was called when it was there, or its number. */
export function objectName({ class: kind, name, id, field, removed, added }: AuditEntry): string {
  if (kind === 'Tracker::Parameter') return field
  if (name !== null) return name
  if (field === CREATED && added !== '') return added
  if (field === REMOVED && removed !== '') return removed
  return id === 0 ? '' : String(id)
}

/** What happened to the object; the old and the new value are shown beside it. */
export function actionOf({ class: kind, field }: AuditEntry): string {
  if (field === CREATED) return 'created'
  if (field === REMOVED) return 'deleted'
  if (kind === 'Tracker::SignInProvider') return 'tested'
  if (kind === 'Tracker::CodeSource' && field === 'test') return 'tested'
  if (kind === 'Tracker::Mail') return field === 'test' ? 'sent a test message:' : 'deleted undelivered messages:'
  return 'changed'
}

/** What of the object was changed; empty where the action says all. */
export function partOf(entry: AuditEntry): string {
  return actionOf(entry) === 'changed' && entry.class !== 'Tracker::Parameter' ? fieldInWords(entry) : ''
}

export function hasValues({ field }: AuditEntry) {
  return field !== CREATED && field !== REMOVED
}
