import type { Asked } from '../access/call.ts'
import { isSignedIn } from '../access/caller.ts'
import { installationSecret } from '../access/installation-secrets.ts'
import { viewerOf } from '../access/visible-bugs.ts'
import { keptFields } from '../catalogue/fields/field-store.ts'
import { keptWorkflow } from '../catalogue/workflow/workflow-store.ts'
import type { Db } from '../platform/database/db.ts'
import { errors } from '../platform/errors.ts'
import { laterTurn } from '../platform/event-loop.ts'
import { wholeOrPieces } from '../platform/wire/json-pieces.ts'
import { WrittenJson } from '../platform/wire/json-text.ts'
import { idIn } from '../platform/wire/reference.ts'
import { discussionOf, isDiscussed } from './bug-discussion.ts'
import { partsFor } from './bug-fields.ts'
import { type BugScene, bugText, joined } from './bug-json.ts'
import { type BugNames, keptNames } from './bug-names.ts'
import { idsOfRefs, visibleAmong, whyNoneIsThere, whyNotThere } from './bug-refs.ts'
import type { BugView } from './bug-view.ts'
import { findBugView, listBugViews, type Sight } from './bug-view-store.ts'
import { revisionOf } from './revision.ts'
import { updateTokenFor } from './update-token.ts'

/** The bugs that were asked for, in that order and each once. One that is not there fails the call, or is a fault with `permissive`. */
export async function getBugs(asked: Asked, refs: readonly string[], isPermissive: boolean) {
  if (refs.length === 0) throw errors.parameter_required({ name: 'ids' })
  if (refs.length > MOST_AT_ONCE || isDiscussed(asked.select)) return getManyBugs(asked, refs, isPermissive)
  return getFewBugs(asked, refs, isPermissive)
}

/** So many bugs are read at once. */
export const MOST_AT_ONCE = 100

/** The same for a few bugs without what was said and done. */
export async function getFewBugs(asked: Asked, refs: readonly string[], isPermissive: boolean): Promise<WrittenJson> {
  const known = sceneOf(asked)
  const scene = known instanceof Promise ? await known : known
  const only = refs.length === 1 ? idIn(refs[0] as string) : undefined
  const view = only === undefined ? undefined : await findBugView(sightOf(asked, scene), only)
  if (view !== undefined) return written(asked, scene, [view], [])
  const ids = await idsOfRefs(asked.db, refs)
  const found = [...ids.values()].flatMap((id) => id ?? [])
  const views = new Map((await viewsOf(asked, scene, found)).map((view) => [view.id, view]))
  const faults = await faultsOf(asked.db, ids, views, isPermissive)
  const shown = [...new Set(found)].flatMap((id) => views.get(id) ?? [])
  return written(asked, scene, shown, faults)
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
  if (!(token instanceof Promise)) return writtenWith(scene, views, faults, token)
  return token.then((token) => writtenWith(scene, views, faults, token))
}

function writtenWith(
  scene: BugScene,
  views: readonly BugView[],
  faults: readonly object[],
  token: (view: BugView) => string,
) {
  let bugs = ''
  for (const view of views) {
    const bug = joined(bugText(view, scene), token(view))
    bugs += bugs === '' ? `{${bug}}` : `,{${bug}}`
  }
  return new WrittenJson(`{"bugs":[${bugs}],"faults":${faults.length === 0 ? '[]' : JSON.stringify(faults)}}`)
}

/** Reads many bugs, or some with all that was said and done, a few at a time. */
async function getManyBugs(asked: Asked, refs: readonly string[], isPermissive: boolean) {
  const { db, settings, caller } = asked
  const ids = await idsOfRefs(db, refs)
  const found = [...new Set(ids.values())].flatMap((id) => id ?? [])
  const visible = await visibleAmong(db, settings, viewerOf(caller), found)
  const faults = await faultsOf(db, ids, visible, isPermissive)
  const shown = found.filter((id) => visible.has(id))
  const scene = await sceneOf(asked)
  const [only, ...more] = shown
  const view = only === undefined || more.length > 0 ? undefined : await findBugView(sightOf(asked, scene), only)
  if (view !== undefined) asked.answerHeaders.ETag = revisionOf(view)
  return wholeOrPieces(writtenInPieces(asked, scene, shown, faults))
}

async function* writtenInPieces(asked: Asked, scene: Scene, ids: readonly number[], faults: readonly object[]) {
  const token = await tokensFor(asked, scene)
  let before = '{"bugs":['
  for (let start = 0; start < ids.length; start += MOST_AT_ONCE) {
    if (start > 0) await laterTurn()
    const some = ids.slice(start, start + MOST_AT_ONCE)
    const views = new Map((await viewsOf(asked, scene, some)).map((view) => [view.id, view]))
    const discussion = await discussionOf(asked, [...views.keys()])
    for (const id of some) {
      const view = views.get(id)
      // It was hidden meanwhile.
      if (view === undefined) continue
      const bug = joined(bugText(view, scene), token(view))
      const told = discussion(id)
      yield `${before}{${bug}${bug === '' || told.length === 0 ? '' : ','}`
      yield* told
      before = '},'
    }
  }
  yield `${before === '},' ? '}' : before}],"faults":${JSON.stringify(faults)}}`
}

/** The bugs that are not there, as faults; the error of the first one where none may be missing. */
async function faultsOf(
  db: Db,
  ids: ReadonlyMap<string, number | undefined>,
  seen: { has(id: number): boolean },
  isPermissive: boolean,
) {
  const missing = [...ids].filter(([, id]) => id === undefined || !seen.has(id))
  const [first] = missing
  if (first === undefined) return []
  if (!isPermissive) throw await whyNotThere(db, ...first)
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
  const secret = installationSecret(db, 'update_token')
  const tokens = (secret: string) => (view: BugView) => `"update_token":"${updateTokenFor(secret, caller.id, view)}"`
  return typeof secret === 'string' ? tokens(secret) : secret.then(tokens)
}
