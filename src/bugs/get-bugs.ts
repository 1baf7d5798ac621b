import type { Asked } from '../access/call.ts'
import { isSignedIn } from '../access/caller.ts'
import { viewerOf } from '../access/visible-bugs.ts'
import { keptFields } from '../catalogue/fields/field-store.ts'
import { keptWorkflow } from '../catalogue/workflow/workflow-store.ts'
import type { Db } from '../platform/database/db.ts'
import { errors } from '../platform/errors.ts'
import { discussionOf } from './bug-discussion.ts'
import { partsFor } from './bug-fields.ts'
import { type BugScene, presentBug } from './bug-json.ts'
import { idsOfRefs, whyNoneIsThere, whyNotThere } from './bug-refs.ts'
import type { BugView } from './bug-view.ts'
import { findBugView, listBugViews } from './bug-view-store.ts'
import { revisionOf } from './revision.ts'
import { updateTokenFor } from './update-token.ts'

/** The bugs that were asked for, in that order and each once. One that is not there fails the call, or is a fault with `permissive`. */
export async function getBugs(asked: Asked, refs: readonly string[], isPermissive: boolean) {
  if (refs.length === 0) throw errors.parameter_required({ name: 'ids' })
  const scene = await sceneOf(asked)
  const ids = await idsOfRefs(asked.db, refs)
  const found = [...ids.values()].flatMap((id) => id ?? [])
  const views = new Map((await viewsOf(asked, scene, found)).map((view) => [view.id, view]))
  const missing = [...ids].filter(([, id]) => id === undefined || !views.has(id))
  const [first] = missing
  if (first !== undefined && !isPermissive) throw await whyNotThere(asked.db, ...first)
  const shown = [...new Set(found)].flatMap((id) => views.get(id) ?? [])
  const [only, ...more] = shown
  if (only !== undefined && more.length === 0) asked.answerHeaders.ETag = revisionOf(only)
  const discussion = await discussionOf(
    asked,
    shown.map(({ id }) => id),
  )
  const bugs: Record<string, unknown>[] = []
  for (const view of shown) bugs.push(Object.assign(await presented(asked, view, scene), discussion(view.id)))
  return { bugs, faults: await faultsOf(asked.db, missing) }
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

/** What is needed to present bugs to whoever asks. */
export async function sceneOf({ caller, settings, select, catalogue }: Asked): Promise<BugScene> {
  return { caller, settings, select, fields: await catalogue(keptFields), workflow: await catalogue(keptWorkflow) }
}

/** What is wanted of these bugs, as far as the caller may see them, in no particular order. */
export async function viewsOf(
  { db, caller, settings }: Pick<Asked, 'db' | 'caller' | 'settings'>,
  { select, fields }: BugScene,
  ids: readonly number[],
): Promise<BugView[]> {
  const hasCustomFields = fields.all.some(
    ({ is_custom, is_obsolete, name }) => is_custom === 1 && is_obsolete === 0 && select.wants(name, 'custom'),
  )
  const parts = partsFor(select, hasCustomFields)
  const [only] = ids
  if (ids.length !== 1 || only === undefined) return listBugViews(db, settings, viewerOf(caller), ids, parts)
  const view = await findBugView(db, settings, viewerOf(caller), only, parts)
  return view === undefined ? [] : [view]
}

async function presented({ db, caller }: Asked, view: BugView, scene: BugScene) {
  const bug = presentBug(view, scene)
  if (isSignedIn(caller) && scene.select.wants('update_token')) {
    bug.update_token = await updateTokenFor(db, caller.id, view)
  }
  return bug
}
