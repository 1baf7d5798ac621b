import {
  type HostileBugs,
  type HostileRequest,
  hostileAnswers,
  hostileBodies,
  hostileLists,
  hostilePatterns,
  hostileQueries,
  many,
} from '../test/support/hostile-requests.ts'

/** A request, and whether its client disconnects before it is answered. */
export interface HostileKind extends HostileRequest {
  leaves?: boolean
}

/** Every kind of hostile request; each is sent anonymously and by an account. */
export function hostileKinds(bugs: HostileBugs): HostileKind[] {
  return [
    ...hostileBodies(),
    ...hostileLists(bugs),
    ...hostileQueries(bugs),
    ...hostilePatterns(bugs),
    ...hostileAnswers(bugs),
    ...slowSearches(bugs),
    ...oddNames(bugs),
    ...rights(bugs),
    ...logins(),
  ]
}

/** Searches that take much memory or time; most of their clients disconnect early. */
function slowSearches({ withComments }: HostileBugs): HostileKind[] {
  const search = (title: string, query: string, leaves = false): HostileKind => ({
    title,
    method: 'GET',
    path: `/bug?limit=5&${query}`.slice(0, 31_000),
    leaves,
  })
  const words = many(1100, (index) => `word${index}`).join(' ')
  const substrings = rows(200, 'longdesc', 'substring', (row) => `nothing ${row}`)
  const patterns = rows(50, 'longdesc', 'regexp', (row) => `(a?b?c?d?){20}[xyz]${row}`)
  return [
    search('200 conditions on long comments', substrings),
    search('any of 200 conditions on long comments', `j_top=OR&${substrings}`),
    ...many(4, (index) => search(`patterns in long comments ${index}`, `j_top=OR&${patterns}`, true)),
    ...many(12, (index) =>
      search(`a search that nobody waits for ${index}`, `j_top=OR&${substrings}&v0=${index}`, true),
    ),
    search('patterns in the comments of one bug', `id=${withComments}&${patterns}`),
    search('100 words', `f1=longdesc&o1=anywords&v1=${words.split(' ').slice(0, 100).join('+')}`),
    search('1,100 words', `f1=longdesc&o1=anywords&v1=${words.replaceAll(' ', '+')}`),
    search('1,100 words in quicksearch', `quicksearch=${words.replaceAll(' ', '+')}`),
    search('700 columns to sort by', `order=${many(700, (index) => `cf_${index}`).join()}`),
    search('600 brackets', many(600, (index) => `f${index}=OP`).join('&')),
    ...many(10, (index) =>
      search(`other fields ${index}`, `include_fields=${many(50, (at) => `f${index}x${at}`).join()}`),
    ),
  ]
}

function oddNames({ first }: HostileBugs): HostileKind[] {
  const names = ['constructor', '__proto__', 'toString', 'hasOwnProperty']
  return names.flatMap((name): HostileKind[] => [
    { title: `order by ${name}`, method: 'GET', path: `/bug?limit=1&order=${name}` },
    { title: `a field ${name}`, method: 'GET', path: `/bug?f1=${name}&o1=equals&v1=x` },
    { title: `bugidtype ${name}`, method: 'GET', path: `/bug?bug_id=1&bugidtype=${name}` },
    { title: `a parameter ${name}`, method: 'PUT', path: `/bug/${first}`, body: `{"${name}":{"add":["x"]}}` },
    { title: `a callback ${name}`, method: 'GET', path: `/version?callback=${name}` },
  ])
}

/** Attempts to bypass rights and to discover hidden data. None may cause an error of the server. */
function rights({ first }: HostileBugs): HostileKind[] {
  const send = (title: string, method: 'POST' | 'PUT', path: string, body: object): HostileKind => ({
    title,
    method,
    path,
    body: JSON.stringify(body),
  })
  const get = (title: string, path: string): HostileKind => ({ title, method: 'GET', path })
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

function logins(): HostileKind[] {
  return many(12, (index) => ({
    title: `a wrong password ${index}`,
    method: 'GET',
    path: `/login?login=user${index}@example.org&password=${'x'.repeat(900)}`,
  }))
}

function rows(count: number, field: string, operator: string, value: (row: number) => string): string {
  return many(count, (row) => `f${row}=${field}&o${row}=${operator}&v${row}=${encodeURIComponent(value(row))}`).join(
    '&',
  )
}
