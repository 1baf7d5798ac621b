import type { Asked } from '../access/call.ts'
import { isSignedIn } from '../access/caller.ts'
import { viewerOf } from '../access/visible-bugs.ts'
import { keptFields } from '../catalogue/fields/field-store.ts'
import { keptWorkflow } from '../catalogue/workflow/workflow-store.ts'
import type { Db } from '../platform/database/db.ts'
import { errors } from '../platform/errors.ts'
import { WrittenJson } from '../platform/wire/json-text.ts'
import { idIn } from '../platform/wire/reference.ts'
import { discussionOf, isDiscussed } from './bug-discussion.ts'
import { partsFor } from './bug-fields.ts'
import { type BugScene, bugText, joined } from './bug-json.ts'
import { type BugNames, keptNames } from './bug-names.ts'
import { idsOfRefs, whyNoneIsThere, whyNotThere } from './bug-refs.ts'
import type { BugView } from './bug-view.ts'
import { findBugView, listBugViews, type Sight } from './bug-view-store.ts'
import { revisionOf } from './revision.ts'
import { updateTokenFor, updateTokenSecret } from './update-token.ts'

/** The bugs that were asked for, in that order and each once. One that is not there fails the call, or is a fault with `permissive`. */
export async function getBugs(asked: Asked, refs: readonly string[], isPermissive: boolean): Promise<WrittenJson> {
  if (refs.length === 0) throw errors.parameter_required({ name: 'ids' })
  const known = sceneOf(asked)
  const scene = known instanceof Promise ? await known : known
  const only = refs.length === 1 ? idIn(refs[0] as string) : undefined
  const view = only === undefined ? undefined : await findBugView(sightOf(asked, scene), only)
  if (view !== undefined) return written(asked, scene, [view], [])
  const ids = await idsOfRefs(asked.db, refs)
  const found = [...ids.values()].flatMap((id) => id ?? [])
  const views = new Map((await viewsOf(asked, scene, found)).map((view) => [view.id, view]))
  const missing = [...ids].filter(([, id]) => id === undefined || !views.has(id))
  const [first] = missing
  if (first !== undefined && !isPermissive) throw await whyNotThere(asked.db, ...first)
  const shown = [...new Set(found)].flatMap((id) => views.get(id) ?? [])
  return written(asked, scene, shown, await faultsOf(asked.db, missing))
}

function written(
  asked: Asked,
  scene: BugScene,
  views: readonly BugView[],
  faults: readonly object[],
): WrittenJson | Promise<WrittenJson> {
  const [only, ...more] = views
  if (only !== undefined && more.length === 0) asked.answerHeaders.ETag = revisionOf(only)
  const token = tokensFor(asked, scene)
  // Hardly ever is anything to be waited for.
  if (!isDiscussed(asked.select) && !(token instanceof Promise)) return writtenWith(scene, views, faults, token)
  return Promise.all([token, isDiscussed(asked.select) ? discussionOf(asked, idsOf(views)) : undefined]).then(
    ([token, discussion]) => writtenWith(scene, views, faults, token, discussion),
  )
}

function writtenWith(
  scene: BugScene,
  views: readonly BugView[],
  faults: readonly object[],
  token: (view: BugView) => string,
  discussion?: Awaited<ReturnType<typeof discussionOf>>,
) {
  let bugs = ''
  for (const view of views) {
    const told = discussion === undefined ? '' : JSON.stringify(discussion(view.id)).slice(1, -1)
    const bug = joined(joined(bugText(view, scene), token(view)), told)
    bugs += bugs === '' ? `{${bug}}` : `,{${bug}}`
  }
  return new WrittenJson(`{"bugs":[${bugs}],"faults":${faults.length === 0 ? '[]' : JSON.stringify(faults)}}`)
}

function idsOf(views: readonly BugView[]) {
  return views.map(({ id }) => id)
}

async function faultsOf(db: Db, missing: readonly [ref: string, id: number | undefined][]) {
  const reasons = await whyNoneIsThere(db, missing)
  return reasons.map((why, place) => {
    const ref = missing[place]?.[0] ?? ''
    return { id: askedFor(ref), faultCode: why.code, faultString: why.message }
  })
}

/** A number stands for itself in a fault, an alias for what was written. */
function askedFor(ref: string): number | string {
  return /^\s*\d+\s*$/.test(ref) && Number.isSafeInteger(Number(ref)) ? Number(ref) : ref
}

/** What is needed to read bugs and to present them to whoever asks. */
export function sceneOf(asked: Pick<Asked, 'caller' | 'settings' | 'select' | 'catalogue'>): Scene | Promise<Scene> {
  const { caller, settings, select, catalogue } = asked
  const [fields, workflow, names] = [catalogue(keptFields), catalogue(keptWorkflow), catalogue(keptNames)]
  // Hardly ever is anything to be waited for, and waiting for nothing takes time as well.
  if (!(fields instanceof Promise) && !(workflow instanceof Promise) && !(names instanceof Promise))
    return { caller, settings, select, fields, workflow, names }
  return Promise.all([fields, workflow, names]).then(([fields, workflow, names]) => ({
    caller,
    settings,
    select,
    fields,
    workflow,
    names,
  }))
}

type Scene = BugScene & { names: BugNames }

/** What is wanted of these bugs, as far as the caller may see them, in no particular order. */
export async function viewsOf(asked: Asking, scene: Scene, ids: readonly number[]): Promise<BugView[]> {
  const [only] = ids
  if (ids.length !== 1 || only === undefined) return listBugViews(sightOf(asked, scene), ids)
  const view = await findBugView(sightOf(asked, scene), only)
  return view === undefined ? [] : [view]
}

type Asking = Pick<Asked, 'db' | 'caller' | 'settings'>

function sightOf({ db, caller, settings }: Asking, scene: Scene): Sight {
  return { db, rules: settings, viewer: viewerOf(caller), parts: partsOf(scene), names: scene.names }
}

function partsOf({ select, fields }: BugScene) {
  return partsFor(
    select,
    fields.custom.some(({ name }) => select.wants(name, 'custom')),
  )
}

/** What says that somebody has read the bug as it is; nothing, where nobody wants to know. */
function tokensFor({ db, caller }: Asked, { select }: BugScene) {
  if (!isSignedIn(caller) || !select.wants('update_token')) return () => ''
  const secret = updateTokenSecret(db)
  const tokens = (secret: string) => (view: BugView) => `"update_token":"${updateTokenFor(secret, caller.id, view)}"`
  return typeof secret === 'string' ? tokens(secret) : secret.then(tokens)
}
