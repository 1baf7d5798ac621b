import { isInsider } from '../../access/visibility/reader-rights.ts'
import { viewerOf } from '../../access/visibility/visible-bugs.ts'
import type { FieldDefinitions, FieldValue } from '../../catalogue/fields/field.ts'
import { visibleCatalogue } from '../../catalogue/fields/field-reader.ts'
import { listKeywords } from '../../catalogue/keywords/keyword-store.ts'
import { UNCONFIRMED } from '../../catalogue/workflow/workflow.ts'
import { findUserByLogin, listUsersByLogins, noSuchUser } from '../../people/users/user-store.ts'
import { aboutField } from '../../platform/about-field.ts'
import type { Db } from '../../platform/database/db.ts'
import { errors } from '../../platform/errors.ts'
import { enforce } from '../../platform/rule.ts'
import { fold } from '../../platform/text/fold.ts'
import type { NewBugRow } from '../bug-store.ts'
import { isBlank } from '../comments/comment.ts'
import { newCommentRules } from '../comments/comment-rules.ts'
import { wantedTags } from '../comments/tags/requested-tags.ts'
import { type CustomValues, customFieldsOf, emptyMandatoryFields } from '../custom-values/custom-value.ts'
import { readCustomValues } from '../custom-values/read-custom-values.ts'
import { requireFilled } from '../custom-values/require-filled.ts'
import { linksIn } from '../links/see-also/change-see-also.ts'
import type { SeeAlso } from '../links/see-also/see-also-store.ts'
import { groupsOfNewBug, listControlledGroups } from '../rights/bug-groups.ts'
import { requireIsolation, rolesIn } from '../rights/strict-isolation.ts'
import { aliasesIn, requireAliases } from '../values/bug-aliases.ts'
import {
  type BugComponent,
  type BugProduct,
  getBugComponent,
  getBugMilestone,
  getBugVersion,
  getEnterableProduct,
} from '../values/bug-location.ts'
import { requireVisibleBugs } from '../values/bug-refs.ts'
import { deadlineIn, fieldLineIn, hoursIn, LINE_FIELDS, type LineField, valueIn } from '../values/bug-values.ts'
import { ignoredIn, mayChoose } from './choosable-fields.ts'
import { choicesOf } from './default-choices.ts'
import { initialStatus } from './initial-status.ts'
import type { NewBugContext, WantedBug } from './wanted-bug.ts'

/** A bug that can be filed. */
export interface PlannedBug {
  row: NewBugRow
  groupIds: number[]
  aliases: string[]
  keywordIds: number[]
  ccIds: number[]
  custom: CustomValues
  description: { text: string; isPrivate: boolean; isMarkdown: boolean; tags: string[] }
  dependsOn: number[]
  blocks: number[]
  seeAlso: SeeAlso[]
  /** What was sent without an effect. */
  ignored: string[]
}

/** Builds the new bug from the request where the caller may choose, and from defaults elsewhere. Throws the first error. */
export async function planBug(tx: Db, context: NewBugContext, wanted: WantedBug, at: string): Promise<PlannedBug> {
  const { caller, settings, fields } = context
  const choices = choicesOf(context, wanted)
  if (!wanted.product) throw errors.parameter_required({ name: 'product', field: 'product' })
  const product = await getEnterableProduct(tx, caller, settings, wanted.product)
  const component = await getBugComponent(tx, product, wanted.component ?? '')
  const version = await getBugVersion(tx, product, wanted.version)
  const summary = linesOf(wanted, isRequiredLine)
  const values = choices()
  const state = stateOf(context, product, wanted)
  const milestoneId = await milestoneIdOf(tx, product, wanted.target_milestone)
  const people = await peopleOf(tx, context, product, component, wanted)
  const otherLines = linesOf(wanted, (field) => !isRequiredLine(field))
  const row: NewBugRow = {
    product_id: product.id,
    component_id: component.id,
    version_id: version.id,
    milestone_id: milestoneId,
    status_id: state.status.id,
    resolution_id: state.resolution.id,
    is_confirmed: state.status.name === UNCONFIRMED ? 0 : 1,
    creator_id: caller.id,
    created_at: at,
    changed_at: at,
    is_cc_accessible: wanted.is_cc_accessible === false ? 0 : 1,
    is_creator_accessible: wanted.is_creator_accessible === false ? 0 : 1,
    restrict_comments: 0,
    dupe_of_id: null,
    // Last: V8 defines each name that follows a spread by itself.
    ...values,
    ...people,
    ...summary,
    ...otherLines,
    ...timesOf(context, product, wanted),
  }
  const groups = groupsOfNewBug(await listControlledGroups(tx, product.id), caller.groups, wanted.groups)
  const aliases = aliasesIn(wanted.alias)
  requireAliases(aliases)
  const catalogue = visibleCatalogue({ db: tx, caller, settings })
  const custom = await readCustomValues(tx, { ...context, catalogue }, wanted.custom)
  const empty = emptyMandatoryFields(
    customFieldsOf(fields).filter((field) => field.is_on_bug_entry === 1),
    fields,
    { ...row, classification_id: product.classification_id },
    custom,
  )
  if (empty.length > 0) await requireFilled(empty, fields, catalogue)
  const ccIds = [
    ...new Set([...component.defaultCcIds, ...(await aboutField('cc', () => ccIdsOf(tx, wanted.cc ?? [])))]),
  ]
  await requireIsolation(tx, context, product.id, rolesIn(row, ccIds))
  return {
    row,
    groupIds: groups.map(({ id }) => id),
    aliases,
    keywordIds: await aboutField('keywords', () => keywordIdsOf(tx, wanted.keywords ?? [])),
    ccIds,
    custom,
    description: descriptionOf(context, wanted),
    dependsOn: await othersIn(tx, context, product, wanted, 'depends_on'),
    blocks: await othersIn(tx, context, product, wanted, 'blocks'),
    seeAlso: await aboutField('see_also', () => linksIn(tx, context, wanted.see_also ?? [])),
    ignored: ignoredIn(context, product, wanted),
  }
}

function isRequiredLine({ line }: LineField) {
  return 'isRequired' in line
}

function linesOf(wanted: WantedBug, isWanted: (field: LineField) => boolean) {
  return Object.fromEntries(
    LINE_FIELDS.filter(isWanted).map((field) => [field.column, fieldLineIn(field, wanted[field.name])]),
  ) as Record<LineField['column'], string>
}

/** Status and resolution. A caller who may not choose the status may not choose the resolution either. */
function stateOf(context: NewBugContext, product: BugProduct, wanted: WantedBug) {
  const { fields, workflow, settings } = context
  const { status, commentRequired } = initialStatus({
    workflow,
    hasUnconfirmed: product.has_unconfirmed === 1,
    mayChoose: mayChoose('status', context, product),
    wanted: wanted.status === undefined ? undefined : valueIn(fields, 'bug_status', wanted.status),
  })
  const isChosen = mayChoose('resolution', context, product) && wanted.resolution
  const resolution = isChosen ? valueIn(fields, 'resolution', isChosen) : undefined
  requireResolution(status, resolution)
  if (isBlank(wanted.description)) {
    if (commentRequired) throw errors.status_needs_description({ status: status.name })
    if (resolution && settings.commentonchange_resolution) throw errors.resolution_needs_description()
  }
  return { status, resolution: resolution ?? noResolution(fields) }
}

const DUPLICATE = 'DUPLICATE'

/** An open bug has no resolution and a closed bug has one. Only an existing bug can be marked as a duplicate. */
function requireResolution(status: FieldValue, resolution: FieldValue | undefined) {
  if (status.is_open === 1) {
    if (resolution) throw errors.resolution_not_allowed()
    return
  }
  if (!resolution) throw errors.resolution_required({ status: status.name })
  if (resolution.name === DUPLICATE) throw errors.duplicate_needs_target()
}

function noResolution(fields: FieldDefinitions): FieldValue {
  return fields.valuesOf('resolution').find((value) => value.name === '') as FieldValue
}

async function milestoneIdOf(tx: Db, product: BugProduct, name: string | undefined) {
  if (name === undefined) return product.default_milestone_id
  return (await getBugMilestone(tx, product, name)).id
}

/** Assignee and QA contact. Only users with editbugs may choose others than the defaults of the component. */
async function peopleOf(
  tx: Db,
  context: NewBugContext,
  product: BugProduct,
  component: BugComponent,
  wanted: WantedBug,
) {
  const chosen = async (field: 'assigned_to' | 'qa_contact') => {
    const login = mayChoose(field, context, product) ? wanted[field] : undefined
    if (!login) return undefined
    return aboutField(field, async () => ((await findUserByLogin(tx, login)) ?? noSuchUser(login)).id)
  }
  return {
    assigned_to_id: (await chosen('assigned_to')) ?? component.default_assignee_id,
    qa_contact_id: (await chosen('qa_contact')) ?? component.default_qa_contact_id,
  }
}

async function ccIdsOf(tx: Db, logins: readonly string[]): Promise<number[]> {
  if (logins.length === 0) return []
  const byKey = new Map((await listUsersByLogins(tx, logins)).map((user) => [fold(user.login), user.id]))
  return logins.map((login) => {
    const id = byKey.get(fold(login.trim()))
    if (id === undefined) throw errors.no_such_user_to_copy({ login })
    return id
  })
}

async function keywordIdsOf(tx: Db, names: readonly string[]): Promise<number[]> {
  if (names.length === 0) return []
  const byKey = new Map((await listKeywords(tx)).map((keyword) => [fold(keyword.name), keyword.id]))
  return names.map((name) => {
    const id = byKey.get(fold(name.trim()))
    if (id === undefined) throw errors.no_such_object({ what: 'keyword', ref: name })
    return id
  })
}

async function othersIn(
  tx: Db,
  context: NewBugContext,
  product: BugProduct,
  wanted: WantedBug,
  field: 'depends_on' | 'blocks',
) {
  const refs = mayChoose(field, context, product) ? wanted[field] : undefined
  if (refs === undefined || refs.length === 0) return []
  return aboutField(field, () => requireVisibleBugs(tx, context.settings, viewerOf(context.caller), refs))
}

function timesOf(context: NewBugContext, product: BugProduct, wanted: WantedBug) {
  const hours = mayChoose('estimated_time', context, product) ? wanted.estimated_time : undefined
  const hundredths = hours ? hoursIn('estimated_time', hours) : 0
  const deadline = mayChoose('deadline', context, product) ? deadlineIn(wanted.deadline) : null
  return { deadline, estimated_hundredths: hundredths, remaining_hundredths: hundredths }
}

function descriptionOf({ caller, settings }: NewBugContext, wanted: WantedBug) {
  const isPrivate = wanted.comment_is_private ?? false
  if (isPrivate && !isInsider(caller, settings)) throw errors.not_an_insider({ field: 'comment_is_private' })
  const isMarkdown = wanted.is_markdown ?? false
  enforce(newCommentRules, { isMarkdown, settings })
  const tags = aboutField('comment_tags', () => wantedTags({ caller, settings }, wanted.comment_tags))
  return { text: wanted.description, isPrivate, isMarkdown, tags }
}
