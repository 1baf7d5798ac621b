// Which fields each part of the pages has, in its order. Custom fields follow.
import type { FieldName } from '../../../shared/bug-fields/bug-fields.ts'

type FieldNames = readonly FieldName[]

/** The panel of a bug, in the order of the questions that people have. */
export const PANEL = {
  people: ['assigned_to', 'qa_contact', 'creator', 'cc'],
  where: ['product', 'component', 'version', 'target_milestone', 'platform', 'op_sys'],
  what: ['type', 'keywords', 'whiteboard', 'tags', 'url'],
  links: ['dupe_of', 'duplicates', 'depends_on', 'blocks'],
  otherLinks: ['see_also', 'alias'],
  time: ['deadline', 'estimated_time', 'remaining_time'],
} as const satisfies Readonly<Record<string, FieldNames>>

/** The form for a new bug, after what every bug needs. */
export const MAIN_FORM: FieldNames = ['type', 'severity', 'priority']
/** Below “More fields”. */
export const MORE_FORM: FieldNames = [
  'platform',
  'op_sys',
  'target_milestone',
  'assigned_to',
  'qa_contact',
  'cc',
  'keywords',
  'depends_on',
  'blocks',
  'deadline',
  'estimated_time',
  'url',
  'alias',
  'whiteboard',
]

export const USUAL_COLUMNS: FieldNames = [
  'priority',
  'id',
  'status',
  'summary',
  'severity',
  'component',
  'assigned_to',
  'last_change_time',
]
export const COLUMNS: FieldNames = [
  ...USUAL_COLUMNS,
  'creation_time',
  'product',
  'version',
  'target_milestone',
  'type',
  'resolution',
  'creator',
  'qa_contact',
  'op_sys',
  'platform',
  'keywords',
  'whiteboard',
  'alias',
  'url',
  'deadline',
  'votes',
  'code_state',
]

/** What is changed in the rows of a list. */
export const ROW_FIELDS: FieldNames = [
  'priority',
  'severity',
  'assigned_to',
  'target_milestone',
  'status',
  'component',
  'version',
  'keywords',
  'summary',
]

/** A bug has one value of each, so that it is in one group. */
export const GROUPS: FieldNames = [
  'target_milestone',
  'status',
  'priority',
  'severity',
  'type',
  'product',
  'component',
  'version',
  'assigned_to',
  'resolution',
]

/** What several bugs get at once: first, and below “More”. */
export const BULK: FieldNames = ['status', 'assigned_to', 'priority', 'target_milestone', 'keywords']
export const MORE_BULK: FieldNames = [
  'resolution',
  'severity',
  'type',
  'product',
  'component',
  'version',
  'qa_contact',
  'cc',
  'whiteboard',
  'deadline',
]

const SEARCHED_FIRST = [
  'product',
  'component',
  'status',
  'resolution',
  'priority',
  'severity',
  'type',
  'assigned_to',
] as const

/** What “+ Filter” offers. */
export const FILTERS: FieldNames = [
  ...SEARCHED_FIRST,
  'creator',
  'cc',
  'target_milestone',
  'version',
  'keywords',
  'summary',
  'whiteboard',
  'creation_time',
  'last_change_time',
]

/** The fields whose names the search field completes. */
export const COMPLETED: FieldNames = [
  ...SEARCHED_FIRST,
  'creator',
  'cc',
  'commenter',
  'qa_contact',
  'requestees.login_name',
  'keywords',
  'version',
  'target_milestone',
  'platform',
  'op_sys',
  'summary',
  'whiteboard',
  'longdesc',
  'alias',
  'flagtypes.name',
]

/** Where a quicksearch looks for a word. */
export const WORDS_ARE_IN: FieldNames = ['summary', 'product', 'component', 'alias', 'whiteboard']
