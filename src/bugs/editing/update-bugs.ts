import type { CallContext } from '../../access/call.ts'
import { requireLogin, type SignedIn } from '../../access/caller.ts'
import { textsIn } from '../../access/new-account.ts'
import { type ViewerParams, viewerOf } from '../../access/visibility/visible-bugs.ts'
import { writeBugs } from '../../access/write-bugs.ts'
import { FIELD_TYPE, type FieldDefinitions } from '../../catalogue/fields/field.ts'
import { keptFields } from '../../catalogue/fields/field-store.ts'
import { keptWorkflow } from '../../catalogue/workflow/workflow-store.ts'
import { aboutField } from '../../platform/about-field.ts'
import type { Settings } from '../../platform/config/settings.ts'
import type { BugTransaction, Db } from '../../platform/database/db.ts'
import { withoutCommit } from '../../platform/database/transactions/without-commit.ts'
import { errors } from '../../platform/errors.ts'
import { isTurnLong, laterTurn } from '../../platform/monitoring/event-loop.ts'
import { masked } from '../../platform/text/masked.ts'
import { timeNow } from '../../platform/time/clock.ts'
import { customFieldNamed } from '../custom-values/custom-value.ts'
import { ownBugAt } from '../links/see-also/see-also.ts'
import { requireUnchanged } from '../reading/revision.ts'
import { requireRoomForNewAccount } from '../rights/new-account-limits.ts'
import { idsOfRefs, missingBugError } from '../values/bug-refs.ts'
import { toApiNames } from '../values/bugzilla-names.ts'
import type { Batch, BugEdit } from './batch/batch.ts'
import { requireBatchWithinLimit } from './batch/batch-size.ts'
import { editorRightsOn } from './batch/editor-rights.ts'
import { finishBatch } from './batch/finish-batch.ts'
import type { BugUpdateResult } from './batch/outcome.ts'
import { type BugState, listVisibleStates } from './bug-state.ts'
import { editAliases } from './fields/edit-aliases.ts'
import { editCustomValues } from './fields/edit-custom-values.ts'
import { editDependencies } from './fields/edit-dependencies.ts'
import { editGroups } from './fields/edit-groups.ts'
import { editKeywords } from './fields/edit-keywords.ts'
import { editLocation } from './fields/edit-location.ts'
import { editCc, editPeople, isolatePeople, resetPeople } from './fields/edit-people.ts'
import { editProgress } from './fields/edit-progress.ts'
import { editPrivacy, editRemark } from './fields/edit-remark.ts'
import { editSeeAlso } from './fields/edit-see-also.ts'
import { editValues } from './fields/edit-values.ts'
import { lockBugs } from './lock-bugs.ts'
import { keptRights, listProductsOfBugs, type ProductRights } from './product-rights.ts'
import { updateParams } from './update-params.ts'

type Step = (tx: BugTransaction, batch: Batch) => Promise<void> | void

/** The steps of a change, in order: each step sees the results of the steps before it. */
const STEPS: readonly Step[] = [
  editLocation,
  ofField('groups', editGroups),
  editDependencies,
  ofField('keywords', editKeywords),
  editRemark,
  ofField('comment_is_private', editPrivacy),
  editValues,
  editPeople,
  editProgress,
  resetPeople,
  ofField('see_also', editSeeAlso),
  editCustomValues,
  ofField('cc', editCc),
  isolatePeople,
  ofField('alias', editAliases),
]

function ofField(field: string, step: Step): Step {
  return (tx, batch) => aboutField(field, () => step(tx, batch))
}

/** The steps for so many bugs take no time worth measuring. */
const FEW_BUGS = 20

export type UpdateContext = Pick<
  CallContext<typeof updateParams>,
  'db' | 'caller' | 'settings' | 'groups' | 'catalogue' | 'versions' | 'baseUrl' | 'params' | 'rawParams' | 'ifMatch'
>

/** Makes the same changes to several bugs: to all of them, or to none if one fails. */
export async function updateBugs(context: UpdateContext, refs: readonly string[]) {
  return presentUpdate(await makeUpdate(context, refs))
}

/** The same, with what the response does not have. */
export async function makeUpdate(context: UpdateContext, refs: readonly string[]): Promise<MadeUpdate> {
  requireLogin(context.caller)
  if (refs.length === 0) throw errors.parameter_required({ name: 'ids' })
  toApiNames(context.params)
  requireBatchWithinLimit(refs.length, context)
  const change = (tx: BugTransaction, current: UpdateContext) => changeBugs(tx, current, refs)
  const {
    outcomes,
    ignored,
    keepRights: rememberRights,
  } = await (context.params.dry_run ? dryRun : writeBugs)(context, change)
  rememberRights()
  return { outcomes, ignored }
}

export function presentUpdate({ outcomes, ignored }: MadeUpdate) {
  return { bugs: outcomes.map(presentOutcome), ...(ignored.size > 0 && { ignored: [...ignored].map(masked).sort() }) }
}

export interface MadeUpdate {
  outcomes: readonly BugUpdateResult[]
  /** Names of parameters without effect. */
  ignored: ReadonlySet<string>
}

/** The result of a change. */
interface UpdateResult extends MadeUpdate {
  /** Call it after the transaction has ended. */
  keepRights(): void
}

async function changeBugs(tx: BugTransaction, context: UpdateContext, refs: readonly string[]): Promise<UpdateResult> {
  const editor = requireLogin(context.caller)
  const catalogue = { fields: await context.catalogue(keptFields), workflow: await context.catalogue(keptWorkflow) }
  const rights = await context.catalogue(keptRights)
  const ignored = new Set(unknownParams(context, catalogue.fields))
  const change = async (): Promise<UpdateResult> => {
    const batch = { ...(await lockBatch(tx, context, editor, rights, refs)), ...catalogue, ignored }
    // Products that are not editable have failed the change before this line.
    const products = batch.edits.map(({ product }) => ({ ...product, isEditable: true }))
    const isLong = batch.edits.length > FEW_BUGS
    for (const step of STEPS) {
      const pending = step(tx, batch)
      if (pending !== undefined) await pending
      if (isLong && isTurnLong()) await laterTurn()
    }
    if (editor.joinedAt !== null) await requireRoomFor(tx, batch)
    const outcomes = await finishBatch(tx, batch)
    return { outcomes, ignored, keepRights: () => rights.note(editor, context.settings, products) }
  }
  return linksBugs(context, catalogue.fields) ? tx.transaction(change, 'links') : change()
}

/** New accounts are limited in their comments, and in the words that they write. */
function requireRoomFor(tx: BugTransaction, { editor, settings, rawParams, remark, edits }: Batch) {
  const texts = [remark?.text, ...textsIn(rawParams)]
  const count = remark === undefined || remark.text === '' ? 0 : edits.length
  return requireRoomForNewAccount(tx, { caller: editor, settings }, { kind: 'comments', count, texts })
}

/** A misspelt parameter changes nothing, so the response lists it. */
function unknownParams({ rawParams }: UpdateContext, fields: FieldDefinitions): string[] {
  const isKnown = (name: string) =>
    Object.hasOwn(updateParams, name) || SELECTION.includes(name) || customFieldNamed(fields, name) !== undefined
  return Object.keys(rawParams).filter((name) => !isKnown(name))
}

/** Parameters that every call accepts. */
const SELECTION = ['include_fields', 'exclude_fields']

/** Whether the change could close a circle of links through bugs that it does not lock. */
function linksBugs({ params, rawParams }: UpdateContext, fields: FieldDefinitions) {
  const isBugField = (name: string) => customFieldNamed(fields, name)?.type === FIELD_TYPE.bugId
  const links = [params.depends_on, params.blocks, params.dupe_of]
  return links.some((link) => link !== undefined) || Object.keys(rawParams).some(isBugField)
}

type Change = (tx: BugTransaction, current: UpdateContext) => Promise<UpdateResult>

/** Makes the change and rolls it back, so that the result is exactly that of a real change. */
function dryRun(context: UpdateContext, change: Change): Promise<UpdateResult> {
  return withoutCommit((finish) => writeBugs(context, async (tx, current) => finish(await change(tx, current))))
}

type LockedBatch = Omit<Batch, 'fields' | 'workflow' | 'ignored'>

/**
 * Locks the bugs and all others that the change names, before it reads anything that the change depends on. Then checks that the
 * caller sees the bugs and may change them.
 */
async function lockBatch(
  tx: Db,
  context: UpdateContext,
  editor: SignedIn,
  rights: ProductRights,
  refs: readonly string[],
): Promise<LockedBatch> {
  const { settings, groups, params, rawParams, baseUrl } = context
  const named = await idsOfRefs(tx, [...refs, ...refsIn(context)])
  await lockBugs(
    tx,
    [...named.values()].flatMap((id) => id ?? []),
  )
  const bugs = await requireStates(tx, settings, viewerOf(editor), named, refs)
  requireUnchanged(context.ifMatch, bugs)
  const productIds = bugs.map((bug) => bug.product_id)
  const products =
    rights.of(editor, settings, productIds) ?? (await listProductsOfBugs(tx, editor, settings, productIds))
  const edits = bugs.map((before): BugEdit => {
    const product = products.get(before.product_id)
    if (!product?.isEditable) throw errors.product_not_editable({ product: before.product })
    return { before, after: { ...before }, rights: editorRightsOn({ editor, settings }, before, product), product }
  })
  const at = timeNow()
  return {
    editor,
    settings,
    groups,
    baseUrl,
    at,
    params,
    rawParams,
    edits,
    remark: undefined,
    privacy: [],
    lines: [],
    mirrored: [],
  }
}

/** The bugs in the order of the references, each once. Throws the error of the first that the caller cannot see. */
async function requireStates(
  tx: Db,
  settings: Settings,
  viewer: ViewerParams,
  ids: ReadonlyMap<string, number | undefined>,
  refs: readonly string[],
): Promise<BugState[]> {
  const wanted = new Set(refs.flatMap((ref) => ids.get(ref) ?? []))
  const states = new Map((await listVisibleStates(tx, settings, viewer, [...wanted])).map((bug) => [bug.id, bug]))
  const isThere = (id: number | undefined) => id !== undefined && states.has(id)
  const missing = refs.find((ref) => !isThere(ids.get(ref)))
  if (missing !== undefined) throw await missingBugError(tx, missing, ids.get(missing))
  return [...wanted].map((id) => states.get(id) as BugState)
}

/** The other bugs that a change names. */
function refsIn({ params, baseUrl }: UpdateContext): string[] {
  const { depends_on, blocks, dupe_of, see_also } = params
  const listed = [depends_on, blocks].flatMap((it) => [it?.add ?? [], it?.remove ?? [], it?.set ?? []].flat())
  const links = [see_also?.add ?? [], see_also?.remove ?? []].flat()
  const linked = links.flatMap((link) => (/[/:]/.test(link) ? (ownBugAt(link, baseUrl)?.toString() ?? []) : link))
  return [...listed, dupe_of ?? [], ...linked].flat()
}

function presentOutcome({ id, aliases, changedAt, changes }: BugUpdateResult) {
  return { id, alias: aliases, last_change_time: changedAt, changes }
}
