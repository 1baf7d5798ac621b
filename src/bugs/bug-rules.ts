import type { FieldDefinitions, FieldValue } from '../catalogue/fields/field.ts'
import { UNCONFIRMED, type Workflow } from '../catalogue/workflow/workflow.ts'
import type { Settings } from '../platform/config/settings.ts'
import { errors } from '../platform/errors.ts'
import type { Rule } from '../platform/rule.ts'
import { type EditorRights, mayChange, permissionFor } from './rights/bug-permissions.ts'

/** The fields of a bug that show its progress. */
export interface BugProgress {
  status_id: number
  resolution_id: number
  is_confirmed: 0 | 1
  dupe_of_id: number | null
}

/** A change of the progress of a bug, and all that the rules need to decide on it. */
export interface ProgressEdit {
  bugId: number
  before: BugProgress
  after: BugProgress
  workflow: Workflow
  fields: FieldDefinitions
  settings: Settings
  rights: EditorRights
  /** The request sets dupe_of, so the status does not follow the workflow. */
  isMarkedDuplicate: boolean
  /** The request sets a resolution, so it does not only follow from the status. */
  asksForResolution: boolean
  hasComment: boolean
  productHasUnconfirmed: boolean
  /** The bug has the default milestone although the product has several. */
  lacksMilestone: boolean
  dependsOnOpenBugs: boolean
  /** The bug that this one duplicates, the bug that that one duplicates, and so on. */
  duplicateChain: readonly number[]
}

export const DUPLICATE = 'DUPLICATE'
const FIXED = 'FIXED'
/** compat: the names that the status of bugs in work has had in Bugzilla. */
const WORK_STATUSES = ['IN_PROGRESS', 'ASSIGNED']

export const duplicatesAreMarkedByThoseWhoTakePart: Rule<ProgressEdit> = {
  says: 'A bug may be marked as a duplicate only by its reporter, its assignee, its QA contact, and users with editbugs.',
  brokenBy: (edit) => edit.isMarkedDuplicate && !mayChange(edit.rights, 'dupe_of'),
  error: () => errors.field_not_yours({ field: 'dupe_of', need: permissionFor('dupe_of').need }),
}

export const noBugDuplicatesItself: Rule<ProgressEdit> = {
  says: 'No bug is a duplicate of itself, directly or through other bugs.',
  brokenBy: (edit) => edit.isMarkedDuplicate && edit.duplicateChain.includes(edit.bugId),
  error: ({ bugId }) => errors.duplicate_loop({ id: bugId }),
}

export const unconfirmedIsForProductsThatHaveIt: Rule<ProgressEdit> = {
  says: 'A bug can become UNCONFIRMED only in a product that allows unconfirmed bugs.',
  brokenBy: (edit) =>
    changesStatus(edit) && !edit.productHasUnconfirmed && statusOf(edit, 'after')?.name === UNCONFIRMED,
  error: noSuchStep,
}

export const statusesFollowTheWorkflow: Rule<ProgressEdit> = {
  says: 'The status of a bug changes only as the workflow allows. A bug that is marked as a duplicate gets the status of duplicates from any status.',
  brokenBy: (edit) => changesStatus(edit) && !edit.isMarkedDuplicate && stepOf(edit) === undefined,
  error: noSuchStep,
}

export const statusesAreChangedByThoseWhoMay: Rule<ProgressEdit> = {
  says: 'To confirm or unconfirm a bug needs canconfirm or editbugs. A change from one open status to another is for the assignee, the QA contact and users with editbugs; any other change of status is for the reporter too.',
  brokenBy: (edit) => changesStatus(edit) && !mayChange(edit.rights, permissionFieldOf(edit)),
  error: noSuchStep,
}

export const stepsThatNeedACommentHaveOne: Rule<ProgressEdit> = {
  says: 'A change of status that needs a comment by the workflow has one.',
  brokenBy: (edit) => changesStatus(edit) && stepOf(edit)?.comment_required === 1 && !edit.hasComment,
  error: (edit) => errors.status_needs_comment({ status: nameOf(edit, 'after') }),
}

export const workStartsWithAMilestone: Rule<ProgressEdit> = {
  says: 'With musthavemilestoneonaccept, a bug gets the status of work in progress only if it has a milestone.',
  brokenBy: (edit) =>
    edit.settings.musthavemilestoneonaccept &&
    edit.settings.usetargetmilestone &&
    changesStatus(edit) &&
    WORK_STATUSES.includes(nameOf(edit, 'after')) &&
    edit.lacksMilestone,
  error: () => errors.milestone_required(),
}

export const closedBugsHaveAResolution: Rule<ProgressEdit> = {
  says: 'A bug that is closed has a resolution.',
  brokenBy: (edit) => changesProgress(edit) && !isOpen(edit) && resolutionOf(edit, 'after') === '',
  error: (edit) => errors.resolution_required({ status: nameOf(edit, 'after') }),
}

export const openBugsHaveNoResolution: Rule<ProgressEdit> = {
  says: 'A bug that is open has no resolution.',
  brokenBy: (edit) => changesProgress(edit) && isOpen(edit) && resolutionOf(edit, 'after') !== '',
  error: () => errors.resolution_not_allowed(),
}

export const duplicatesHaveATarget: Rule<ProgressEdit> = {
  says: 'A duplicate names the bug that it duplicates.',
  brokenBy: (edit) =>
    changesProgress(edit) && resolutionOf(edit, 'after') === DUPLICATE && edit.after.dupe_of_id === null,
  error: () => errors.duplicate_needs_target(),
}

export const resolutionsAreChangedByThoseWhoTakePart: Rule<ProgressEdit> = {
  says: 'The resolution of a bug may be changed only by its reporter, its assignee, its QA contact, and users with editbugs.',
  brokenBy: (edit) => edit.asksForResolution && changesResolution(edit) && !mayChange(edit.rights, 'resolution'),
  error: () => errors.field_not_yours({ field: 'resolution', need: permissionFor('resolution').need }),
}

export const fixedBugsWaitForNothing: Rule<ProgressEdit> = {
  says: 'With noresolveonopenblockers, a bug cannot become FIXED while a bug that it depends on is open.',
  brokenBy: (edit) =>
    edit.settings.noresolveonopenblockers &&
    changesResolution(edit) &&
    resolutionOf(edit, 'after') === FIXED &&
    edit.dependsOnOpenBugs,
  error: () => errors.open_dependencies(),
}

export const resolutionsAreExplained: Rule<ProgressEdit> = {
  says: 'With commentonchange_resolution, a change of the resolution needs a comment.',
  brokenBy: (edit) => edit.settings.commentonchange_resolution && changesResolution(edit) && !edit.hasComment,
  error: () => errors.resolution_needs_comment(),
}

export const duplicatesAreExplained: Rule<ProgressEdit> = {
  says: 'With commentonduplicate, marking a bug as a duplicate needs a comment.',
  brokenBy: (edit) => edit.settings.commentonduplicate && edit.isMarkedDuplicate && !edit.hasComment,
  error: () => errors.duplicate_needs_comment(),
}

/** Checked in this order. The client gets the error of the first broken rule. */
export const progressRules = [
  duplicatesAreMarkedByThoseWhoTakePart,
  noBugDuplicatesItself,
  unconfirmedIsForProductsThatHaveIt,
  statusesFollowTheWorkflow,
  statusesAreChangedByThoseWhoMay,
  stepsThatNeedACommentHaveOne,
  workStartsWithAMilestone,
  closedBugsHaveAResolution,
  openBugsHaveNoResolution,
  duplicatesHaveATarget,
  resolutionsAreChangedByThoseWhoTakePart,
  fixedBugsWaitForNothing,
  resolutionsAreExplained,
  duplicatesAreExplained,
]

/** The entry of the permission table that a change of status needs. */
function permissionFieldOf({ before, after, workflow }: ProgressEdit) {
  if (before.is_confirmed !== after.is_confirmed) return 'is_confirmed'
  return workflow.isOpen(before.status_id) && workflow.isOpen(after.status_id) ? 'status.open' : 'status'
}

function changesStatus({ before, after }: ProgressEdit) {
  return before.status_id !== after.status_id
}

function changesResolution({ before, after }: ProgressEdit) {
  return before.resolution_id !== after.resolution_id
}

function changesProgress(edit: ProgressEdit) {
  return changesStatus(edit) || changesResolution(edit) || edit.before.dupe_of_id !== edit.after.dupe_of_id
}

function isOpen({ after, workflow }: ProgressEdit) {
  return workflow.isOpen(after.status_id)
}

function stepOf({ before, after, workflow }: ProgressEdit) {
  return workflow.transition(before.status_id, after.status_id)
}

function noSuchStep(edit: ProgressEdit) {
  return errors.status_change_not_allowed({ from: nameOf(edit, 'before'), to: nameOf(edit, 'after') })
}

function statusOf(edit: ProgressEdit, when: 'before' | 'after'): FieldValue | undefined {
  return edit.workflow.statuses.find((status) => status.id === edit[when].status_id)
}

function nameOf(edit: ProgressEdit, when: 'before' | 'after') {
  return statusOf(edit, when)?.name ?? ''
}

function resolutionOf({ fields, ...edit }: ProgressEdit, when: 'before' | 'after') {
  return fields.valueWithId(edit[when].resolution_id)?.name ?? ''
}
