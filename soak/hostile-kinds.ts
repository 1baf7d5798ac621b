import {
  type HostileBugs,
  hostileAnswers,
  hostileBodies,
  hostileLists,
  hostilePatterns,
  hostileQueries,
  many,
} from '../test/support/hostile-requests.ts'
import type { HostileKind } from './hostile-client.ts'

/** The kinds of hostile requests that need no preparation; each request is sent anonymously and by an account. */
export function hostileKinds(bugs: HostileBugs): HostileKind[] {
  const kinds: Record<string, Single[]> = {
    'large bodies': hostileBodies(),
    'long lists and batches': hostileLists(bugs),
    'long query strings': hostileQueries(bugs),
    'regular expressions': hostilePatterns(bugs),
    'long responses': hostileAnswers(bugs),
    'searches of long texts': textSearches(bugs),
    'searches that the client abandons': abandonedSearches(),
    'very many words, columns and brackets': longSearches(),
    'different fields in every request': fieldSelections(),
    'names that objects inherit': oddNames(bugs),
    'ways around a right': rights(bugs),
    'wrong passwords': logins(),
  }
  return Object.entries(kinds).flatMap(([kind, requests]) => requests.map((it) => ({ ...it, kind })))
}

type Single = Omit<HostileKind, 'kind'>

/** Searches that would take much memory or time. */
function textSearches({ withComments }: HostileBugs): Single[] {
  return [
    search('200 conditions on long comments', SUBSTRINGS),
    search('any of 200 conditions on long comments', `j_top=OR&${SUBSTRINGS}`),
    search('patterns in the comments of one bug', `id=${withComments}&${PATTERNS}`),
  ]
}

function abandonedSearches(): Single[] {
  return [
    ...many(4, (index) => search(`patterns in long comments ${index}`, `j_top=OR&${PATTERNS}`, true)),
    ...many(12, (index) => search(`substrings ${index}`, `j_top=OR&${SUBSTRINGS}&v0=${index}`, true)),
  ]
}

function longSearches(): Single[] {
  const words = many(1100, (index) => `word${index}`)
  return [
    search('100 words', `f1=longdesc&o1=anywords&v1=${words.slice(0, 100).join('+')}`),
    search('1,100 words', `f1=longdesc&o1=anywords&v1=${words.join('+')}`),
    search('1,100 words in quicksearch', `quicksearch=${words.join('+')}`),
    search('700 columns to sort by', `order=${many(700, (index) => `cf_${index}`).join()}`),
    search('600 brackets', many(600, (index) => `f${index}=OP`).join('&')),
  ]
}

/** Each needs a statement of its own, if statements are kept. */
function fieldSelections(): Single[] {
  const fields = ['id', 'summary', 'status', 'cc', 'keywords', 'groups', 'flags', 'alias', 'whiteboard', 'priority']
  return many(200, (index) => {
    const chosen = fields.filter((_, place) => ((index * 5 + 1) >> place) & 1)
    return search(`other fields ${index}`, `include_fields=${[...chosen, `cf_${index}`].join()}`)
  })
}

function search(title: string, query: string, leaves = false): Single {
  return { title, method: 'GET', path: `/bug?limit=5&${query}`.slice(0, 31_000), leaves }
}

function rows(count: number, field: string, operator: string, value: (row: number) => string): string {
  return many(count, (row) => `f${row}=${field}&o${row}=${operator}&v${row}=${encodeURIComponent(value(row))}`).join(
    '&',
  )
}

const SUBSTRINGS = rows(200, 'longdesc', 'substring', (row) => `nothing ${row}`)
const PATTERNS = rows(50, 'longdesc', 'regexp', (row) => `(a?b?c?d?){20}[xyz]${row}`)

function oddNames({ first }: HostileBugs): Single[] {
  const names = ['constructor', '__proto__', 'toString', 'hasOwnProperty']
  return names.flatMap((name): Single[] => [
    { title: `order by ${name}`, method: 'GET', path: `/bug?limit=1&order=${name}` },
    { title: `a field ${name}`, method: 'GET', path: `/bug?f1=${name}&o1=equals&v1=x` },
    { title: `bugidtype ${name}`, method: 'GET', path: `/bug?bug_id=1&bugidtype=${name}` },
    { title: `a parameter ${name}`, method: 'PUT', path: `/bug/${first}`, body: `{"${name}":{"add":["x"]}}` },
    { title: `a callback ${name}`, method: 'GET', path: `/version?callback=${name}` },
  ])
}

/** Ways around a right, and to find out what is hidden. None may answer with a fault of the server. */
function rights({ first }: HostileBugs): Single[] {
  const send = (title: string, method: 'POST' | 'PUT', path: string, body: object): Single => ({
    title,
    method,
    path,
    body: JSON.stringify(body),
  })
  const get = (title: string, path: string): Single => ({ title, method: 'GET', path })
  return [
    send('a bug moves to another product', 'PUT', `/bug/${first}`, { product: 'Hidden', component: 'x', version: 'x' }),
    send('groups of a bug are taken away', 'PUT', `/bug/${first}`, { groups: { remove: ['admin'] } }),
    send('a key with more rights', 'POST', '/user/(self)/api_key', { description: 'x', scopes: ['admin'] }),
    send('a group of administrators', 'PUT', '/user/(self)', { groups: { add: ['admin'] } }),
    send('a flag type', 'POST', '/flag_type', { name: 'x', description: 'x', target_type: 'bug' }),
    send('a webhook to this machine', 'POST', '/webhook', {
      name: 'x',
      url: 'http://127.0.0.1:1/',
      events: ['create'],
    }),
    send('a value that is hidden', 'POST', '/bug', { product: 'TestProduct', component: 'Hidden', summary: 'x' }),
    send('parameters', 'PUT', '/parameters', { urlbase: 'http://example.org/' }),
    get('values of a hidden product', '/field/bug/component/Hidden/values'),
    get('logins by changes', '/bug?f1=bug_status&o1=changedby&v1=nobody@example.org'),
    get('logins by names', `/user?${many(100, (index) => `names=user${index}@example.org`).join('&')}`),
    get('a key in another parameter', `/bug?limit=1&order=bug_id?api_key=${'aB3'.repeat(14)}`),
    get('hidden bugs by links', `/bug/${first}/graph?depth=50`),
  ]
}

function logins(): Single[] {
  return many(12, (index) => ({
    title: `a wrong password ${index}`,
    method: 'GET',
    path: `/login?login=user${index}@example.org&password=${'x'.repeat(900)}`,
  }))
}
