import type { Asked } from '../access/call.ts'
import { isSignedIn } from '../access/caller.ts'
import { viewerOf } from '../access/visible-bugs.ts'
import { keptFields } from '../catalogue/fields/field-store.ts'
import { keptWorkflow } from '../catalogue/workflow/workflow-store.ts'
import { partsFor } from './bug-fields.ts'
import { type BugScene, presentBug } from './bug-json.ts'
import { idsOfRefs, whyNotThere } from './bug-refs.ts'
import type { BugView } from './bug-view.ts'
import { findBugView, listBugViews } from './bug-view-store.ts'
import { updateTokenFor } from './update-token.ts'

/** The bugs that were asked for, in that order and each once. One that is not there fails the call, or is a fault with `permissive`. */
export async function getBugs(asked: Asked, refs: readonly string[], isPermissive: boolean) {
  const scene = await sceneOf(asked)
  const ids = await idsOfRefs(asked.db, refs)
  const views = new Map(
    (
      await viewsOf(
        asked,
        scene,
        [...ids.values()].flatMap((id) => id ?? []),
      )
    ).map((view) => [view.id, view]),
  )
  const bugs: Record<string, unknown>[] = []
  const faults = []
  const seen = new Set<number>()
  for (const [ref, id] of ids) {
    const view = id === undefined ? undefined : views.get(id)
    if (view === undefined) {
      const why = await whyNotThere(asked.db, ref, id)
      if (!isPermissive) throw why
      faults.push({ id: id ?? ref, faultCode: why.code, faultString: why.message })
    } else if (!seen.has(view.id)) {
      seen.add(view.id)
      bugs.push(await presented(asked, view, scene))
    }
  }
  return { bugs, faults }
}

/** What is needed to present bugs to whoever asks. */
export async function sceneOf({ caller, settings, select, catalogue }: Asked): Promise<BugScene> {
  return { caller, settings, select, fields: await catalogue(keptFields), workflow: await catalogue(keptWorkflow) }
}

async function viewsOf(
  { db, caller, settings }: Asked,
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
    bug.update_token = await updateTokenFor(db, caller.id, view.id, view.changed_at)
  }
  return bug
}
