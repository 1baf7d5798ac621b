import type { CallContext } from '../../access/call.ts'
import { requireGroup } from '../../access/caller.ts'
import { errors } from '../../platform/errors.ts'
import { laterTurn } from '../../platform/monitoring/event-loop.ts'
import { masked } from '../../platform/text/masked.ts'
import { wholeOrPieces, wholeText } from '../../platform/wire/json/json-pieces.ts'
import { requireNotNegative } from '../../platform/wire/list-page.ts'
import { explainSearch } from '../../search/explain-search.ts'
import { findBugs } from '../../search/find-bugs.ts'
import { countBugs } from '../../search/listing/bug-count-store.ts'
import { cursorFor, positionIn } from '../../search/listing/cursor.ts'
import type { ResultPage, SortPosition } from '../../search/listing/list-ids.ts'
import { type ParsedSearch, readSearch } from '../../search/parsing/parse-url.ts'
import type { Search } from '../../search/parsing/query.ts'
import { type SearchContext, searchContextOf } from '../../search/search-context.ts'
import { isForm } from '../lists/bug-list.ts'
import { listBugs } from '../lists/list-bugs.ts'
import { type DiscussionPieces, discussionOf } from '../reading/bug-discussion.ts'
import { columnsFor } from '../reading/bug-fields.ts'
import { type BugReadContext, bugText, presentBug } from '../reading/bug-json.ts'
import type { BugView } from '../reading/bug-view.ts'
import { discussionSteps, isDiscussed } from '../reading/discussion-steps.ts'
import { bugQueryOf, bugReadContext, viewsOf } from '../reading/get-bugs.ts'
import { type ColumnPage, columnPage } from './column-page.ts'
import type { SEARCH_PARAMS } from './search-params.ts'

type SearchCallContext = CallContext<typeof SEARCH_PARAMS>

/** The bugs that match a search and that the caller may see. */
export async function searchBugs(context: SearchCallContext) {
  const { count_only, explain } = context.params
  if (explain) requireMayExplain(context)
  const readContext = await searchContextOf(context)
  const search = await readSearch(readContext, context.rawParams)
  if (explain) return { explanation: await explainedSearch(context, readContext, search), ...ignoredIn(search) }
  if (count_only) return { bug_count: await countBugs(readContext, search.where), ...ignoredIn(search) }
  const page = pageOf(context, search)
  const byColumns = isJson(context) ? await pageByColumns(context, readContext, search, page) : undefined
  if (byColumns !== undefined) return writtenPage(context, readContext, search, byColumns)
  const { ids, next } = await findBugs(readContext, search, page)
  if (isJson(context) && ids.length <= AT_ONCE && !isDiscussed(context.select))
    return writtenPage(context, readContext, search, { ...(await fewBugs(context, ids)), ...(next && { next }) })
  const list = await listBugs(context, ids, presentedBugs, search.savedColumns)
  if (list !== undefined) return list
  const more = await restOf(context, readContext, search, next)
  return wholeOrPieces(written(context, ids, more), context.request.memory)
}

function isJson({ form }: SearchCallContext) {
  return form === undefined || !isForm(form)
}

/** What a list of most pages and clients asks for, in one statement; see column-page.ts. Undefined for all others. */
async function pageByColumns(context: SearchCallContext, readContext: SearchContext, search: Search, page: ResultPage) {
  if (isDiscussed(context.select)) return undefined
  const bugContext = await bugReadContext(context)
  const found = await columnPage(readContext, search, page, {
    ...bugQueryOf(context, bugContext),
    columns: columnsFor(context.select),
  })
  return found && { ...found, bugContext }
}

/** A bug that was hidden in the meantime is left out. */
async function fewBugs(context: SearchCallContext, ids: readonly number[]) {
  const bugContext = await bugReadContext(context)
  const views = new Map((await viewsOf(context, bugContext, ids)).map((view) => [view.id, view]))
  return { views: ids.flatMap((id) => views.get(id) ?? []), bugContext }
}

async function writtenPage(
  context: SearchCallContext,
  readContext: SearchContext,
  search: ParsedSearch,
  { views, next, bugContext }: ColumnPage & { bugContext: BugReadContext },
) {
  const more = await restOf(context, readContext, search, next)
  let bugs = ''
  for (const view of views) bugs += `${bugs === '' ? '' : ','}{${bugText(view, bugContext)}}`
  return wholeText(`{"bugs":[${bugs}],${JSON.stringify(more).slice(1)}`, context.request.memory)
}

/** What follows the bugs in a response. */
async function restOf(
  context: SearchCallContext,
  readContext: SearchContext,
  search: ParsedSearch,
  next: SortPosition | undefined,
) {
  return {
    faults: [],
    ...ignoredIn(search),
    ...(context.params.with_total && { total_matches: await countBugs(readContext, search.where) }),
    ...(next && { next_cursor: cursorFor(search, next) }),
  }
}

function ignoredIn({ ignored }: ParsedSearch) {
  return ignored.length === 0 ? {} : { ignored: ignored.map(masked) }
}

/** Estimates count bugs that the caller may not see, so that only administrators get them. */
function requireMayExplain({ caller }: SearchCallContext) {
  requireGroup(caller, 'admin')
  if (!caller.scopes.has('admin')) throw errors.scope_required({ scope: 'admin' })
}

function explainedSearch(context: SearchCallContext, readContext: SearchContext, search: Search) {
  const page = pageOf(context, search)
  return explainSearch(readContext, (recorded) =>
    context.params.count_only ? countBugs(recorded, search.where) : foundBugs(context, recorded, search, page),
  )
}

async function foundBugs(context: SearchCallContext, recorded: SearchContext, search: Search, page: ResultPage) {
  const byColumns = isJson(context) ? await pageByColumns(context, recorded, search, page) : undefined
  return byColumns ?? findBugs(recorded, search, page)
}

// The default is max_search_results, or default_search_limit on an HTML page.
// A larger limit is reduced to max_search_results; 0 means no limit.
function pageOf({ params, settings, isPage }: SearchCallContext, search: Search): ResultPage {
  const { limit, offset, cursor } = params
  requireNotNegative({ limit, offset })
  if (limit === undefined && offset !== undefined)
    throw errors.parameter_required({ name: 'limit', hint: 'offset needs it' })
  const most = settings.max_search_results || undefined
  const usual = (isPage && settings.default_search_limit) || most
  return {
    limit: limit === 0 ? undefined : Math.min(limit ?? usual ?? Infinity, most ?? Infinity),
    offset,
    after: cursor === undefined ? undefined : positionIn(cursor, search),
  }
}

/** The number of bugs in memory at once. */
const AT_ONCE = 50

async function* written(context: CallContext, ids: readonly number[], more: object) {
  let before = '{"bugs":['
  for await (const some of viewedBugs(context, ids)) {
    let text = ''
    for (const { view, readContext, discussion } of some) {
      const bug = bugText(view, readContext)
      text += `${before}{${bug}`
      before = '},'
      if (discussion === undefined) continue
      yield `${text}${bug === '' ? '' : ','}`
      yield* discussion
      text = ''
    }
    context.request.memory.holdStep(text.length)
    yield text
  }
  yield `${before === '},' ? '}' : before}],${JSON.stringify(more).slice(1)}`
}

interface ViewedBug {
  view: BugView
  readContext: BugReadContext
  discussion: DiscussionPieces | undefined
}

/** The bugs as objects, a few at a time. */
export async function* presentedBugs(context: CallContext, ids: readonly number[]) {
  for await (const some of viewedBugs(context, ids))
    yield some.map(({ view, readContext }) => presentBug(view, readContext))
}

/** The requested parts of the bugs, a few bugs at a time. A bug that was hidden in the meantime is left out. */
async function* viewedBugs(context: CallContext, ids: readonly number[]): AsyncGenerator<ViewedBug[]> {
  const readContext = await bugReadContext(context)
  let isFirst = true
  for await (const { ids: some, commentsAtOnce } of discussionSteps(context, ids, AT_ONCE)) {
    // Let other requests run between two steps.
    if (!isFirst) await laterTurn()
    isFirst = false
    const views = new Map((await viewsOf(context, readContext, some)).map((view) => [view.id, view]))
    const discussion = await discussionOf(context, [...views.keys()], { commentsAtOnce })
    yield some.flatMap((id) => {
      const view = views.get(id)
      return view === undefined ? [] : [{ view, readContext, discussion: discussion(id) }]
    })
  }
}
