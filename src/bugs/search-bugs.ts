import { setImmediate } from 'node:timers/promises'
import type { Asked } from '../access/call.ts'
import { errors } from '../platform/errors.ts'
import { masked } from '../platform/masked.ts'
import { JsonPieces } from '../platform/wire/json-pieces.ts'
import { WrittenJson } from '../platform/wire/json-text.ts'
import { countBugs } from '../search/bug-count-store.ts'
import { cursorFor, placeIn } from '../search/cursor.ts'
import { findBugs } from '../search/find-bugs.ts'
import type { Page } from '../search/list-ids.ts'
import { readSearch } from '../search/parse-url.ts'
import type { Search } from '../search/query.ts'
import { searchSceneOf } from '../search/search-scene.ts'
import { discussionOf } from './bug-discussion.ts'
import { type BugScene, bugText, joined, presentBug } from './bug-json.ts'
import type { BugView } from './bug-view.ts'
import { sceneOf, viewsOf } from './get-bugs.ts'
import { listBugs } from './lists/list-bugs.ts'
import type { SEARCH_PARAMS } from './search-params.ts'

type Searching = Asked<typeof SEARCH_PARAMS>

/** The bugs that answer a search, as far as the caller may see them. */
export async function searchBugs(asked: Searching) {
  const scene = await searchSceneOf(asked)
  const search = await readSearch(scene, asked.given)
  const { count_only, with_total } = asked.params
  const ignored = search.ignored.length === 0 ? {} : { ignored: search.ignored.map(masked) }
  if (count_only) return { bug_count: await countBugs(scene, search.where), ...ignored }
  const { ids, next } = await findBugs(scene, search, pageOf(asked, search))
  const list = await listBugs(asked, ids, presentedBugs)
  if (list !== undefined) return list
  return answerOf(asked, ids, {
    faults: [],
    ...ignored,
    ...(with_total && { total_matches: await countBugs(scene, search.where) }),
    ...(next && { next_cursor: cursorFor(search, next) }),
  })
}

/** No limit is the administrator's, and so is a larger one; 0 is none at all. */
function pageOf({ params, settings }: Searching, search: Search): Page {
  const { limit, offset, cursor } = params
  for (const [name, value] of Object.entries({ limit, offset }))
    if (value !== undefined && value < 0) throw errors.not_a_number({ name, value })
  if (limit === undefined && offset !== undefined)
    throw errors.parameter_required({ name: 'limit', hint: 'offset goes only with it' })
  const most = settings.max_search_results || undefined
  return {
    limit: limit === 0 ? undefined : Math.min(limit ?? most ?? Infinity, most ?? Infinity),
    offset,
    after: cursor === undefined ? undefined : placeIn(cursor, search),
  }
}

/** As many bugs are in memory at once. */
const AT_ONCE = 50
/** As many bugs are answered as a whole, with a digest by which a client can ask for them again. */
const MOST_AS_A_WHOLE = 1000

async function answerOf(asked: Asked, ids: readonly number[], more: object): Promise<WrittenJson | JsonPieces> {
  const pieces = () => written(asked, ids, more)
  if (ids.length > MOST_AS_A_WHOLE) return new JsonPieces(pieces)
  let text = ''
  for await (const piece of pieces()) text += piece
  return new WrittenJson(text)
}

async function* written(asked: Asked, ids: readonly number[], more: object) {
  let before = '{"bugs":['
  for await (const some of viewedBugs(asked, ids)) {
    if (some.length === 0) continue
    yield before + some.map(textOf).join(',')
    before = ','
  }
  yield `${before === ',' ? '' : before}],${JSON.stringify(more).slice(1)}`
}

interface ViewedBug {
  view: BugView
  scene: BugScene
  told: object
}

function textOf({ view, scene, told }: ViewedBug): string {
  return `{${joined(bugText(view, scene), JSON.stringify(told).slice(1, -1))}}`
}

/** The bugs as objects, a few at a time. */
export async function* presentedBugs(asked: Asked, ids: readonly number[]) {
  for await (const some of viewedBugs(asked, ids))
    yield some.map(({ view, scene, told }) => Object.assign(presentBug(view, scene), told))
}

/** As much of the bugs as was asked for, a few at a time. One that was hidden meanwhile is left out. */
async function* viewedBugs(asked: Asked, ids: readonly number[]): AsyncGenerator<ViewedBug[]> {
  const scene = await sceneOf(asked)
  for (let start = 0; start < ids.length; start += AT_ONCE) {
    // Between two steps, others get their turn.
    if (start > 0) await setImmediate()
    const some = ids.slice(start, start + AT_ONCE)
    const views = new Map((await viewsOf(asked, scene, some)).map((view) => [view.id, view]))
    const discussion = await discussionOf(asked, [...views.keys()])
    yield some.flatMap((id) => {
      const view = views.get(id)
      return view === undefined ? [] : [{ view, scene, told: discussion(id) }]
    })
  }
}
