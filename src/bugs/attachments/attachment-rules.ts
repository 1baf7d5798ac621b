import { errors } from '../../platform/errors.ts'
import type { Rule } from '../../platform/rule.ts'
import { isLongerThan } from '../../platform/text/characters.ts'
import { type AttachmentDescription, type AttachmentEdit, isContentType } from './attachment.ts'

const LONGEST_SUMMARY = 255

export const attachmentsHaveAFileName: Rule<AttachmentEdit> = {
  says: 'An attachment has a file name.',
  brokenBy: (edit) => touches(edit, 'file_name') && edit.after.file_name === '',
  error: () => errors.file_name_empty(),
}

export const attachmentsHaveASummary: Rule<AttachmentEdit> = {
  says: 'An attachment has a summary.',
  brokenBy: (edit) => touches(edit, 'summary') && edit.after.summary === '',
  error: () => errors.attachment_summary_empty(),
}

export const attachmentSummariesHaveALimit: Rule<AttachmentEdit> = {
  says: `The summary of an attachment has at most ${LONGEST_SUMMARY} characters.`,
  brokenBy: (edit) => touches(edit, 'summary') && isLongerThan(edit.after.summary, LONGEST_SUMMARY),
  error: () => errors.text_too_long({ name: 'summary', most: LONGEST_SUMMARY }),
}

export const attachmentsHaveAContentType: Rule<AttachmentEdit> = {
  says: 'The content type of an attachment is a MIME type of a known kind, such as text or image, with nothing after it but a charset.',
  brokenBy: (edit) => touches(edit, 'content_type') && !isContentType(edit.after.content_type),
  error: ({ after }) => errors.content_type_wrong({ type: after.content_type }),
}

/** Checked in this order. The client gets the error of the first broken rule. */
export const attachmentRules = [
  attachmentsHaveAFileName,
  attachmentsHaveASummary,
  attachmentSummariesHaveALimit,
  attachmentsHaveAContentType,
]

/** Fields that an edit does not change are not checked, so that an old attachment can still be changed. */
function touches({ before, after }: AttachmentEdit, field: keyof AttachmentDescription) {
  return before === undefined || before[field] !== after[field]
}
