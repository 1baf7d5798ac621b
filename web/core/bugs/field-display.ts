// What only the pages know about the fields of a bug. Everything else about a field is in shared/bug-fields.
import type { FieldName } from '../../../shared/bug-fields/bug-fields.ts'

export interface FieldDisplay {
  /** What people call it, if it is shorter or plainer than the name that the server has for it. */
  label?: string
  /** The same on the page of a bug, if it has another name there. */
  labelInBug?: string
  /** What is typed before a value in a quicksearch, if it is not the first of its other names there. */
  quickName?: string
  key?: FieldKey
  /** In the panel of a bug also when it is empty. */
  isAlwaysShown?: true
  column?: FieldColumn
  form?: FieldInForm
}

/** The letter that edits the field, after `e`. */
export interface FieldKey {
  letter: string
  /** “Edit …”, if it is not the label. */
  what?: string
  /** Works without `e` too, as in a list. */
  isFrequent?: true
  /** Its editor opens in the head of the page. */
  isInHead?: true
}

export interface FieldColumn {
  width: string
  /** Where the list is narrow. */
  narrow?: string
  title?: string
  /** The title is only for screen readers: what is in the column explains itself. */
  isTitleHidden?: true
  /** Its name in `order`, if it is not that of searches. */
  order?: string
}

/** In the form for a new bug. */
export interface FieldInForm {
  label?: string
  hint?: string
  input?: 'url'
  isForEditors?: true
}

/** In the order of the help about keys. */
export const FIELD_DISPLAY: Readonly<Partial<Record<FieldName, FieldDisplay>>> = {
  summary: { key: { letter: 't' }, column: { width: 'minmax(180px, 1fr)' } },
  priority: {
    key: { letter: 'p', isFrequent: true, isInHead: true },
    column: { width: '24px', isTitleHidden: true },
  },
  severity: {
    key: { letter: 's', isFrequent: true, isInHead: true },
    column: { width: '112px', narrow: '24px' },
  },
  assigned_to: {
    label: 'Assignee',
    key: { letter: 'a', isFrequent: true, isInHead: true },
    isAlwaysShown: true,
    column: { width: '104px', narrow: '88px' },
  },
  target_milestone: { label: 'Milestone', key: { letter: 'm', isFrequent: true }, column: { width: '80px' } },
  component: { key: { letter: 'c' }, isAlwaysShown: true, column: { width: '96px', narrow: '84px' } },
  version: { key: { letter: 'v' }, isAlwaysShown: true, column: { width: '72px' } },
  keywords: { quickName: 'keywords', key: { letter: 'k' }, column: { width: '112px' } },
  whiteboard: {
    label: 'Whiteboard',
    key: { letter: 'w' },
    column: { width: '112px' },
    form: { isForEditors: true },
  },
  depends_on: { key: { letter: 'd', what: 'the dependencies' } },
  blocks: { key: { letter: 'b', what: 'the blocked bugs' } },
  url: {
    key: { letter: 'u', what: 'the URL' },
    column: { title: 'Address', width: '112px' },
    form: { input: 'url' },
  },
  alias: { key: { letter: 'l' }, column: { width: '96px' }, form: { hint: 'A short name for the bug.' } },
  tags: { label: 'My tags', key: { letter: 'g', what: 'my tags' } },
  votes: { column: { width: '56px' } },
  code_state: { label: 'Code' },
  status: { column: { width: '24px', isTitleHidden: true } },
  resolution: { column: { width: '84px' } },
  product: { isAlwaysShown: true, column: { width: '112px' } },
  creator: { label: 'Reporter', isAlwaysShown: true, column: { width: '112px' } },
  qa_contact: { label: 'QA contact', column: { width: '112px' } },
  platform: { labelInBug: 'Hardware', column: { width: '80px' } },
  op_sys: { label: 'System', column: { width: '80px' } },
  id: { label: 'Number', column: { title: 'ID', width: '46px' } },
  creation_time: { label: 'Filed', column: { width: '72px', order: 'opendate' } },
  last_change_time: { label: 'Changed', column: { width: '72px', order: 'changeddate' } },
  deadline: { column: { title: 'Due', width: '72px' } },
  estimated_time: { labelInBug: 'Estimate', form: { label: 'Estimated hours' } },
  remaining_time: { labelInBug: 'Hours left' },
  work_time: { labelInBug: 'Hours worked' },
  see_also: { labelInBug: 'See also' },
  dupe_of: { labelInBug: 'Duplicate of' },
  duplicates: { labelInBug: 'Duplicates' },
  groups: { labelInBug: 'Groups' },
  is_confirmed: { labelInBug: 'Confirmed' },
  restrict_comments: { labelInBug: 'Only editors comment' },
  is_cc_accessible: { labelInBug: 'Visible to CC' },
  is_creator_accessible: { labelInBug: 'Visible to the reporter' },
  content: { label: 'Words' },
  longdesc: { quickName: 'comment' },
  'longdescs.isprivate': { labelInBug: 'Comment private' },
  'attachments.description': { labelInBug: 'Attachment’s summary' },
  'attachments.filename': { labelInBug: 'Attachment’s file name' },
  'attachments.mimetype': { labelInBug: 'Attachment’s type' },
  'attachments.ispatch': { labelInBug: 'Attachment is a patch' },
  'attachments.isobsolete': { labelInBug: 'Attachment obsolete' },
  'attachments.isprivate': { labelInBug: 'Attachment private' },
}
