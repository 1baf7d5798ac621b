import type { ChangedBy } from '../../../shared/bug-fields/bug-field.ts'
import { bugFields } from '../../../shared/bug-fields/bug-fields.ts'
import { errors } from '../../platform/errors.ts'

/** The roles and rights of a user on a bug, which decide what they may change. */
export interface EditorRights {
  /** In the product of the bug, through membership in editbugs or through a group control of the product. */
  hasEditbugs: boolean
  hasCanconfirm: boolean
  isTimeTracker: boolean
  isInsider: boolean
  /** In the group of the parameter restrict_comments_enable_group. */
  restrictsComments: boolean
  /** Whether only users with editbugs may comment on the bug. */
  areCommentsRestricted: boolean
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
const COMMENTERS: Permission = {
  may: (it) => it.hasEditbugs || !it.areCommentsRestricted,
  need: 'every user may who sees the bug and may change bugs of its product; while its comments are restricted, it needs editbugs in the product',
}
const COMMENT_RESTRICTERS: Permission = {
  may: (it) => it.restrictsComments,
  need: 'it needs membership in the group of the parameter restrict_comments_enable_group',
}
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

const PERMISSIONS_BY_KIND: Readonly<Record<ChangedBy, Permission>> = {
  anyone: ANYONE,
  'time trackers': TIME_TRACKERS,
  confirmers: CONFIRMERS,
  'comment restricters': COMMENT_RESTRICTERS,
  workers: WORKERS,
  participants: PARTICIPANTS,
  'participants if reporters choose': PRIORITY,
}

/**
 * Who may change which field of a bug that they see. Updates and explain-access both use this table. A value that stays the same
 * needs no right. Fields that are not listed, such as custom fields, are for participants. `status.open` is a change from one open
 * status to another, `is_confirmed` one that confirms or unconfirms the bug, and `cc.remove` removes another user from the CC list.
 */
const PERMISSIONS: ReadonlyMap<string, Permission> = new Map([
  ['comment', COMMENTERS],
  ['comment_is_private', INSIDERS],
  ['cc.remove', WORKERS],
  ['status.open', WORKERS],
  ...bugFields.flatMap(({ name, changedBy }): [string, Permission][] =>
    changedBy === undefined ? [] : [[name, PERMISSIONS_BY_KIND[changedBy]]],
  ),
])

/** What can be changed, except custom fields. */
export const changeableFields: readonly string[] = [...PERMISSIONS.keys()]

export function permissionFor(field: string): Permission {
  return PERMISSIONS.get(field) ?? PARTICIPANTS
}

export function mayChange(rights: EditorRights, field: string): boolean {
  return permissionFor(field).may(rights)
}

/** Throws 115 if the user may not change the field. */
export function requireMayChange(rights: EditorRights, field: string) {
  if (!mayChange(rights, field)) throw errors.field_not_yours({ field, need: permissionFor(field).need })
}
