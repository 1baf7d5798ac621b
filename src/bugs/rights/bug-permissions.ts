import { errors } from '../../platform/errors.ts'

/** The roles and rights of a user on a bug, which decide what they may change. */
export interface EditorRights {
  /** In the product of the bug, through membership in editbugs or through a group control of the product. */
  hasEditbugs: boolean
  hasCanconfirm: boolean
  isTimeTracker: boolean
  isInsider: boolean
  isAssignee: boolean
  isQaContact: boolean
  isReporter: boolean
  /** The parameter letsubmitterchoosepriority. */
  reporterChoosesPriority: boolean
}

/** Who may change a field, as a function and as text. */
export interface Permission {
  may: (rights: EditorRights) => boolean
  need: string
}

const worksOnIt = (it: EditorRights) => it.hasEditbugs || it.isAssignee || it.isQaContact
const takesPart = (it: EditorRights) => worksOnIt(it) || it.isReporter

const ANYONE: Permission = {
  may: () => true,
  need: 'every user may who sees the bug and may change bugs of its product',
}
const INSIDERS: Permission = { may: (it) => it.isInsider, need: 'it needs membership in the insider group' }
const TIME_TRACKERS: Permission = {
  may: (it) => it.isTimeTracker,
  need: 'it needs membership in the time-tracking group',
}
const CONFIRMERS: Permission = {
  may: (it) => it.hasEditbugs || it.hasCanconfirm,
  need: 'it needs editbugs or canconfirm in the product',
}
const WORKERS: Permission = {
  may: worksOnIt,
  need: 'it needs editbugs in the product, or the role of assignee or QA contact',
}
const PARTICIPANTS: Permission = {
  may: takesPart,
  need: 'it needs editbugs in the product, or the role of assignee, QA contact or reporter',
}
const PRIORITY: Permission = {
  may: (it) => (it.reporterChoosesPriority ? takesPart(it) : worksOnIt(it)),
  need: 'it needs editbugs in the product, or the role of assignee or QA contact, or of reporter if letsubmitterchoosepriority is on',
}

/**
 * Who may change which field of a bug that they see. Updates and explain-access both use this table. A value that stays the same
 * needs no right. Fields that are not listed, such as custom fields, are for participants.
 */
const PERMISSIONS = {
  comment: ANYONE,
  flags: ANYONE,
  // The group controls of the product decide which groups a user may set; see bug-groups.ts.
  groups: ANYONE,
  cc: ANYONE,
  'cc.remove': WORKERS,
  comment_is_private: INSIDERS,
  estimated_time: TIME_TRACKERS,
  remaining_time: TIME_TRACKERS,
  work_time: TIME_TRACKERS,
  deadline: TIME_TRACKERS,
  is_confirmed: CONFIRMERS,
  assigned_to: WORKERS,
  qa_contact: WORKERS,
  target_milestone: WORKERS,
  priority: PRIORITY,
  'status.open': WORKERS,
  status: PARTICIPANTS,
  resolution: PARTICIPANTS,
  dupe_of: PARTICIPANTS,
  product: PARTICIPANTS,
  component: PARTICIPANTS,
  version: PARTICIPANTS,
  summary: PARTICIPANTS,
  severity: PARTICIPANTS,
  op_sys: PARTICIPANTS,
  platform: PARTICIPANTS,
  url: PARTICIPANTS,
  whiteboard: PARTICIPANTS,
  keywords: PARTICIPANTS,
  alias: PARTICIPANTS,
  depends_on: PARTICIPANTS,
  blocks: PARTICIPANTS,
  see_also: PARTICIPANTS,
  is_cc_accessible: PARTICIPANTS,
  is_creator_accessible: PARTICIPANTS,
} as const satisfies Record<string, Permission>

/**
 * All changeable fields except custom fields. `status.open` is a change from one open status to another, `is_confirmed` one that
 * confirms or unconfirms the bug, and `cc.remove` removes another user from the CC list.
 */
export type ChangeableField = keyof typeof PERMISSIONS

export const changeableFields = Object.keys(PERMISSIONS) as ChangeableField[]

export function permissionFor(field: string): Permission {
  return Object.hasOwn(PERMISSIONS, field) ? PERMISSIONS[field as ChangeableField] : PARTICIPANTS
}

export function mayChange(rights: EditorRights, field: string): boolean {
  return permissionFor(field).may(rights)
}

/** Throws 115 if the user may not change the field. */
export function requireMayChange(rights: EditorRights, field: string) {
  if (!mayChange(rights, field)) throw errors.field_not_yours({ field, need: permissionFor(field).need })
}
