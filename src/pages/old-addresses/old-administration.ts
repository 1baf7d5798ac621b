// Links to Bugzilla's pages of administration and preferences.

import { dictionary } from '../../platform/text/dictionary.ts'

export type OldQuery = URLSearchParams

/** Paths of Bugzilla, and the address to which each is redirected. Both are relative to the base address. */
export const OLD_ADMINISTRATION: Readonly<Record<string, (query: OldQuery) => string>> = dictionary({
  '/admin.cgi': () => '/admin',
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
})

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
