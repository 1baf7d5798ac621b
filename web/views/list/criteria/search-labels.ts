import type { FieldName } from '../../../../shared/bug-fields/bug-fields.ts'

/** What the fields are called among the conditions of a search, if they have another name there. */
export const SEARCH_LABELS: Readonly<Partial<Record<FieldName, string>>> = {
  content: 'Words of summary and comments',
  days_elapsed: 'Days since the last change',
  owner_idle_time: 'Time since the assignee did something',
  last_visit_ts: 'When I looked at it last',
  longdesc: 'Text of a comment',
  'longdescs.count': 'Number of comments',
  'flagtypes.name': 'Flag',
  'requestees.login_name': 'Flag: asked of',
  'setters.login_name': 'Flag: set by',
  'attachments.description': 'Attachment: description',
  'attachments.filename': 'Attachment: name of the file',
  'attachments.mimetype': 'Attachment: type',
  'attachments.ispatch': 'Attachment: is a patch',
  'attachments.isobsolete': 'Attachment: is obsolete',
  'attachments.submitter': 'Attachment: added by',
}
