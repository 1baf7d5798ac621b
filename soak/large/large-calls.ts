import { BUSY_USER, LARGE } from './large-set.ts'

export type As = 'admin' | 'busy' | 'grouped'

/** A request to the large installation, and the milliseconds within which its response is wanted. */
export interface LargeCall {
  name: string
  path: string
  as?: As
  method?: 'POST' | 'PUT'
  /** `{n}` becomes a different number each time. */
  body?: Record<string, unknown>
  within: number
}

const BUSY = `assigned_to=${BUSY_USER}`
const FEW = 'limit=50&include_fields=id,summary'
const IN_ORDER = `bug_status=__open__&${FEW}&order`

/** What every page and every usual client waits for. */
const USUAL = 100
/** Of everything at once, which only programs ask for. */
const WHOLE = 10_000

export const LARGE_CALLS: readonly LargeCall[] = [
  { name: `a bug with ${LARGE.comments} comments`, path: '/rest/bug/1', within: USUAL },
  { name: 'all its comments', path: '/rest/bug/1/comment', within: WHOLE },
  { name: 'its newest comments', path: '/rest/bug/1/comment?new_since=2024-01-01T00:00:00Z', within: USUAL },
  {
    name: 'comment on it',
    path: '/rest/bug/1/comment',
    method: 'POST',
    body: { comment: 'Comment {n}' },
    within: USUAL,
  },
  { name: 'change it', path: '/rest/bug/1', method: 'PUT', body: { whiteboard: 'written {n}' }, within: USUAL },
  {
    name: 'search in its comments',
    path: '/rest/bug?f1=bug_id&o1=equals&v1=1&f2=longdesc&o2=substring&v2=memory',
    within: 5 * USUAL,
  },
  {
    name: `open ones of ${LARGE.bugsOfOneUser} bugs of a user`,
    path: `/rest/bug?${BUSY}&bug_status=__open__&${FEW}`,
    as: 'busy',
    within: USUAL,
  },
  { name: 'they counted', path: `/rest/bug?${BUSY}&count_only=1`, as: 'busy', within: USUAL },
  {
    name: 'they by the time of change',
    path: `/rest/bug?${BUSY}&${IN_ORDER}=changeddate`,
    as: 'busy',
    within: 3 * USUAL,
  },
  {
    name: 'they by priority',
    path: `/rest/bug?${BUSY}&${IN_ORDER}=priority,changeddate%20DESC`,
    as: 'busy',
    within: 3 * USUAL,
  },
  { name: 'they by component', path: `/rest/report?x_axis_field=component&${BUSY}`, as: 'busy', within: 5 * USUAL },
  { name: `a product with ${LARGE.components} components`, path: '/rest/product/Product%200', within: 5 * USUAL },
  { name: 'its name', path: '/rest/product/Product%200?include_fields=id,name', within: USUAL },
  { name: 'all fields with their values', path: '/rest/field/bug', within: 5 * USUAL },
  {
    name: 'bugs of one of its components',
    path: '/rest/bug?product=Product%200&component=Large%20Component%209999&limit=20',
    within: USUAL,
  },
  {
    name: 'add a component',
    path: '/rest/component',
    method: 'POST',
    body: { product: 'Product 0', name: 'Added {n}', description: 'Made for measuring', default_assignee: BUSY_USER },
    within: 5 * USUAL,
  },
  { name: `one of ${LARGE.users} users`, path: '/rest/user?match=people%209999&limit=10', within: USUAL },
  { name: 'users with a common name', path: '/rest/user?match=many&limit=10', within: USUAL },
  { name: 'people in administration', path: '/rest/admin/people?limit=50', within: USUAL },
  {
    name: 'add a user',
    path: '/rest/user',
    method: 'POST',
    body: { email: 'added{n}@bench.test', full_name: 'Added' },
    within: USUAL,
  },
  { name: `a caller in ${LARGE.groups} groups`, path: '/rest/whoami', as: 'grouped', within: USUAL },
  {
    name: 'a list for this caller',
    path: `/rest/bug?product=Product%203&${IN_ORDER}=changeddate%20DESC`,
    as: 'grouped',
    within: USUAL,
  },
  { name: 'a part of summaries for this caller', path: `/rest/bug?summary=error&${FEW}`, as: 'grouped', within: USUAL },
  { name: 'a restricted bug for this caller', path: '/rest/bug/100', as: 'grouped', within: USUAL },
  {
    name: 'a new bug of this caller',
    path: '/rest/bug',
    method: 'POST',
    body: { product: 'Product 3', component: 'Component 2', version: '1.0', summary: 'Made for measuring {n}' },
    as: 'grouped',
    within: USUAL,
  },
  { name: 'all groups', path: '/rest/group', within: 5 * USUAL },
  {
    name: `${LARGE.savedSearches} saved searches that the caller can use`,
    path: '/rest/saved_search',
    as: 'grouped',
    within: 10 * USUAL,
  },
]

/** A page, what appears on it when it can be used, and the milliseconds within which it is wanted. */
export interface LargePage {
  name: string
  address: string
  as: As
  ready: string
  within: number
}

const OF_A_PAGE = 5000

export const LARGE_PAGES: readonly LargePage[] = [
  {
    name: `a bug with ${LARGE.comments} comments`,
    address: '/bug/1',
    as: 'busy',
    ready: 'textarea',
    within: OF_A_PAGE,
  },
  { name: 'home of the busy user', address: '/', as: 'busy', ready: 'main h1, main h2', within: OF_A_PAGE },
  {
    name: 'all bugs of the busy user',
    address: `/bugs?${BUSY}`,
    as: 'busy',
    ready: '[role=row]:nth-child(2), tbody tr',
    within: OF_A_PAGE,
  },
  {
    name: 'a new bug in the large product',
    address: '/file/Product%200',
    as: 'busy',
    ready: 'form',
    within: OF_A_PAGE,
  },
  {
    name: 'the large product',
    address: '/product/Product%200',
    as: 'busy',
    ready: '#main li.product',
    within: OF_A_PAGE,
  },
  {
    name: 'the large product in administration',
    address: '/admin/products/Product%200',
    as: 'admin',
    ready: '.component-table tbody tr',
    within: OF_A_PAGE,
  },
  { name: 'people in administration', address: '/admin/people', as: 'admin', ready: 'tbody tr', within: OF_A_PAGE },
  {
    name: 'groups in administration',
    address: '/admin/groups',
    as: 'admin',
    ready: 'main h1, main h2',
    within: OF_A_PAGE,
  },
  {
    name: 'home of the user with all groups',
    address: '/',
    as: 'grouped',
    ready: 'main h1, main h2',
    within: OF_A_PAGE,
  },
  {
    name: 'a list of the user with all groups',
    address: '/bugs?product=Product%203',
    as: 'grouped',
    ready: '[role=row]:nth-child(2), tbody tr',
    within: OF_A_PAGE,
  },
]
