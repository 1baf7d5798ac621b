// Mail, commits and wikis contain links to Bugzilla. Each is redirected to the page here that shows the same, or to a help page that names it.

import { REPLACED_SCRIPTS } from '../../../shared/addresses.ts'
import { AXES, OLD_FORM_PARAMETERS } from '../../../shared/report-search.ts'
import { dictionary } from '../../platform/text/dictionary.ts'
import { OLD_ADMINISTRATION, type OldQuery } from './old-administration.ts'
import { requestSearch } from './old-requests.ts'

/** Paths of Bugzilla, and the address to which each is redirected. Both are relative to the base address. */
export const OLD_LINKS: Readonly<Record<string, (query: OldQuery) => string>> = dictionary({
  ...Object.fromEntries(REPLACED_SCRIPTS.map((script) => [`/${script}.cgi`, () => helpAbout(script)])),
  ...OLD_ADMINISTRATION,
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
  '/relogin.cgi': () => '/login',
  '/xml.cgi': showBug,
  '/request.cgi': requestSearch,
  // Whatever the token is, it is neither passed on nor used: it is not of this installation.
  '/token.cgi': (query) => (query.get('a') === 'reqpw' ? '/forgot' : helpAbout('token')),
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
