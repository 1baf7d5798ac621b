/** An expensive request. */
export interface HostileRequest {
  title: string
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** Below /rest, unless `root` says where. */
  path: string
  root?: string
  body?: string
  headers?: Record<string, string>
}

/** Bugs with very much content; see hostile-bugs.ts. */
export interface HostileBugs {
  /** The first of many bugs with consecutive numbers. */
  first: number
  count: number
  withComments: number
  withHistory: number
}

const PAGE = { Accept: 'text/html' }

/** Bodies that take long to parse or check. */
export function hostileBodies(): HostileRequest[] {
  const bodies: Record<string, () => string> = {
    'a million empty objects': () => `{"a":[${'{},'.repeat(1_300_000)}{}]}`,
    'two million numbers': () => `{"a":[${'1,'.repeat(2_000_000)}1]}`,
    'a million strings': () => `{"a":[${'"",'.repeat(1_300_000)}""]}`,
    'very many names': () => `{"a":{${many(300_000, (index) => `"k${index}":1`).join()}}}`,
    'a string of four megabytes': () => `{"a":"${'x'.repeat(4_000_000)}"}`,
    'a string of escape sequences': () => `{"a":"${'\\u0041'.repeat(690_000)}"}`,
    'a string of escaped quotes': () => `{"a":"${'\\"'.repeat(2_000_000)}"}`,
    'a string of backslashes': () => `{"a":"${'\\\\'.repeat(2_000_000)}"}`,
    'a number of four million digits': () => `{"a":${'9'.repeat(4_000_000)}}`,
    'four megabytes of space': () => ' '.repeat(4_000_000),
    'a name of four megabytes': () => `{"${'k'.repeat(4_000_000)}":1}`,
    'deep nesting': () => '{"a":'.repeat(800_000),
    'the beginning of a string': () => `{"a":"${'\\\\'.repeat(1_900_000)}`,
  }
  return Object.entries(bodies).map(([title, body]) => withBody(title, 'POST', '/bug', body))
}

/** Very long lists, and batches of the largest allowed size. */
export function hostileLists({ first }: HostileBugs): HostileRequest[] {
  const texts = (word: string) => many(100_000, (index) => `${word}${index}`)
  const bug = `/bug/${first}`
  const put = (title: string, path: string, body: () => object) =>
    withBody(title, 'PUT', path, () => JSON.stringify(body()))
  const post = (title: string, path: string, body: () => object) =>
    withBody(title, 'POST', path, () => JSON.stringify(body()))
  const thousand = many(999, (index) => first + index)
  const links = (count: number) => many(count, (index) => `https://example.org/show_bug.cgi?id=${index}`)
  const file = {
    ids: thousand.slice(1, 100),
    data: 'aGVsbG8=',
    file_name: 'x.txt',
    summary: 'A file',
    content_type: 'text/plain',
  }
  return [
    put('500,000 ids', bug, () => ({ ids: many(500_000, (index) => index) })),
    put('100,000 aliases', bug, () => ({ alias: { set: texts('alias') } })),
    put('100,000 links', bug, () => ({ see_also: { add: texts('https://example.org/show_bug.cgi?id=') } })),
    put('100,000 keywords', bug, () => ({ keywords: { add: texts('keyword') } })),
    put('100,000 people', bug, () => ({ cc: { add: texts('person') } })),
    put('100,000 groups', bug, () => ({ groups: { add: texts('group') } })),
    put('100,000 flags', bug, () => ({ flags: texts('flag').map((name) => ({ name, status: '?' })) })),
    put('100,000 comments to hide', bug, () => ({
      comment_is_private: Object.fromEntries(texts('').map((id) => [id, true])),
    })),
    put('100,000 tags of a bug', `${bug}/tags`, () => ({ add: texts('tag') })),
    put('100,000 tags of a comment', '/bug/comment/1/tags', () => ({ add: texts('tag') })),
    put('100,000 bugs that it depends on', bug, () => ({ depends_on: { add: texts('1') } })),
    put('a thousand bugs at once', bug, () => ({
      ids: thousand,
      whiteboard: `new ${Math.random()}`,
      comment: { body: 'said' },
    })),
    put('fifty bugs with a hundred links', bug, () => ({ ids: thousand.slice(1, 50), see_also: { add: links(100) } })),
    put('a thousand bugs with five links', bug, () => ({ ids: thousand.slice(1), see_also: { add: links(5) } })),
    put('a thousand dependencies', bug, () => ({ depends_on: { add: many(999, (index) => first + 1 + index) } })),
    post('one text of a million words', '/bug', () => ({
      product: 'TestProduct',
      component: 'TestComponent',
      cc: 'a,'.repeat(1_000_000),
    })),
    post('a file for a hundred bugs', `${bug}/attachment`, () => file),
    post('a file and very many words for a hundred bugs', `${bug}/attachment`, () => ({
      ...file,
      comment: many(8000, (index) => `w${((index * 7919) % 65_536).toString(16)}`).join(' '),
    })),
    put('a thousand bugs with long texts', bug, () => ({
      ids: thousand,
      summary: `${Math.random()} ${'word '.repeat(45)}`,
      url: `https://example.org/${'a'.repeat(200)}${Math.random()}`,
      whiteboard: `${Math.random()} ${'b'.repeat(200)}`,
    })),
    post('a saved search of a million characters', '/saved_search', () => ({
      name: 'long',
      query: 'v1=a&'.repeat(190_000),
    })),
    post('a thousand visits', '/bug_user_last_visit', () => ({ ids: thousand })),
  ]
}

/** The body is made when it is read: most are large, and a test that sends one request lists them all. */
function withBody(title: string, method: 'POST' | 'PUT', path: string, body: () => string): HostileRequest {
  return {
    title,
    method,
    path,
    get body() {
      return body()
    },
  }
}

/** Query strings of the largest allowed length. */
export function hostileQueries({ first }: HostileBugs): HostileRequest[] {
  return [
    get('very many parameters', `/bug?${many(7000, (index) => `a${index}=`).join('&')}`),
    get('one parameter very often', `/version?${'a&'.repeat(15_000)}`),
    get('very many fields', `/bug?limit=10&include_fields=${many(6000, (index) => `f${index}`).join()}`),
    get('very many words for users', `/user?${many(3000, (index) => `match=x${index}`).join('&')}`),
    get('very many names of users', `/user?permissive=1&${many(3000, (index) => `names=x${index}`).join('&')}`),
    get('very many bugs', `/bug?${many(3000, (index) => `id=${first + index}`).join('&')}`),
    get('very many conditions', `/bug?limit=1&${rows(300, 'short_desc', 'substring', (row) => `x${row}`)}`),
    get('too many conditions', `/bug?limit=1&${rows(400, 'short_desc', 'substring', (row) => `x${row}`)}`),
  ]
}

/** Regular expressions that take long to compile or match. PostgreSQL matches them in its own processes. */
export function hostilePatterns({ first }: HostileBugs): HostileRequest[] {
  return [
    get('fifty long patterns', `/bug?limit=1&${rows(50, 'short_desc', 'regexp', (row) => `${row}${LETTERS}`)}`),
    get('too many patterns', `/bug?limit=1&${rows(250, 'longdesc', 'regexp', (row) => `(a?b?c?d?){20}x${row}`)}`),
    get(
      'patterns of very many different characters',
      `/bug?limit=1&${rows(2, 'short_desc', 'regexp', (row) => String.fromCharCode(...many(1600, (at) => 0x4e00 + 1600 * row + at)))}`,
    ),
    get(
      'patterns of large classes',
      `/bug?limit=1&${rows(50, 'short_desc', 'regexp', (row) => many(5, (at) => `[^\\pL${row}-${row}${at}]`).join(''))}`,
    ),
    get(
      'patterns that repeat',
      `/bug?id=${first}&${rows(50, 'short_desc', 'regexp', (row) => `(a?b?c?d?){60}${row}`)}`,
    ),
  ]
}

function get(title: string, path: string): HostileRequest {
  return { title, method: 'GET', path: path.slice(0, 31_000) }
}

const LETTERS = 'abcdefghijklmnopqrstuvwxyz'.repeat(20)

/** Rows of the search form, numbered. */
function rows(count: number, field: string, operator: string, value: (row: number) => string): string {
  return many(count, (row) => `f${row}=${field}&o${row}=${operator}&v${row}=${encodeURIComponent(value(row))}`).join(
    '&',
  )
}

/** Very long responses. */
export function hostileAnswers(bugs: HostileBugs): HostileRequest[] {
  const { first, count, withComments, withHistory } = bugs
  const ids = many(Math.min(count, 2500), (index) => `ids=${first + index}`).join('&')
  const paths: Record<string, string> = {
    'all bugs': '/bug?limit=0',
    'all bugs with all that was said': '/bug?limit=0&include_fields=_all',
    'all bugs as a script': '/bug?limit=0&callback=show',
    'all bugs as a table': '/bug?limit=0&ctype=csv&columnlist=all',
    'all bugs as a feed': '/bug?limit=0&ctype=atom',
    'all bugs as a calendar': '/bug?limit=0&ctype=ics',
    'very many bugs by number': `/bug/${first}?${ids}`,
    'very many comments': `/bug/${withComments}/comment`,
    'a bug with very many comments': `/bug/${withComments}?include_fields=_all`,
    'how many comments there are': `/bug/${withComments}?include_fields=comment_count,description`,
    'a long history': `/bug/${withHistory}/history`,
    'a bug with a long history': `/bug/${withHistory}?include_fields=_all`,
    'a bug as it was before a long history': `/bug/${withHistory}?as_of=2026-06-01`,
    'the document of the API': '/openapi.json',
  }
  const pages = ['all bugs', 'very many bugs by number', 'very many comments', 'a long history']
  return [
    ...Object.entries(paths).map(([title, path]): HostileRequest => ({ title, method: 'GET', path })),
    ...pages.map(
      (title): HostileRequest => ({
        title: `${title}, as a page`,
        method: 'GET',
        path: paths[title] ?? '',
        headers: PAGE,
      }),
    ),
  ]
}

export function many<Item>(count: number, item: (index: number) => Item): Item[] {
  return Array.from({ length: count }, (_, index) => item(index))
}
