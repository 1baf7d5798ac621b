import { dictionary } from '../../platform/text/dictionary.ts'
import { FIELD_TYPE } from './field.ts'

export interface StandardField {
  name: string
  display_name: string
  type: number
  is_mandatory: boolean
  /** Included in the mail about a new bug. */
  is_in_new_mail: boolean
}

interface More {
  type?: number
  isMandatory?: boolean
  isInNewMail?: boolean
}

/** The fields that every bug has. The id of a field is its position in this list, the same as in Bugzilla. */
export const STANDARD_FIELDS: readonly StandardField[] = [
  field('bug_id', 'Bug #', { isInNewMail: true }),
  field('short_desc', 'Summary', { isMandatory: true, isInNewMail: true }),
  field('classification', 'Classification', { type: FIELD_TYPE.singleSelect, isInNewMail: true }),
  field('product', 'Product', { type: FIELD_TYPE.singleSelect, isMandatory: true, isInNewMail: true }),
  field('version', 'Version', { isMandatory: true, isInNewMail: true }),
  field('rep_platform', 'Platform', { type: FIELD_TYPE.singleSelect, isInNewMail: true }),
  field('bug_file_loc', 'URL', { isInNewMail: true }),
  field('op_sys', 'OS/Version', { type: FIELD_TYPE.singleSelect, isInNewMail: true }),
  field('bug_status', 'Status', { type: FIELD_TYPE.singleSelect, isInNewMail: true }),
  field('status_whiteboard', 'Status Whiteboard', { isInNewMail: true }),
  field('keywords', 'Keywords', { type: FIELD_TYPE.keywords, isInNewMail: true }),
  field('resolution', 'Resolution', { type: FIELD_TYPE.singleSelect }),
  field('bug_severity', 'Severity', { type: FIELD_TYPE.singleSelect, isInNewMail: true }),
  field('priority', 'Priority', { type: FIELD_TYPE.singleSelect, isInNewMail: true }),
  field('component', 'Component', { type: FIELD_TYPE.singleSelect, isMandatory: true, isInNewMail: true }),
  field('assigned_to', 'AssignedTo', { isInNewMail: true }),
  field('reporter', 'ReportedBy', { isInNewMail: true }),
  field('qa_contact', 'QAContact', { isInNewMail: true }),
  field('assigned_to_realname', 'AssignedToName'),
  field('reporter_realname', 'ReportedByName'),
  field('qa_contact_realname', 'QAContactName'),
  field('cc', 'CC', { isInNewMail: true }),
  field('dependson', 'Depends on', { isInNewMail: true }),
  field('blocked', 'Blocks', { isInNewMail: true }),
  field('attachments.description', 'Attachment description'),
  field('attachments.filename', 'Attachment filename'),
  field('attachments.mimetype', 'Attachment mime type'),
  field('attachments.ispatch', 'Attachment is patch'),
  field('attachments.isobsolete', 'Attachment is obsolete'),
  field('attachments.isprivate', 'Attachment is private'),
  field('attachments.submitter', 'Attachment creator'),
  field('target_milestone', 'Target Milestone', { isInNewMail: true }),
  field('creation_ts', 'Creation date'),
  field('delta_ts', 'Last changed date'),
  field('longdesc', 'Comment'),
  field('longdescs.isprivate', 'Comment is private'),
  field('longdescs.count', 'Number of Comments'),
  field('alias', 'Alias'),
  field('everconfirmed', 'Ever Confirmed'),
  field('reporter_accessible', 'Reporter Accessible'),
  field('cclist_accessible', 'CC Accessible'),
  field('bug_group', 'Group', { isInNewMail: true }),
  field('estimated_time', 'Estimated Hours', { isInNewMail: true }),
  field('remaining_time', 'Remaining Hours'),
  field('deadline', 'Deadline', { type: FIELD_TYPE.dateTime, isInNewMail: true }),
  field('commenter', 'Commenter'),
  field('flagtypes.name', 'Flags'),
  field('requestees.login_name', 'Flag Requestee'),
  field('setters.login_name', 'Flag Setter'),
  field('work_time', 'Hours Worked'),
  field('percentage_complete', 'Percentage Complete'),
  field('content', 'Content'),
  field('attach_data.thedata', 'Attachment data'),
  field('owner_idle_time', 'Time Since Assignee Touched'),
  field('see_also', 'See Also', { type: FIELD_TYPE.bugUrls }),
  field('tag', 'Personal Tags', { type: FIELD_TYPE.keywords }),
  field('last_visit_ts', 'Last Visit', { type: FIELD_TYPE.dateTime }),
  field('comment_tag', 'Comment Tag'),
  field('days_elapsed', 'Days since bug changed'),
]

/** The values of a new installation, in order. */
export const SHIPPED_VALUES: Readonly<Record<string, readonly string[]>> = dictionary({
  rep_platform: ['All', 'PC', 'Macintosh', 'Other'],
  op_sys: ['All', 'Windows', 'Mac OS', 'Linux', 'Other'],
  bug_status: ['UNCONFIRMED', 'CONFIRMED', 'IN_PROGRESS', 'RESOLVED', 'VERIFIED'],
  resolution: ['', 'FIXED', 'INVALID', 'WONTFIX', 'DUPLICATE', 'WORKSFORME'],
  bug_severity: ['blocker', 'critical', 'major', 'normal', 'minor', 'trivial', 'enhancement'],
  priority: ['Highest', 'High', 'Normal', 'Low', 'Lowest', '---'],
})

export const SHIPPED_OPEN_STATUSES: readonly string[] = ['UNCONFIRMED', 'CONFIRMED', 'IN_PROGRESS']

/** Distance between consecutive sort keys, which leaves room for others between them. */
export const SORT_KEY_STEP = 100

function field(name: string, display_name: string, more: More = {}): StandardField {
  const { type = FIELD_TYPE.special, isMandatory = false, isInNewMail = false } = more
  return { name, display_name, type, is_mandatory: isMandatory, is_in_new_mail: isInNewMail }
}
