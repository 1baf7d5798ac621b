import type { Answer } from '../../../client/call-types.ts'
import { visibleText } from '../../../shared/text/visible-text.ts'
import type { FieldList } from '../../core/bugs/fields.ts'

export type Proposal = Answer<'GET /proposal/:id'>['proposal']
export type ProposedRow = Proposal['rows'][number]
export type ProposedLine = ProposedRow['changes'][number]

/** What lines are called that are no fields of a bug. */
const LABELS: ReadonlyMap<string, string> = new Map([
  ['comment', 'Comment'],
  ['is_private', 'Only insiders read it'],
  ['is_markdown', 'The comment is Markdown'],
  ['comment_tags', 'Tags of the comment'],
  ['flagtypes.name', 'Requests'],
  ['longdescs.isprivate', 'Only insiders read a comment'],
  ['attachments.size', 'Size of the file'],
  ['attachments.sha256', 'SHA-256 of the file'],
  ['dupe_of', 'Duplicate of'],
])

/** What people call a line. A custom field has its name beside its label, which an administrator may have given to several. */
export function lineLabel(fields: FieldList, line: ProposedLine, of: Proposal): string {
  const { field_name, attachment_id, comment_number } = line
  if (comment_number !== undefined && field_name !== 'comment') return `Only insiders read comment ${comment_number}`
  const label = LABELS.get(field_name) ?? fields.label(field_name)
  const named = field_name.startsWith('cf_') && label !== field_name ? `${label} (${field_name})` : label
  const isElsewhere = attachment_id !== undefined && attachment_id !== of.attachment_id
  return isElsewhere ? `${named} of attachment ${attachment_id}` : named
}

export function isOpen({ status }: ProposedRow) {
  return status === 'open'
}

/** Rows that can be accepted now. */
export function isTakeable(row: ProposedRow) {
  return isOpen(row) && !row.is_outdated
}

/** What is proposed, after “proposes”. */
export function whatIsProposed({ kind, rows, attachment_id }: Proposal): string {
  switch (kind) {
    case 'bug':
      return 'a new bug'
    case 'attachment':
      return 'to attach a file'
    case 'comment':
      return 'a comment'
    default: {
      const changes = rows.length === 1 ? '1 change' : `${rows.length} changes`
      return attachment_id === undefined ? changes : `${changes} of attachment ${attachment_id}`
    }
  }
}

/** Its title in a list of proposals. */
export function titleOf({ kind, bug_id, summary, rows }: Proposal): string {
  if (kind !== 'bug') return visibleText(`${bug_id} ${summary ?? ''}`)
  const line = rows[0]?.changes.find(({ field_name }) => field_name === 'summary')
  return visibleText(`New bug: ${line?.added ?? ''}`)
}
