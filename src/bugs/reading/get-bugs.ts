import type { CallContext } from '../../access/call.ts'
import { isSignedIn } from '../../access/caller.ts'
import { keptUpdateTokenSecret } from '../../access/installation-secrets.ts'
import { viewerOf } from '../../access/visibility/visible-bugs.ts'
import { keptFields } from '../../catalogue/fields/field-store.ts'
import { readTriageOwners } from '../../catalogue/rotations/triage-owners.ts'
import { keptWorkflow } from '../../catalogue/workflow/workflow-store.ts'
import type { Db } from '../../platform/database/db.ts'
import { type ApiError, errors } from '../../platform/errors.ts'
import { laterTurn } from '../../platform/monitoring/event-loop.ts'
import type { FieldSelection } from '../../platform/wire/field-selection.ts'
import { wholeOrPieces } from '../../platform/wire/json/json-pieces.ts'
import { WrittenJson } from '../../platform/wire/json/json-text.ts'
import { idIn } from '../../platform/wire/reference.ts'
import { bugUserOf } from '../values/bug-names.ts'
import { idsOfRefs, missingBugError, missingBugErrors, visibleAmong } from '../values/bug-refs.ts'
import { discussionOf } from './bug-discussion.ts'
import { partsFor } from './bug-fields.ts'
import { type BugReadContext, bugText, joined } from './bug-json.ts'
import type { BugView } from './bug-view.ts'
import { type BugQuery, type BugReadState, findBugView, keptReadState, listBugViews } from './bug-view-store.ts'
import { discussionSteps, isDiscussed } from './discussion-steps.ts'
import { revisionOf } from './revision.ts'
import { updateTokenFor } from './update-token.ts'

/** The requested bugs, in the order of the references, each once. A missing bug fails the call, or becomes a fault with `permissive`. */
export async function getBugs(context: CallContext, refs: readonly string[], isPermissive: boolean) {
  if (refs.length === 0) throw errors.parameter_required({ name: 'ids' })
  if (refs.length > MOST_BUGS_AT_ONCE || isDiscussed(context.select)) return getManyBugs(context, refs, isPermissive)
  return getFewBugs(context, refs, isPermissive)
}

/** The number of bugs that are read at once. */
export const MOST_BUGS_AT_ONCE = 100

/** The same for a few bugs without their discussion. */
export async function getFewBugs(
  context: CallContext,
  refs: readonly string[],
  isPermissive: boolean,
): Promise<WrittenJson> {
  const known = bugReadContext(context)
  const readContext = known instanceof Promise ? await known : known
  const only = refs.length === 1 ? idIn(refs[0] as string) : undefined
  const view = only === undefined ? undefined : await findBugView(bugQueryOf(context, readContext), only)
  if (view !== undefined) return written(context, readContext, [view], [])
  const ids = await idsOfRefs(context.db, refs)
  const found = [...ids.values()].flatMap((id) => id ?? [])
  const views = new Map((await viewsOf(context, readContext, found)).map((view) => [view.id, view]))
  const faults = await faultsOf(context.db, ids, views, isPermissive)
  const shown = [...new Set(found)].flatMap((id) => views.get(id) ?? [])
  return written(context, readContext, shown, faults)
}

function written(
  context: CallContext,
  readContext: BugReadContext,
  views: readonly BugView[],
  faults: readonly object[],
): WrittenJson | Promise<WrittenJson> {
  const [only, ...more] = views
  if (only !== undefined && more.length === 0) context.answerHeaders.ETag = revisionOf(only)
  const token = tokensFor(context, readContext)
  // The secret is nearly always in memory, and an await would cost time.
  if (!(token instanceof Promise)) return writtenWith(readContext, views, faults, token)
  return token.then((token) => writtenWith(readContext, views, faults, token))
}

function writtenWith(
  readContext: BugReadContext,
  views: readonly BugView[],
  faults: readonly object[],
  token: (view: BugView) => string,
) {
  let bugs = ''
  for (const view of views) {
    const bug = joined(bugText(view, readContext), token(view))
    bugs += bugs === '' ? `{${bug}}` : `,{${bug}}`
  }
  return new WrittenJson(`{"bugs":[${bugs}],"faults":${faults.length === 0 ? '[]' : JSON.stringify(faults)}}`)
}

/** Reads many bugs, or bugs with their discussion, a few at a time. */
async function getManyBugs(context: CallContext, refs: readonly string[], isPermissive: boolean) {
  const { db, settings, caller } = context
  const ids = await idsOfRefs(db, refs)
  const found = [...new Set(ids.values())].flatMap((id) => id ?? [])
  const visible = await visibleAmong(db, settings, viewerOf(caller), found)
  const faults = await faultsOf(db, ids, visible, isPermissive)
  const shown = found.filter((id) => visible.has(id))
  const readContext = await bugReadContext(context)
  const [only, ...more] = shown
  const view =
    only === undefined || more.length > 0 ? undefined : await findBugView(bugQueryOf(context, readContext), only)
  if (view !== undefined) context.answerHeaders.ETag = revisionOf(view)
  return wholeOrPieces(writtenInPieces(context, readContext, shown, faults), context.request.memory)
}

async function* writtenInPieces(
  context: CallContext,
  readContext: NamedBugContext,
  ids: readonly number[],
  faults: readonly object[],
) {
  const token = await tokensFor(context, readContext)
  let before = '{"bugs":['
  let isFirst = true
  for await (const { ids: some, commentsAtOnce } of discussionSteps(context, ids, MOST_BUGS_AT_ONCE)) {
    if (!isFirst) await laterTurn()
    isFirst = false
    const views = new Map((await viewsOf(context, readContext, some)).map((view) => [view.id, view]))
    const discussion = await discussionOf(context, [...views.keys()], { commentsAtOnce })
    for (const id of some) {
      const view = views.get(id)
      // The bug was hidden in the meantime.
      if (view === undefined) continue
      const bug = joined(bugText(view, readContext), token(view))
      const pieces = discussion(id)
      yield `${before}{${bug}${bug === '' || pieces === undefined ? '' : ','}`
      if (pieces !== undefined) yield* pieces
      before = '},'
    }
  }
  yield `${before === '},' ? '}' : before}],"faults":${JSON.stringify(faults)}}`
}

/** The missing bugs as faults. Throws the error of the first one unless the call is permissive. */
async function faultsOf(
  db: Db,
  ids: ReadonlyMap<string, number | undefined>,
  seen: { has(id: number): boolean },
  isPermissive: boolean,
) {
  const missing = [...ids].filter(([, id]) => id === undefined || !seen.has(id))
  const [first] = missing
  if (first === undefined) return []
  if (!isPermissive) throw await missingBugError(db, ...first)
  const reasons = await missingBugErrors(db, missing)
  return reasons.map((why, index) => {
    const ref = missing[index]?.[0] ?? ''
    return faultOf(faultId(ref), why)
  })
}

/** A bug that is left out of a response, with the reason. */
export function faultOf(id: number | string, { code, message, reason }: ApiError) {
  return { id, faultCode: code, faultString: message, reason }
}

/** The id of a fault: a number, or the alias as it was sent. */
function faultId(ref: string): number | string {
  return /^\s*\d+\s*$/.test(ref) && Number.isSafeInteger(Number(ref)) ? Number(ref) : ref
}

/** What is needed to read bugs and to present them to the caller. */
export function bugReadContext(
  context: Pick<CallContext, 'caller' | 'settings' | 'select' | 'catalogue' | 'db'>,
): NamedBugContext | Promise<NamedBugContext> {
  if (wantsTriageOwner(context.select)) return contextWithTriageOwners(context)
  return contextOfFields(context)
}

function wantsTriageOwner(select: FieldSelection) {
  return select.wants('triage_owner', 'extra') || select.wants('triage_owner_detail', 'extra')
}

async function contextWithTriageOwners(
  context: Pick<CallContext, 'caller' | 'settings' | 'select' | 'catalogue' | 'db'>,
): Promise<NamedBugContext> {
  const owners = await readTriageOwners(context)
  const people = [...owners].map(([id, owner]) => [id, bugUserOf(owner)] as const)
  return { ...(await contextOfFields(context)), triageOwners: new Map(people) }
}

function contextOfFields(
  context: Pick<CallContext, 'caller' | 'settings' | 'select' | 'catalogue'>,
): NamedBugContext | Promise<NamedBugContext> {
  const { caller, settings, select, catalogue } = context
  const [fields, workflow, state] = [catalogue(keptFields), catalogue(keptWorkflow), catalogue(keptReadState)]
  // All three are nearly always in memory, and an await would cost time.
  if (!(fields instanceof Promise) && !(workflow instanceof Promise) && !(state instanceof Promise))
    return { caller, settings, select, fields, workflow, state }
  return Promise.all([fields, workflow, state]).then(([fields, workflow, state]) => ({
    caller,
    settings,
    select,
    fields,
    workflow,
    state,
  }))
}

type NamedBugContext = BugReadContext & { state: BugReadState }

/** The requested parts of the bugs that the caller may see, in no particular order. */
export async function viewsOf(
  context: ReaderContext,
  readContext: NamedBugContext,
  ids: readonly number[],
): Promise<BugView[]> {
  const [only] = ids
  if (ids.length !== 1 || only === undefined) return listBugViews(bugQueryOf(context, readContext), ids)
  const view = await findBugView(bugQueryOf(context, readContext), only)
  return view === undefined ? [] : [view]
}

type ReaderContext = Pick<CallContext, 'db' | 'caller' | 'settings'>

export function bugQueryOf({ db, caller, settings }: ReaderContext, readContext: NamedBugContext): BugQuery {
  return { db, rules: settings, viewer: viewerOf(caller), parts: partsOf(readContext), state: readContext.state }
}

function partsOf({ select, fields }: BugReadContext) {
  return partsFor(
    select,
    fields.custom.some(({ name }) => select.wants(name, 'custom')),
  )
}

/** Returns a function that writes the field `update_token`, or nothing if it is not requested. */
function tokensFor({ catalogue, caller }: CallContext, { select }: BugReadContext) {
  if (!isSignedIn(caller) || !select.wants('update_token')) return () => ''
  const secret = catalogue(keptUpdateTokenSecret)
  const tokens = (secret: string) => (view: BugView) => `"update_token":"${updateTokenFor(secret, caller.id, view)}"`
  return typeof secret === 'string' ? tokens(secret) : secret.then(tokens)
}
