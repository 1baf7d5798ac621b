// The addresses of the pages, and what each reads first, for the server and for the pages.

import {
  ACCOUNT_RULES_CALL,
  ALL_PRODUCTS_CALL,
  callsOfBug,
  DASHBOARDS_CALL,
  dashboardCall,
  FIELDS_CALL,
  fileCalls,
  inboxCall,
  LATEST_CALL,
  listCalls,
  MY_BUGS_CALL,
  MY_REQUESTS_CALL,
  productCall,
  productCountsCall,
  proposalsOfBugCall,
  QUEUES_CALL,
  queueCall,
  SAVED_CALL,
  SAVED_REPORTS_CALL,
  STATUS_CALL,
  userCall,
  VISITS_CALL,
} from './first-calls.ts'
import type { Address } from './rest-address.ts'

/**
 * Each view with the pattern of its address, as both the server and the pages route it. The view is the file of this name in
 * web/views/, which is loaded when it is first shown.
 */
export const ADDRESSES = [
  ['/', 'home'],
  ['/bugs', 'list'],
  ['/bug/:ref', 'bug'],
  ['/file', 'file'],
  ['/file/:product', 'file'],
  ['/file/:product/:component', 'file'],
  ['/products', 'products'],
  ['/product/:product', 'product'],
  ['/inbox', 'inbox'],
  ['/requests', 'requests'],
  ['/proposals', 'proposals'],
  ['/reports', 'reports'],
  ['/dashboards', 'dashboards'],
  ['/dashboard/:id', 'dashboard'],
  ['/triage', 'triage'],
  ['/triage/:queue', 'triage'],
  ['/user/:user', 'user'],
  ['/settings', 'settings'],
  ['/settings/:part', 'settings'],
  ['/admin', 'admin'],
  ['/admin/:part', 'admin'],
  ['/admin/:part/:item', 'admin'],
  ['/setup', 'setup'],
  ['/login', 'login'],
  ['/login/return/:provider', 'login-return'],
  ['/oauth/authorize', 'authorize'],
  ['/join', 'join'],
  ['/forgot', 'forgot'],
  ['/confirm', 'confirm'],
  ['/confirm/:what', 'confirm'],
  ['/help', 'help'],
  ['/help/design', 'design'],
  ['/help/:part', 'help'],
] as const satisfies readonly (readonly [pattern: string, name: string])[]

export type ViewName = (typeof ADDRESSES)[number][1] | 'missing'

export const VIEW_NAMES: readonly ViewName[] = [...new Set(ADDRESSES.map(([, name]) => name)), 'missing']

/** The views whose style is in web/style.css. That of all others is in web/style-apart.css, so that the first load of a list or a bug is small. */
const STYLED_AT_ONCE: readonly ViewName[] = ['bug', 'home', 'list', 'missing', 'requests', 'user']

export function isStyledApart({ name }: Pick<View, 'name'>): boolean {
  return !STYLED_AT_ONCE.includes(name)
}

/** A view and the variable parts of its address. */
export interface View {
  name: ViewName
  parts: Readonly<Record<string, string>>
}

/** The parts of views that are there; of all others there is no page. */
const PARTS: Readonly<Partial<Record<ViewName, readonly string[]>>> = {
  admin: [
    'products',
    'classifications',
    'groups',
    'people',
    'workflow',
    'fields',
    'flag-types',
    'keywords',
    'canned-replies',
    'parameters',
    'mail',
    'webhooks',
    'providers',
    'code',
    'programs',
    'audit',
    'misuse',
  ],
  help: ['using', 'searching', 'keys', 'words', 'bugzilla'],
  settings: ['access', 'factors', 'keys', 'mail', 'scheduled-mail', 'searches', 'votes', 'webhooks'],
}

/** The parts that have a page for each object, such as that of one product. */
const PARTS_WITH_ITEMS: readonly string[] = ['products', 'groups', 'fields', 'flag-types']

/**
 * The calls that a view begins with. The first one decides the status of the page: no bug, no page. `isSignedIn` may be wrong: then some
 * of the answers are refusals, which the page does not use.
 */
export function firstCallsOf({ name, parts }: View, query: URLSearchParams, isSignedIn: boolean): readonly Address[] {
  switch (name) {
    case 'bug':
      return [...callsOfBug(parts.ref ?? '', query), ...(isSignedIn ? [proposalsOfBugCall(parts.ref ?? '')] : [])]
    case 'list':
      return listCalls(query)
    case 'file':
      return fileCalls(parts.product, query.get('clone'))
    case 'inbox':
      return isSignedIn ? [inboxCall(query)] : []
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
    case 'admin':
      return parts.part === undefined && isSignedIn ? [STATUS_CALL] : []
    case 'reports':
      return [FIELDS_CALL]
    case 'dashboards':
      return isSignedIn ? [DASHBOARDS_CALL, SAVED_REPORTS_CALL] : []
    case 'dashboard':
      return isSignedIn ? [dashboardCall(parts.id ?? ''), FIELDS_CALL] : []
    case 'triage':
      if (!isSignedIn) return []
      return parts.queue === undefined ? [QUEUES_CALL] : [queueCall(parts.queue)]
    case 'user':
      return [userCall(parts.user ?? '')]
    default:
      return []
  }
}

/**
 * Scripts of Bugzilla without an equivalent page: links to them lead to a help page that says what replaces each. Not xmlrpc and
 * jsonrpc: programs ask for them to find out which API there is, and must get 404.
 */
export const REPLACED_SCRIPTS = [
  'colchange',
  'duplicates',
  'editsettings',
  'post_bug',
  'process_bug',
  'quips',
  'sanitycheck',
  'search_plugin',
  'summarize_time',
] as const

/** The view at a path, which begins after the path of the base address. */
export function viewAt(path: string): View {
  const given = path.split('/')
  for (const [pattern, name] of ADDRESSES) {
    const parts = partsIn(pattern.split('/'), given)
    if (parts !== undefined && isThere(name, parts)) return { name, parts }
  }
  return { name: 'missing', parts: {} }
}

function isThere(name: ViewName, { part, item }: View['parts']) {
  if (part === undefined || PARTS[name] === undefined) return true
  return PARTS[name].includes(part) && (item === undefined || PARTS_WITH_ITEMS.includes(part))
}

function partsIn(pattern: readonly string[], given: readonly string[]): Record<string, string> | undefined {
  if (pattern.length !== given.length) return undefined
  const parts: Record<string, string> = {}
  for (const [place, word] of pattern.entries()) {
    const part = given[place] ?? ''
    if (!word.startsWith(':')) {
      if (word !== part) return undefined
    } else if (part === '') return undefined
    else parts[word.slice(1)] = decoded(part)
  }
  return parts
}

/** A part of an address as text. One that cannot be decoded stays as it is, so that every address shows a page. */
export function decoded(part: string) {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}
