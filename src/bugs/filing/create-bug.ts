import type { CallContext } from '../../access/call.ts'
import { requireLogin, type SignedIn } from '../../access/caller.ts'
import { textsIn } from '../../access/new-account.ts'
import { writeBugs } from '../../access/write-bugs.ts'
import type { FieldDefinitions } from '../../catalogue/fields/field.ts'
import { keptFields } from '../../catalogue/fields/field-store.ts'
import { readTriageOwnersIn } from '../../catalogue/rotations/triage-owners.ts'
import { keptWorkflow } from '../../catalogue/workflow/workflow-store.ts'
import type { Changes } from '../../changes/audit.ts'
import { type BugEvent, recordEvents } from '../../changes/outbox.ts'
import { type BugChange, recordBugChanges } from '../../changes/record-bug-changes.ts'
import { listUsersByIds } from '../../people/users/user-store.ts'
import { aboutField } from '../../platform/about-field.ts'
import type { BugTransaction } from '../../platform/database/db.ts'
import { errors } from '../../platform/errors.ts'
import { timeNow } from '../../platform/time/clock.ts'
import { insertBug } from '../bug-store.ts'
import { addComment } from '../comments/add-comment.ts'
import { factsOfMentions, saveMentions } from '../comments/mentions/save-mentions.ts'
import { customFieldNamed } from '../custom-values/custom-value.ts'
import { insertCustomValues } from '../custom-values/custom-value-store.ts'
import { addKeywords } from '../editing/bug-keyword-store.ts'
import { addCc } from '../editing/cc-store.ts'
import { lockBugs } from '../editing/lock-bugs.ts'
import { applyFlags } from '../flags/changing/apply-flags.ts'
import { askedLogins, wantedQuestions } from '../flags/questions/wanted-questions.ts'
import { changeDependencies } from '../links/dependencies.ts'
import { changeSeeAlso, type SeeAlsoContext } from '../links/see-also/change-see-also.ts'
import { addBugGroups } from '../rights/bug-groups.ts'
import { requireRoomForNewAccount } from '../rights/new-account-limits.ts'
import { addAliases } from '../values/bug-aliases.ts'
import { CREATE_PARAMS, IGNORED_PARAMS } from './create-params.ts'
import { type PlannedBug, planBug } from './new-bug.ts'
import { type WantedBug, wantedIn } from './wanted-bug.ts'

type FilingContext = Pick<
  CallContext<typeof CREATE_PARAMS>,
  'db' | 'caller' | 'settings' | 'groups' | 'catalogue' | 'versions' | 'baseUrl' | 'params' | 'rawParams'
>

/** The number of the new bug, and what was sent without an effect. */
interface FiledBug {
  id: number
  ignored?: string[]
}

/** Files a bug with all that belongs to it, in one transaction. */
export async function createBug(context: FilingContext): Promise<FiledBug> {
  requireLogin(context.caller)
  const { depends_on, blocks } = context.params
  const hasDependencies = depends_on !== undefined || blocks !== undefined
  return writeBugs(context, (tx, current) =>
    hasDependencies ? tx.transaction(() => file(tx, current), 'links') : file(tx, current),
  )
}

async function file(tx: BugTransaction, context: FilingContext): Promise<FiledBug> {
  const { newBugContext, wanted } = await readRequest(context)
  const { caller, settings, groups, baseUrl } = newBugContext
  const at = timeNow()
  const plan = await planBug(tx, newBugContext, wanted, at)
  await lockBugs(tx, namedIn(plan))
  if (caller.joinedAt !== null) {
    const texts = [plan.row.summary, plan.description.text, ...textsIn(context.rawParams)]
    await requireRoomForNewAccount(tx, { caller, settings }, { kind: 'bugs', count: 1, texts })
  }
  const id = await insertBug(tx, plan.row)
  await addBugGroups(tx, id, plan.groupIds)
  await addAliases(tx, id, plan.aliases)
  await addKeywords(tx, id, plan.keywordIds)
  await addCc(tx, id, plan.ccIds)
  await insertCustomValues(tx, id, plan.custom)
  const description = { bugId: id, userId: caller.id, at, ...plan.description }
  const commentId = await aboutField('description', () => addComment(tx, description))
  const target = {
    bugId: id,
    productId: plan.row.product_id,
    componentId: plan.row.component_id,
    mayConfirm: false,
    asked: await askedIn(tx, plan, caller, wanted),
  }
  const { cc, facts } = await applyFlags(tx, { caller, settings, groups }, target, wanted.flags ?? [], at)
  await addCc(tx, id, cc)
  const others = await linkBugs(tx, { caller, settings, baseUrl }, id, plan, at)
  const said = { ...description, commentIds: new Map([[id, commentId]]) }
  const mentioned = factsOfMentions(await saveMentions(tx, { caller, settings, groups }, said), id)
  await recordEvents(tx, [
    { kind: 'bug.create', bugId: id, who: caller.id, at, facts: { ...mentioned, flags: facts } },
    ...others,
  ])
  return { id, ...(plan.ignored.length > 0 && { ignored: plan.ignored }) }
}

/** The users who are asked about the new bug. */
async function askedIn(tx: BugTransaction, { row }: PlannedBug, { login }: SignedIn, wanted: WantedBug) {
  const questions = wantedQuestions(wanted, true)
  if (questions === undefined) return []
  const { assigned_to_id, qa_contact_id } = row
  const people = await listUsersByIds(tx, [assigned_to_id, ...(qa_contact_id === null ? [] : [qa_contact_id])])
  const loginOf = (id: number | null) => people.find((user) => user.id === id)?.login ?? null
  const assignee = loginOf(assigned_to_id) ?? ''
  return askedLogins(questions, {
    assigned_to: assignee,
    reporter: login,
    qa_contact: loginOf(qa_contact_id),
    triage_owner: questions.role === 'triage_owner' ? await triageOwnerOf(tx, row.component_id) : null,
    user: login,
  })
}

async function triageOwnerOf(tx: BugTransaction, componentId: number) {
  return (await readTriageOwnersIn(tx)).get(componentId)?.login ?? null
}

/** Throws the errors of filing the bug that can be found before anything is written. */
export async function requireFileable(context: FilingContext) {
  const { newBugContext, wanted } = await readRequest(context)
  await planBug(context.db, newBugContext, wanted, timeNow())
}

async function readRequest({ caller, settings, groups, baseUrl, catalogue, params, rawParams }: FilingContext) {
  const fields = await catalogue(keptFields)
  const workflow = await catalogue(keptWorkflow)
  const newBugContext = { caller: requireLogin(caller), settings, groups, baseUrl, fields, workflow }
  requireKnownFields(rawParams, fields)
  return { newBugContext, wanted: wantedIn(params, rawParams) }
}

/** The bugs that the new one names, which change with it. */
function namedIn({ dependsOn, blocks, seeAlso }: PlannedBug): number[] {
  return [...dependsOn, ...blocks, ...seeAlso.flatMap((link) => link.local_bug_id ?? [])]
}

/** Links the new bug to others, writes their history, and returns their events. The new bug itself has no history yet. */
async function linkBugs(
  tx: BugTransaction,
  context: SeeAlsoContext & { caller: SignedIn },
  id: number,
  plan: PlannedBug,
  at: string,
): Promise<BugEvent[]> {
  const who = context.caller.id
  const added = [
    ...plan.dependsOn.map((other) => ({ blocked_id: id, depends_on_id: other })),
    ...plan.blocks.map((other) => ({ blocked_id: other, depends_on_id: id })),
  ]
  const lines = added.length === 0 ? [] : await changeDependencies(tx, { added, removed: [] })
  const others = lines.filter((line) => line.bugId !== id)
  const { mirrored } = await changeSeeAlso(tx, context, { bugId: id, add: plan.seeAlso, remove: [] })
  const history = await recordBugChanges(tx, who, [...others, ...mirrored], at)
  const changed = Map.groupBy([...others, ...mirrored], (line) => line.bugId)
  return [...changed].map(([bugId, lines]) => ({
    kind: 'bug.update',
    bugId,
    who,
    at,
    facts: { changes: changesIn(lines), history: history.get(bugId) ?? [] },
  }))
}

function changesIn(lines: readonly BugChange[]): Changes {
  return Object.fromEntries(lines.map(({ field, removed, added }) => [field, { removed, added }]))
}

/** Refuses unknown fields by name, because a misspelt one would be lost silently. */
function requireKnownFields(rawParams: Readonly<Record<string, unknown>>, fields: FieldDefinitions) {
  const unknown = Object.keys(rawParams).find(
    (name) =>
      !Object.hasOwn(CREATE_PARAMS, name) && !IGNORED_PARAMS.has(name) && customFieldNamed(fields, name) === undefined,
  )
  if (unknown !== undefined) throw errors.unknown_field({ name: unknown })
}
