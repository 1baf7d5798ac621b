import type { Asked } from '../access/call.ts'
import { discussionOf } from './bug-discussion.ts'
import { presentBug } from './bug-json.ts'
import { sceneOf, viewsOf } from './get-bugs.ts'

/** Bugs that were found, in the order in which they were; one that the caller may not see is left out. */
export async function showBugs(asked: Asked, ids: readonly number[]): Promise<Record<string, unknown>[]> {
  if (ids.length === 0) return []
  const scene = await sceneOf(asked)
  const views = new Map((await viewsOf(asked, scene, ids)).map((view) => [view.id, view]))
  const discussion = await discussionOf(asked, [...views.keys()])
  return ids.flatMap((id) => {
    const view = views.get(id)
    return view === undefined ? [] : [{ ...presentBug(view, scene), ...discussion(id) }]
  })
}
