import { type HostileBugs, type HostileRequest, many } from './hostile-requests.ts'
import { worstMessages } from './worst-messages.ts'

/** The twenty inputs that occupied the main thread longest, before they were limited or in a run of the soak with every parameter, one of each kind. */
export function worstInputs({ first }: HostileBugs): HostileRequest[] {
  const bug = `/bug/${first}`
  return [
    get('a count of very many words', `/bug?count_only=1&short_desc=${WORDS}`),
    get('very many words of full text', `/bug?count_only=1&content=${WORDS}`),
    get('the longest quicksearch', `/bug?quicksearch=${WORDS.slice(0, 1500)}`),
    get('very many ids', `/bug?limit=1&id=${many(6000, (index) => first + index).join()}`),
    get('very many fields', `/bug?limit=1&include_fields=${many(6000, (index) => `f${index}`).join()}`),
    get('very many names of users', `/user?permissive=1&${many(3000, (index) => `names=x${index}`).join('&')}`),
    get('a long summary of a new bug', `/bug/possible_duplicates?summary=${WORDS}`),
    get('what is stored about a user', `/user/1/data?no_such_parameter=${'a'.repeat(30_000)}`),
    write('a long login name', 'PUT', bug, { assigned_to: 'a'.repeat(1_000_000) }),
    write('32,000 short lines of Markdown', 'POST', RENDER, { text: 'a\n'.repeat(32_000), is_markdown: true }),
    write('a long list in Markdown', 'POST', RENDER, { text: '* a\n'.repeat(2500), is_markdown: true }),
    write('very many emphases in Markdown', 'POST', RENDER, { text: '*a'.repeat(5000), is_markdown: true }),
    write('very many references', 'POST', RENDER, { text: many(7000, (at) => `bug ${first + at}`).join('\n') }),
    write('a comment of very many words', 'POST', `${bug}/comment`, {
      comment: many(9000, (at) => `w${at}`).join(' '),
    }),
    write('a thousand keywords', 'PUT', bug, { keywords: { add: many(1000, (at) => `k${at}`) } }),
    write('a thousand users', 'PUT', bug, { cc: { add: many(1000, (at) => `user${at}@example.org`) } }),
    {
      title: 'a webhook of a source of code, as a form of 4 MB',
      method: 'POST',
      path: '/code/none',
      body: `payload=${'%7B'.repeat(1_390_000)}`,
      headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
    },
    ...worstMessages(first).filter(({ title }) => /^(?:very many values|the longest (?:search|file)),/.test(title)),
    write('a long search to save', 'POST', '/saved_search', { name: 'x', query: 'v1=a&'.repeat(190_000) }),
  ]
}

/** Much like one of the twenty, or shorter. */
export function nextWorstInputs({ first }: HostileBugs): HostileRequest[] {
  const bug = `/bug/${first}`
  return [
    get('a report of very many words', `/report?x_axis_field=product&short_desc=${WORDS}`),
    get('a long quicksearch', `/bug?quicksearch=${WORDS}`),
    get('a parameter that no call has', `/parameters?no_such_parameter=${WORDS}`),
    write('short lines as a name', 'PUT', bug, { target_milestone: 'a\n'.repeat(500_000) }),
    write('32,000 short lines', 'POST', RENDER, { text: 'a\n'.repeat(32_000) }),
    write('very many addresses', 'POST', RENDER, { text: 'http://a.b/ x@y.z\n'.repeat(3600) }),
    write('a thousand visits', 'POST', '/bug_user_last_visit', { ids: many(1000, (at) => first + at) }),
  ]
}

/** Searches of the largest allowed size, of which threads do most of the work. */
export function largestSearches(): HostileRequest[] {
  return [
    get('any of 500 long words in summaries', `/bug?limit=1&${rows('short_desc', 'anywordssubstr')}`),
    get('all of 500 long words in summaries', `/bug?limit=1&${rows('short_desc', 'allwordssubstr')}`),
    get('a count of 500 long words in summaries', `/bug?count_only=1&${rows('short_desc', 'anywordssubstr')}`),
    get('any of 500 long words in comments', `/bug?limit=1&${rows('longdesc', 'anywordssubstr')}`),
    get('all of 500 long words in comments', `/bug?limit=1&${rows('longdesc', 'allwords')}`),
    get('500 long words of full text', `/bug?limit=1&${rows('content', 'matches')}`),
    get('300 users by their names', `/bug?limit=1&${people(300)}`),
  ]
}

function get(title: string, path: string): HostileRequest {
  return { title, method: 'GET', path: path.slice(0, LONGEST_PATH) }
}

function write(title: string, method: 'POST' | 'PUT', path: string, body: object): HostileRequest {
  return { title, method, path, body: JSON.stringify(body) }
}

const RENDER = '/bug/comment/render'
const LONGEST_PATH = 31_000
const WORDS = many(10_000, (index) => `w${index}`).join('+')

/** Five rows of the search form with a hundred words of fifty characters each, which is the most that a search can have. */
function rows(field: string, operator: string): string {
  const words = (row: number) => many(100, (index) => `${row}w${index}`.padEnd(50, 'abcdefghij')).join('+')
  return many(5, (row) => `f${row}=${field}&o${row}=${operator}&v${row}=${words(row)}`).join('&')
}

function people(count: number): string {
  return many(count, (row) => `f${row}=assigned_to&o${row}=substring&v${row}=x${row}`).join('&')
}
