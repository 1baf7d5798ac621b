// Fields have Bugzilla's internal names in /rest/field and plainer names in bugs.
import type { Bug, Field, FieldValue } from '../../../core/server/types.ts'

const NAMES: Readonly<Record<string, string>> = {
  short_desc: 'summary',
  bug_status: 'status',
  bug_severity: 'severity',
  rep_platform: 'platform',
  bug_file_loc: 'url',
  status_whiteboard: 'whiteboard',
  dependson: 'depends_on',
  blocked: 'blocks',
  bug_group: 'groups',
  bug_id: 'id',
  reporter: 'creator',
  cclist_accessible: 'is_cc_accessible',
  reporter_accessible: 'is_creator_accessible',
  dup_id: 'dupe_of',
}

export function nameInBug(internal: string): string {
  return Object.hasOwn(NAMES, internal) ? (NAMES[internal] as string) : internal
}

/** Labels that are shorter or plainer than those of the fields. */
const LABELS: Readonly<Record<string, string>> = {
  assigned_to: 'Assignee',
  target_milestone: 'Milestone',
  op_sys: 'System',
  platform: 'Hardware',
  cc: 'CC',
  status: 'Status',
  resolution: 'Resolution',
  severity: 'Severity',
  see_also: 'See also',
  depends_on: 'Depends on',
  blocks: 'Blocks',
  dupe_of: 'Duplicate of',
  qa_contact: 'QA contact',
  alias: 'Alias',
  url: 'URL',
  whiteboard: 'Whiteboard',
  groups: 'Groups',
  remaining_time: 'Hours left',
  estimated_time: 'Estimate',
  work_time: 'Hours worked',
  is_confirmed: 'Confirmed',
  is_cc_accessible: 'Visible to CC',
  is_creator_accessible: 'Visible to the reporter',
  'longdescs.isprivate': 'Comment private',
  'attachments.description': 'Attachment’s summary',
  'attachments.filename': 'Attachment’s file name',
  'attachments.mimetype': 'Attachment’s type',
  'attachments.ispatch': 'Attachment is a patch',
  'attachments.isobsolete': 'Attachment obsolete',
  'attachments.isprivate': 'Attachment private',
  'longdescs.deleted': 'Deleted comment',
}

/** What people call a field of a bug. */
export function labelOf(name: string, fields: readonly Field[]): string {
  if (Object.hasOwn(LABELS, name)) return LABELS[name] as string
  return fields.find((field) => nameInBug(field.name) === name)?.display_name ?? name
}

export function valueIn(bug: Bug, name: string): unknown {
  return (bug as unknown as Record<string, unknown>)[name]
}

function has(bug: Bug, internal: string, values: readonly string[]) {
  const value = valueIn(bug, nameInBug(internal))
  return Array.isArray(value)
    ? value.some((item) => values.includes(String(item)))
    : values.includes(String(value ?? ''))
}

/** Whether a custom field is shown on a bug: some are only for certain values of another field. */
export function isShownOn(bug: Bug, field: Field): boolean {
  return field.visibility_field === null || has(bug, field.visibility_field, field.visibility_values)
}

/** The values that a bug can have in a field, which may depend on another field, such as the product. */
export function valuesFor(bug: Bug, field: Field | undefined): FieldValue[] {
  if (field === undefined) return []
  const control = field.value_field
  return (field.values ?? []).filter(
    ({ name, is_active, visibility_values }) =>
      name !== null &&
      is_active !== false &&
      (!control || visibility_values === undefined || visibility_values.length === 0
        ? true
        : has(bug, control, visibility_values)),
  )
}
