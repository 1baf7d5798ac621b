// The REST calls that each page begins with. The server makes them before it sends the page, so that the page comes with its data.

import { READ_PARAMETERS } from './page-parameters.ts'
import {
  COMMENT_FIELDS,
  COMMENTS_AT_EACH_END,
  commentPartCall,
  firstPlainComment,
  firstPlainRow,
} from './parts-of-pages.ts'
import { type Address, addressOf, addressWith } from './rest-address.ts'

/** Calls whose answers every page needs: who its reader is, and how the installation is set up. */
export const PARAMETERS_CALL = addressOf('/parameters', { include_fields: READ_PARAMETERS.join() })
export const WHOAMI_CALL = addressOf('/whoami')
export const FRAME_CALLS = [WHOAMI_CALL, PARAMETERS_CALL] as const

export function callsOfBug(ref: string, query: URLSearchParams): readonly Address[] {
  const calls = Object.values(bugCalls(ref))
  const from = firstPlainComment(query)
  return from === undefined ? calls : [...calls, commentPartCall(ref, from)]
}

export function listCalls(query: URLSearchParams): readonly Address[] {
  const group = query.get('group')
  if (query.get('view') === 'search') return [FIELDS_CALL]
  if (query.get('view') === 'board') return [groupsCall(query, query.get('by') ?? 'status'), FIELDS_CALL]
  const list = listCall(query, firstPlainRow(query))
  return group ? [list, FIELDS_CALL, groupsCall(query, group)] : [list, FIELDS_CALL]
}

/** What waits for the reader, as the address of the page filters it. */
export function inboxCall(query: URLSearchParams) {
  const [state, reason] = [query.get('state'), query.get('reason')]
  return addressOf('/inbox', { ...(state && { state }), ...(reason && { reason }), limit: 100 })
}

/** How much waits for the reader. */
export const INBOX_COUNT_CALL = addressOf('/inbox', { limit: 0 })

/** The state of the installation. */
export const STATUS_CALL = addressOf('/admin/status')

/** Who can join, and what a password must be like. */
export const ACCOUNT_RULES_CALL = addressOf('/account/rules')

export const FIELDS_CALL = addressOf('/field/bug')
export const PRODUCTS_CALL = addressOf('/product', {
  type: 'enterable',
  include_fields: 'id,name,description,is_active,classification',
})

export const ALL_PRODUCTS_CALL = addressOf('/product', {
  type: 'accessible',
  include_fields: 'id,name,description,is_active,classification,components.name',
})

/** The products that the reader may administer. */
export const ADMINISTERED_PRODUCTS_CALL = addressOf('/product', {
  type: 'administered',
  include_fields: 'id,name,description,is_active,classification,components.name',
})

export const ADMINISTERED_IDS_CALL = addressOf('/product', { type: 'administered', include_fields: 'id' })

export function productCall(name: string) {
  return addressOf('/product/:ref', { ref: name, exclude_fields: 'components.flag_types' })
}

/** A product with what its filing page needs. */
export function filingCall(product: string) {
  return addressOf('/product/:ref', {
    ref: product,
    include_fields: '_default,bug_template,filing',
    exclude_fields: 'components.flag_types',
  })
}

export function fileCalls(product: string | undefined, clone: string | null): readonly Address[] {
  return [
    PRODUCTS_CALL,
    FIELDS_CALL,
    ...(product === undefined ? [] : [filingCall(product)]),
    ...(clone ? cloneCalls(clone) : []),
  ]
}

/** The bug that is cloned, and its description. */
export function cloneCalls(ref: string) {
  return [
    addressOf('/bug/:ref', { ref }),
    addressOf('/bug/:ref/comment', { ref, include_fields: 'count,text,is_private' }),
  ] as const
}

/** How many bugs of each milestone are open and closed. */
export function productCountsCall(name: string) {
  return addressOf('/report', { product: name, x_axis_field: 'target_milestone', y_axis_field: 'status' })
}

export function userCall(name: string) {
  return addressOf('/user/:ref', { ref: name })
}

/** A few fields of bugs, for lists inside of other pages. */
export const SHORT_FIELDS =
  'id,summary,status,is_open,priority,severity,product,component,groups,last_change_time,deadline,flags'

/** A search for a short list of bugs. */
export function shortSearch(search: Record<string, string>, most: number) {
  return addressOf('/bug', { ...search, limit: most, include_fields: SHORT_FIELDS })
}

/** Some fields of bugs by their numbers. Those that the reader may not see are left out. */
export function bugsCall<const Fields extends string>(ids: readonly number[], fields: Fields) {
  return addressOf('/bug/', { permissive: true, include_fields: fields, ids })
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
export const VISITS_CALL = addressOf('/bug_user_last_visit')
export const SAVED_CALL = addressOf('/saved_search')
export const DASHBOARDS_CALL = addressOf('/dashboard')
export const SAVED_REPORTS_CALL = addressOf('/saved_report')

export function dashboardCall(id: string) {
  return addressOf('/dashboard/:id', { id })
}

/** The queues in which the reader triages, and one of them. */
export const QUEUES_CALL = addressOf('/triage')

export function queueCall(queue: string) {
  return addressOf('/triage/:queue', { queue })
}

/** What agents propose for a bug, for readers who are logged in. */
export function proposalsOfBugCall(ref: string) {
  return addressOf('/bug/:ref/proposal', { ref })
}

/** What the page of a bug shows of it. */
export const BUG_FIELDS = '_default,tags,duplicates,restrict_comments,code_state'

/** What the page of a bug shows at first. */
export function bugCalls(ref: string) {
  return {
    bug: addressOf('/bug/:ref', { ref, include_fields: BUG_FIELDS }),
    comments: addressOf('/bug/:ref/comment', {
      ref,
      include_fields: COMMENT_FIELDS,
      oldest: COMMENTS_AT_EACH_END,
      newest: COMMENTS_AT_EACH_END,
    }),
    history: addressOf('/bug/:ref/history', { ref }),
    attachments: addressOf('/bug/:ref/attachment', { ref, exclude_fields: 'data' }),
    fields: FIELDS_CALL,
    visit: addressOf('/bug_user_last_visit/:ref', { ref }),
  }
}

/** What the rows of every list need, and the columns that are often chosen. Others are read when they are. */
export const LIST_FIELDS =
  'id,summary,status,resolution,is_open,priority,severity,product,component,version,target_milestone,assigned_to,assigned_to_detail,creator,last_change_time,creation_time,keywords,flags,groups,deadline,depends_on,blocks,alias'

/** More than a screen has; the others come while one scrolls. */
export const ROWS_AT_ONCE = 60

/** The parameters of a list that are about the page, not about the search. */
export const PAGE_PARAMETERS = ['view', 'columns', 'group', 'by', 'at', 'title', 'from']

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

export function listCall(query: URLSearchParams, offset = 0, most = ROWS_AT_ONCE) {
  const search = searchOf(query)
  const order = search.get('order') || 'changeddate DESC'
  const group = query.get('group')
  search.set('order', group ? `${group},${order}` : order)
  const columns = (query.get('columns') ?? '').split(',').filter((name) => /^\w+$/.test(name))
  search.set('include_fields', [...new Set([...LIST_FIELDS.split(','), ...columns])].join(','))
  search.set('limit', String(most))
  if (offset > 0) search.set('offset', String(offset))
  return addressWith('/bug', search)
}

export const CARDS_AT_ONCE = 50

/** The cards of one column of a board. */
export function boardCall(query: URLSearchParams, most: number) {
  return listCall(query, 0, most)
}

/** How many bugs a list has. */
export function countCall(query: URLSearchParams) {
  const search = searchOf(query)
  search.delete('order')
  search.set('count_only', '1')
  return addressWith('/bug', search)
}

/** How many bugs of a list have each value of a field. */
export function groupsCall(query: URLSearchParams, field: string) {
  const search = searchOf(query)
  search.delete('order')
  search.set('y_axis_field', field)
  return addressWith('/report', search)
}
