// Mail, commits and wikis contain links to Bugzilla. Each is redirected to the page here that shows the same, or to a help page that names it.

import { REPLACED_SCRIPTS } from '../../../shared/addresses.ts'
import { AXES, OLD_FORM_PARAMETERS } from '../../../shared/report-search.ts'
import { dictionary } from '../../platform/text/dictionary.ts'
import { requestSearch } from './old-requests.ts'

type OldQuery = URLSearchParams

/** Paths of Bugzilla, and the address to which each is redirected. Both are relative to the base address. */
export const OLD_LINKS: Readonly<Record<string, (query: OldQuery) => string>> = dictionary({
  ...Object.fromEntries(REPLACED_SCRIPTS.map((script) => [`/${script}.cgi`, () => helpAbout(script)])),
  '/index.cgi': () => '/',
  '/show_bug.cgi': showBug,
  '/show_activity.cgi': (query) => bugWith(query, 'view=history'),
  '/showdependencytree.cgi': (query) => bugWith(query, 'view=tree'),
  '/showdependencygraph.cgi': (query) => bugWith(query, 'view=graph'),
  '/buglist.cgi': bugList,
  '/query.cgi': searchForm,
  '/report.cgi': report,
  '/reports.cgi': (query) => overTime(query.get('product')),
  '/chart.cgi': chart,
  '/enter_bug.cgi': enterBug,
  '/attachment.cgi': attachment,
  // The next two are of older releases, and mail contains them.
  '/long_list.cgi': showBug,
  '/showattachment.cgi': (query) => attachment(new URLSearchParams({ id: query.get('attach_id') ?? '' })),
  '/describecomponents.cgi': (query) => productOr('/products', query),
  '/describekeywords.cgi': () => '/help/words#keywords',
  '/admin.cgi': () => '/admin',
  '/relogin.cgi': () => '/login',
  '/xml.cgi': showBug,
  '/request.cgi': requestSearch,
  // Whatever the token is, it is neither passed on nor used: it is not of this installation.
  '/token.cgi': (query) => (query.get('a') === 'reqpw' ? '/forgot' : helpAbout('token')),
  '/editwhines.cgi': () => '/settings/scheduled-mail',
  '/userprefs.cgi': (query) => PREFERENCES[query.get('tab') ?? ''] ?? '/settings',
  '/editproducts.cgi': (query) => administered(query, PARTS_OF_PRODUCTS[query.get('action') ?? ''] ?? ''),
  '/editcomponents.cgi': (query) => administered(query, '#components'),
  '/editversions.cgi': (query) => administered(query, '#versions'),
  '/editmilestones.cgi': (query) => administered(query, '#milestones'),
  '/editclassifications.cgi': () => '/admin/classifications',
  '/editfields.cgi': (query) => fieldOf(query.get('name')),
  '/editvalues.cgi': (query) => fieldOf(query.get('field')),
  '/editflagtypes.cgi': editFlagTypes,
  '/editgroups.cgi': editGroups,
  '/editkeywords.cgi': () => '/admin/keywords',
  '/editusers.cgi': editUsers,
  '/editworkflow.cgi': () => '/admin/workflow',
  '/editparams.cgi': (query) => PARAMETERS[query.get('section') ?? ''] ?? '/admin/parameters',
  '/view_job_queue.cgi': () => '/admin/mail',
  '/createaccount.cgi': () => '/join',
  '/page.cgi': page,
  '/votes.cgi': votes,
  '/bug_status.html': () => '/help/words',
  '/config.cgi': () => '/rest/field/bug',
})

/** Who votes for a bug is on its page; the votes of the reader are in the settings. */
function votes(query: OldQuery) {
  const bug = query.get('bug_id') ?? ''
  return /^[0-9]{1,9}$/.test(bug) ? `/bug/${bug}` : '/settings/votes'
}

/** What `editproducts.cgi` does apart from its form, and the part of the page that does it here. */
const PARTS_OF_PRODUCTS: Readonly<Record<string, string>> = dictionary({ editgroupcontrols: '#groups', del: '#danger' })

/** The page of the product that the link names, or the list of products. */
function administered(query: OldQuery, part: string) {
  const product = query.get('product') ?? ''
  return product === '' ? '/admin/products' : `/admin/products/${encodeURIComponent(product)}${part}`
}

/** The page of the field that a link names, or the list of fields. */
function fieldOf(name: string | null) {
  return name && /^[a-z0-9_]{1,64}$/.test(name) ? `/admin/fields/${name}` : '/admin/fields'
}

/** `editgroups.cgi?action=changeform&group=5` is one group. */
function editGroups(query: OldQuery) {
  const id = query.get('group') ?? ''
  return /^[0-9]{1,9}$/.test(id) ? `/admin/groups/${id}` : '/admin/groups'
}

/** `editflagtypes.cgi?action=edit&id=5` is one flag type. */
function editFlagTypes(query: OldQuery) {
  const id = query.get('id') ?? ''
  return /^[0-9]{1,9}$/.test(id) ? `/admin/flag-types/${id}` : '/admin/flag-types'
}

/** `editusers.cgi?action=edit&userid=5` is one account, `matchstr` a search. */
function editUsers(query: OldQuery) {
  const user = query.get('userid') ?? ''
  if (/^[0-9]{1,9}$/.test(user)) return `/admin/people?who=${user}`
  const text = query.get('matchstr')
  return text ? `/admin/people?${new URLSearchParams({ text })}` : '/admin/people'
}

/** The tabs of the preferences that have an address of their own here; component_watch and request_nagging are those of BMO. */
const PREFERENCES: Readonly<Record<string, string>> = dictionary({
  apikey: '/settings/keys',
  component_watch: '/settings/mail',
  request_nagging: '/settings/mail',
  email: '/settings/mail',
  mfa: '/settings/factors',
  'saved-searches': '/settings/searches',
  sessions: '/settings/access',
})

/** The sections of Bugzilla's parameters, and the groups or places that have theirs here. */
const PARAMETERS: Readonly<Record<string, string>> = dictionary({
  core: '/admin/parameters#general',
  general: '/admin/parameters#general',
  advanced: '/admin/parameters#general',
  admin: '/admin/parameters#log-in',
  auth: '/admin/parameters#log-in',
  usermatch: '/admin/parameters#log-in',
  ldap: '/admin/providers',
  radius: '/admin/providers',
  attachment: '/admin/parameters#attachments',
  bugchange: '/admin/parameters#bugs',
  bugfields: '/admin/parameters#bugs',
  groupsecurity: '/admin/parameters#groups',
  mta: '/admin/mail',
  query: '/admin/parameters#search',
})

/** The page that says what replaces a script of Bugzilla. */
const HELP = '/help/bugzilla'

function helpAbout(script: string) {
  return `${HELP}#${script}`
}

/** Whether a later release may lead elsewhere, so that browsers must not keep the redirection. */
export function isForNow(address: string) {
  return address.startsWith(HELP)
}

/** The pages of Bugzilla that have an equivalent here. */
const PAGES: Readonly<Record<string, string>> = dictionary({
  'quicksearch.html': '/help/searching',
  'quicksearchhack.html': '/help/searching',
  'fields.html': '/help/words',
  'bug-writing.html': '/help/using',
  'mydashboard.html': '/',
  'productdashboard.html': '/products',
})

function page(query: OldQuery) {
  const id = query.get('id') ?? ''
  if (id.startsWith('voting/')) return votes(query)
  const login = query.get('login')
  if (id === 'user_profile.html' && login) return `/user/${encodeURIComponent(login)}`
  return PAGES[id] ?? helpAbout('page')
}

/** The bugs that a link names. */
export function idsIn(query: OldQuery): string[] {
  return [...query.getAll('id'), ...query.getAll('bug_id')]
    .flatMap((ids) => ids.split(','))
    .map((id) => id.trim())
    .filter((id) => id !== '')
}

function bugPath(id: string) {
  return `/bug/${encodeURIComponent(id)}`
}

function showBug(query: OldQuery) {
  const ids = idsIn(query)
  const [first] = ids
  if (first === undefined) return '/bugs?quicksearch=ALL'
  return ids.length === 1 ? bugPath(first) : `/bugs?${new URLSearchParams({ id: ids.join(',') })}`
}

function bugWith(query: OldQuery, view: string) {
  const [first] = idsIn(query)
  return first === undefined ? '/bugs?quicksearch=ALL' : `${bugPath(first)}?${view}`
}

const LIST_FORMS = ['csv', 'atom', 'ics']

function bugList(query: OldQuery) {
  const form = query.get('ctype') ?? ''
  const rest = without(query, ['ctype', 'title', 'query_format', 'list_id', 'cmdtype', 'remaction', 'namedcmd'])
  const saved = query.get('namedcmd')
  if (saved) rest.set('savedsearch', saved)
  if (LIST_FORMS.includes(form)) return withQuery('/rest/bug', rest, { ctype: form })
  return withQuery('/bugs', rest)
}

/** The forms of Bugzilla for a search, for a report and for a new series. */
function searchForm(query: OldQuery) {
  if (isReportForm(query)) return report(query)
  if (query.get('format') === 'create-series') return overTime(query.get('product'))
  return withQuery('/bugs', without(query, ['format']), { view: 'search' })
}

/** The search form of Bugzilla for a table or a graph. */
function isReportForm(query: OldQuery) {
  return ['report-table', 'report-graph'].includes(query.get('format') ?? '')
}

/** The same search and axes. A graph and its table are on one page here; a pie is drawn of one axis. Without an axis there is no CSV. */
function report(query: OldQuery) {
  const axes = AXES.filter((axis) => query.get(axis))
  if (query.get('ctype') === 'csv' && axes.length > 0)
    return withQuery('/rest/report', without(query, OLD_FORM_PARAMETERS), { ctype: 'csv' })
  const isPie = query.get('format') === 'pie' && axes.length === 1
  return withQuery('/reports', without(query, OLD_FORM_PARAMETERS), { kind: 'table', ...(isPie && { chart: 'pie' }) })
}

/** The lines of a chart are series, by number. Without them the link is to those of a product, or of a component. */
function chart(query: OldQuery) {
  const lines = [...query].filter(([name, id]) => /^line\d{1,3}$/.test(name) && /^\d{1,9}$/.test(id))
  if (lines.length === 0) return overTime(query.get('category'), query.get('subcategory'))
  const series = new URLSearchParams(lines.map(([, id]): [string, string] => ['series', id]))
  for (const [old, name] of [
    ['datefrom', 'from'],
    ['dateto', 'to'],
  ] as const)
    if (query.get(old)) series.set(name, query.get(old) ?? '')
  return withQuery('/reports', series)
}

/** Open bugs over time. Bugzilla writes -All- for every product. */
function overTime(product: string | null, component: string | null = null) {
  const named = (name: string, value: string | null) => (value && value !== '-All-' ? { [name]: value } : {})
  const names = { ...named('product', product), ...named('component', component) }
  return withQuery('/reports', new URLSearchParams({ kind: 'over_time' }), names)
}

function enterBug(query: OldQuery) {
  const product = query.get('product')
  const component = query.get('component')
  const rest = without(query, ['product', 'component'])
  if (product === null || product === '') return withQuery('/file', query)
  const path = ['/file', product, ...(component ? [component] : [])].map((part, index) =>
    index === 0 ? part : encodeURIComponent(part),
  )
  return withQuery(path.join('/'), rest)
}

/** Redirects to the content of the attachment, or to its page if the link was to its details. */
function attachment(query: OldQuery) {
  const id = query.get('id') ?? ''
  const bug = query.get('bugid')
  if (query.get('action') === 'enter' && bug !== null) return `${bugPath(bug)}#attach`
  if (!/^\d+$/.test(id)) return '/bugs?quicksearch=ALL'
  return ['edit', 'diff'].includes(query.get('action') ?? '') ? `/attachment/${id}` : `/rest/bug/attachment/${id}/data`
}

function productOr(other: string, query: OldQuery) {
  const product = query.get('product')
  return product === null || product === '' ? other : `/product/${encodeURIComponent(product)}`
}

function without(query: OldQuery, names: readonly string[]) {
  const rest = new URLSearchParams(query)
  for (const name of names) rest.delete(name)
  return rest
}

function withQuery(path: string, query: OldQuery, more: Record<string, string> = {}) {
  const all = new URLSearchParams(query)
  for (const [name, value] of Object.entries(more)) all.set(name, value)
  const text = all.toString()
  return text === '' ? path : `${path}?${text}`
}
