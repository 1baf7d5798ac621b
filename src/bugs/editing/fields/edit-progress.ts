import { viewerOf } from '../../../access/visibility/visible-bugs.ts'
import type { FieldValue } from '../../../catalogue/fields/field.ts'
import { UNCONFIRMED } from '../../../catalogue/workflow/workflow.ts'
import { aboutField } from '../../../platform/about-field.ts'
import type { Db } from '../../../platform/database/db.ts'
import { errors } from '../../../platform/errors.ts'
import { enforce } from '../../../platform/rule.ts'
import { type BugProgress, DUPLICATE, type ProgressEdit, progressRules } from '../../bug-rules.ts'
import { listBugsWithStatus, listDuplicateChain } from '../../links/duplicate-store.ts'
import { idsOfRefs, requireVisibleBugs } from '../../values/bug-refs.ts'
import { valueIn } from '../../values/bug-values.ts'
import { type Batch, type BugEdit, hasComment } from '../batch/batch.ts'
import { productsWithMilestones } from './location-store.ts'

/** Changes status, resolution and dupe_of, which depend on each other. */
export async function editProgress(tx: Db, batch: Batch) {
  const { params, edits } = batch
  if (params.status === undefined && params.resolution === undefined && params.dupe_of === undefined) return
  const target = await aboutField('dupe_of', () => duplicateTarget(tx, batch))
  const requested = edits.map((edit) => ({ edit, progress: progressAfter(batch, edit, target) }))
  const factsFor = await readFacts(tx, batch, target)
  for (const { edit, progress } of requested) {
    enforce(progressRules, { ...factsFor(edit), before: edit.before, after: progress })
    applyProgress(batch, edit, progress)
  }
}

/** The bug in dupe_of. The caller must be able to see it, unless the bug already is a duplicate of it. */
async function duplicateTarget(tx: Db, { params, edits, editor, settings }: Batch): Promise<number | undefined> {
  const ref = params.dupe_of?.trim()
  if (ref === undefined) return undefined
  if (ref === '') throw errors.parameter_required({ name: 'dupe_of' })
  const [edit, ...more] = edits
  if (more.length > 0) throw errors.one_at_a_time({ name: 'dupe_of', what: 'bug' })
  const known = (await idsOfRefs(tx, [ref])).get(ref)
  if (known !== undefined && known === edit?.before.dupe_of_id) return known
  const [id] = await requireVisibleBugs(tx, settings, viewerOf(editor), [ref])
  return id
}

/** The requested progress of the bug. The rules check it afterwards. */
function progressAfter(batch: Batch, { before }: BugEdit, target: number | undefined): BugProgress {
  const { params, fields } = batch
  const status =
    params.status === undefined ? undefined : valueIn(fields, 'bug_status', params.status, before.status_id)
  const moved = status === undefined ? progressOf(before) : withStatus(batch, before, status)
  const resolved =
    params.resolution === undefined || status?.is_open === 1 ? moved : withResolution(batch, moved, params.resolution)
  const isMarked = target !== undefined && target !== before.dupe_of_id
  return isMarked ? asDuplicate(batch, before, resolved, target) : resolved
}

function progressOf({ status_id, resolution_id, is_confirmed, dupe_of_id }: BugProgress): BugProgress {
  return { status_id, resolution_id, is_confirmed, dupe_of_id }
}

/** An open bug has no resolution, and whether it is confirmed follows from its status. */
function withStatus(batch: Batch, before: BugProgress, status: FieldValue): BugProgress {
  if (status.is_open !== 1) return { ...progressOf(before), status_id: status.id }
  return {
    status_id: status.id,
    resolution_id: resolutionNamed(batch, '').id,
    is_confirmed: status.name === UNCONFIRMED ? 0 : 1,
    dupe_of_id: null,
  }
}

/** A bug that gets a resolution other than DUPLICATE is no longer a duplicate. */
function withResolution({ fields, workflow }: Batch, progress: BugProgress, input: string): BugProgress {
  if (input.trim() === '' && !workflow.isOpen(progress.status_id))
    throw errors.resolution_required({ status: fields.valueWithId(progress.status_id)?.name ?? '' })
  const resolution = valueIn(fields, 'resolution', input, progress.resolution_id)
  const dupe_of_id = resolution.name === DUPLICATE ? progress.dupe_of_id : null
  return { ...progress, resolution_id: resolution.id, dupe_of_id }
}

/** A closed bug whose resolution is DUPLICATE keeps its status. Any other bug gets the status of duplicates. */
function asDuplicate(batch: Batch, before: BugProgress, progress: BugProgress, target: number): BugProgress {
  const duplicate = resolutionNamed(batch, DUPLICATE)
  const isClosed = !batch.workflow.isOpen(progress.status_id)
  if (isClosed && progress.resolution_id === duplicate.id) return { ...progress, dupe_of_id: target }
  const status = batch.workflow.statusNamed(batch.settings.duplicate_or_move_bug_status)
  return {
    status_id: status?.id ?? progress.status_id,
    resolution_id: duplicate.id,
    is_confirmed: before.is_confirmed,
    dupe_of_id: target,
  }
}

function resolutionNamed({ fields }: Batch, name: string): FieldValue {
  return fields.valuesOf('resolution').find((value) => value.name === name) as FieldValue
}

type ProgressFacts = Omit<ProgressEdit, 'before' | 'after'>

/** The other facts that the rules need, read for all bugs at once and only if a rule needs them. */
async function readFacts(tx: Db, batch: Batch, target: number | undefined) {
  const { edits, settings, workflow, fields, params } = batch
  const isAsked = target !== undefined
  const chain = isAsked ? await listDuplicateChain(tx, target) : []
  const withMilestones = settings.musthavemilestoneonaccept
    ? await productsWithMilestones(tx, [...new Set(edits.map(({ after }) => after.product_id))])
    : new Set<number>()
  const openStatuses = workflow.statuses.filter((status) => status.is_open === 1).map(({ id }) => id)
  const open = settings.noresolveonopenblockers
    ? await listBugsWithStatus(tx, [...new Set(edits.flatMap(({ after }) => after.depends_on))], openStatuses)
    : new Set<number>()
  return ({ before, after, rights, product }: BugEdit): ProgressFacts => ({
    bugId: before.id,
    workflow,
    fields,
    settings,
    rights,
    isMarkedDuplicate: isAsked && target !== before.dupe_of_id,
    asksForResolution: params.resolution !== undefined,
    hasComment: hasComment(batch),
    productHasUnconfirmed: product.has_unconfirmed === 1,
    lacksMilestone: withMilestones.has(after.product_id) && after.milestone_id === product.default_milestone_id,
    dependsOnOpenBugs: after.depends_on.some((id) => open.has(id)),
    duplicateChain: chain,
  })
}

/** A bug that is closed or becomes a duplicate has no remaining time. */
function applyProgress(batch: Batch, { before, after }: BugEdit, progress: BugProgress) {
  const isClosed = before.status_id !== progress.status_id && !batch.workflow.isOpen(progress.status_id)
  const duplicate = resolutionNamed(batch, DUPLICATE).id
  const isDuplicate = progress.resolution_id === duplicate && before.resolution_id !== duplicate
  if (isClosed || isDuplicate) after.remaining_hundredths = 0
  Object.assign(after, progress)
}
