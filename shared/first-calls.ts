// The REST calls that each page begins with. The server makes them before it sends the page, so that the page comes with its data.

import type { View } from './addresses.ts'
import { pageFields } from './bug-fields/page-fields.ts'

/** The parameters that hide fields in the pages. */
const SWITCHES = new Set(pageFields.flatMap(({ switchedBy = [] }) => switchedBy))

/** Calls whose answers every page needs: who its reader is, and how the installation is set up. */
export const PARAMETERS_CALL = `/rest/parameters?include_fields=${['_default', 'collapsed_comment_tags', ...SWITCHES].join()}`
export const FRAME_CALLS = ['/rest/whoami', PARAMETERS_CALL] as const

/**
 * The calls that a view begins with. The first one decides the status of the page: no bug, no page. `isSignedIn` may be wrong: then some
 * of the answers are refusals, which the page does not use.
 */
export function firstCallsOf({ name, parts }: View, query: URLSearchParams, isSignedIn: boolean): string[] {
  switch (name) {
    case 'bug':
      return bugCalls(parts.ref ?? '')
    case 'list':
      return listCalls(query)
    case 'file':
      return fileCalls(parts.product, query.get('clone'))
    case 'products':
      return [ALL_PRODUCTS_CALL]
    case 'product':
      return [productCall(parts.product ?? ''), productCountsCall(parts.product ?? ''), FIELDS_CALL]
    case 'home':
      return isSignedIn ? [LATEST_CALL, MY_BUGS_CALL, MY_REQUESTS_CALL, VISITS_CALL, SAVED_CALL] : [LATEST_CALL]
    case 'login':
    case 'join':
    case 'forgot':
    case 'confirm':
    case 'settings':
      return [ACCOUNT_RULES_CALL]
    case 'user':
      return [userCall(parts.user ?? '')]
    default:
      return []
  }
}

function listCalls(query: URLSearchParams): string[] {
  const group = query.get('group')
  if (query.get('view') === 'search') return [FIELDS_CALL]
  if (query.get('view') === 'board') return [groupsCall(query, query.get('by') ?? 'status'), FIELDS_CALL]
  return group ? [listCall(query), FIELDS_CALL, groupsCall(query, group)] : [listCall(query), FIELDS_CALL]
}

/** Who can join, and what a password must be like. */
export const ACCOUNT_RULES_CALL = '/rest/account/rules'

export const FIELDS_CALL = '/rest/field/bug'
export const PRODUCTS_CALL = '/rest/product?type=enterable&include_fields=id,name,description,is_active,classification'

export const ALL_PRODUCTS_CALL =
  '/rest/product?type=accessible&include_fields=id,name,description,is_active,classification,components.name'

export function productCall(name: string) {
  return `/rest/product/${encodeURIComponent(name)}?exclude_fields=components.flag_types`
}

/** A product with what its filing page needs. */
export function filingCall(product: string) {
  const fields = 'include_fields=_default,bug_template,filing&exclude_fields=components.flag_types'
  return `/rest/product/${encodeURIComponent(product)}?${fields}`
}

function fileCalls(product: string | undefined, clone: string | null): string[] {
  return [
    PRODUCTS_CALL,
    FIELDS_CALL,
    ...(product === undefined ? [] : [filingCall(product)]),
    ...(clone ? cloneCalls(clone) : []),
  ]
}

/** The bug that is cloned, and its description. */
export function cloneCalls(ref: string): [bug: string, comments: string] {
  const bug = `/rest/bug/${encodeURIComponent(ref)}`
  return [bug, `${bug}/comment?include_fields=count,text,is_private`]
}

/** How many bugs of each milestone are open and closed. */
export function productCountsCall(name: string) {
  const report = { product: name, x_axis_field: 'target_milestone', y_axis_field: 'status' }
  return `/rest/report?${new URLSearchParams(report)}`
}

export function userCall(name: string) {
  return `/rest/user/${encodeURIComponent(name)}`
}

/** A few fields of bugs, for lists inside of other pages. */
export const SHORT_FIELDS =
  'id,summary,status,is_open,priority,severity,product,component,groups,last_change_time,deadline,flags'

/** A search for a short list of bugs. */
export function shortSearch(search: Record<string, string>, most: number) {
  return `/rest/bug?${new URLSearchParams({ ...search, limit: String(most), include_fields: SHORT_FIELDS })}`
}

/** Some fields of bugs by their numbers. Those that the reader may not see are left out. */
export function bugsCall(ids: readonly number[], fields: string) {
  const search = new URLSearchParams({ permissive: '1', include_fields: fields })
  for (const id of ids) search.append('ids', String(id))
  return `/rest/bug/?${search}`
}

/** The bugs that were changed last, for the home page of anonymous readers. */
export const LATEST_CALL = shortSearch({ quicksearch: 'ALL', order: 'changeddate DESC' }, 15)

/** Open bugs that a user works on. */
export function openBugsCall(login: string, most: number) {
  const search = { assigned_to: login, bug_status: '__open__', order: 'priority,changeddate DESC', with_total: '1' }
  return shortSearch(search, most)
}

/** Bugs with a request for a user, on the bug or on one of its attachments. */
export function requestsCall(login: string, most: number) {
  return shortSearch({ f1: 'requestees.login_name', o1: 'equals', v1: login, order: 'changeddate DESC' }, most)
}

/** `%user%` stands for the caller, so that the server can make these calls before it knows who that is. */
export const MY_BUGS_CALL = openBugsCall('%user%', 15)
export const MY_REQUESTS_CALL = requestsCall('%user%', 100)
export const VISITS_CALL = '/rest/bug_user_last_visit'
export const SAVED_CALL = '/rest/saved_search'

/** So many of the oldest and of the newest comments come with the page of a bug; it reads the others after they are painted. */
export const COMMENTS_AT_EACH_END = 10
export const COMMENT_FIELDS = 'include_fields=_default,creator_detail'

/** What the page of a bug shows at first. */
export function bugCalls(ref: string) {
  const bug = `/rest/bug/${encodeURIComponent(ref)}`
  return [
    `${bug}?include_fields=_default,tags,duplicates`,
    `${bug}/comment?${COMMENT_FIELDS}&oldest=${COMMENTS_AT_EACH_END}&newest=${COMMENTS_AT_EACH_END}`,
    `${bug}/history`,
    `${bug}/attachment?exclude_fields=data`,
    FIELDS_CALL,
    `/rest/bug_user_last_visit/${encodeURIComponent(ref)}`,
  ]
}

/** What the rows of every list need, and the columns that are often chosen. Others are read when they are. */
export const LIST_FIELDS =
  'id,summary,status,resolution,is_open,priority,severity,product,component,version,target_milestone,assigned_to,assigned_to_detail,creator,last_change_time,creation_time,keywords,flags,groups,deadline,depends_on,blocks,alias'

export const ROWS_AT_ONCE = 100

/** The parameters of a list that are about the page, not about the search. */
export const PAGE_PARAMETERS = ['view', 'columns', 'group', 'by', 'at', 'title']

/** The parameters that say how results are returned; a list chooses them itself. */
const RESULT_PARAMETERS = [
  'include_fields',
  'exclude_fields',
  'limit',
  'offset',
  'cursor',
  'ctype',
  'columnlist',
  'callback',
  'explain',
]

/** A link must not decide in whose name its reader searches. */
const CREDENTIAL = /^(api_key|token|login|password|(tracker|bugzilla)_(api_key|token|login|password|restrictlogin))$/i

/** What a list searches for. */
export function searchOf(query: URLSearchParams): URLSearchParams {
  const search = new URLSearchParams(query)
  for (const name of [...PAGE_PARAMETERS, ...RESULT_PARAMETERS]) search.delete(name)
  for (const name of [...search.keys()]) if (CREDENTIAL.test(name)) search.delete(name)
  return search
}

export function listCall(query: URLSearchParams, offset = 0): string {
  const search = searchOf(query)
  const order = search.get('order') || 'changeddate DESC'
  const group = query.get('group')
  search.set('order', group ? `${group},${order}` : order)
  const columns = (query.get('columns') ?? '').split(',').filter((name) => /^\w+$/.test(name))
  search.set('include_fields', [...new Set([...LIST_FIELDS.split(','), ...columns])].join(','))
  search.set('limit', String(ROWS_AT_ONCE))
  if (offset > 0) search.set('offset', String(offset))
  return `/rest/bug?${search}`
}

export const CARDS_AT_ONCE = 50

/** The cards of one column of a board. */
export function boardCall(query: URLSearchParams, most: number): string {
  return listCall(query).replace(/&limit=\d+/, `&limit=${most}`)
}

/** How many bugs a list has. */
export function countCall(query: URLSearchParams): string {
  const search = searchOf(query)
  search.delete('order')
  search.set('count_only', '1')
  return `/rest/bug?${search}`
}

/** How many bugs of a list have each value of a field. */
export function groupsCall(query: URLSearchParams, field: string): string {
  const search = searchOf(query)
  search.delete('order')
  search.set('y_axis_field', field)
  return `/rest/report?${search}`
}
