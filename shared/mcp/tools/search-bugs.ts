import { answerOf, inputOf, listOf, objectOf, paramsOf } from '../input-schema.ts'
import type { ToolOutcome } from '../marked-data.ts'
import type { Arguments, Tool } from '../tool.ts'
import type { Tracker } from '../tracker.ts'

/** The criteria of a search, besides a quicksearch. */
export const CRITERIA = [
  'product',
  'component',
  'status',
  'resolution',
  'priority',
  'severity',
  'type',
  'version',
  'target_milestone',
  'assigned_to',
  'creator',
  'summary',
  'creation_time',
  'last_change_time',
] as const

const QUICKSEARCH = {
  type: 'string',
  maxLength: 2000,
  description:
    'As typed into the search box: words, or field:value, such as “crash product:App is:open changed:-1w”. Without the word ALL only open bugs are found.',
} as const

export const SEARCH = { quicksearch: QUICKSEARCH, ...paramsOf('GET /bug', CRITERIA) }

/** The criteria among the arguments, as a call takes them. */
export function criteriaIn(args: Arguments): Record<string, unknown> {
  const criteria = CRITERIA.flatMap((name) => (args[name] === undefined ? [] : [[name, args[name]]]))
  return { ...Object.fromEntries(criteria), ...(args.quicksearch !== undefined && { quicksearch: args.quicksearch }) }
}

/** What a list says of a bug. */
export const LISTED = [
  'id',
  'summary',
  'status',
  'resolution',
  'product',
  'component',
  'type',
  'priority',
  'severity',
  'assigned_to',
  'last_change_time',
] as const

const MOST = 50
const USUAL = 20

export const searchBugs: Tool = {
  name: 'search_bugs',
  title: 'Search for bugs',
  about: 'Finds bugs that meet all criteria, and returns a short line of each.',
  needs: 'read',
  input: inputOf({
    ...SEARCH,
    order: {
      type: 'string',
      maxLength: 200,
      description: 'Columns to sort by, such as “changeddate DESC” or “priority,bug_id”.',
    },
    limit: { type: 'integer', minimum: 1, maximum: MOST, description: `At most so many bugs; ${USUAL} by default.` },
    offset: { type: 'integer', minimum: 0, maximum: 1_000_000, description: 'Skips so many bugs.' },
  }),
  data: objectOf({
    bugs: listOf(answerOf('Bug', LISTED)),
    total: { type: 'integer', description: 'How many bugs meet the criteria.' },
    ignored: { type: 'array', items: { type: 'string' }, description: 'Criteria that the tracker does not know.' },
  }),
  run: (tracker, args) => runSearch(tracker, criteriaIn(args), args),
}

/** The first bugs of a search, or a later part. */
export async function runSearch(tracker: Tracker, criteria: Arguments, args: Arguments = {}): Promise<ToolOutcome> {
  const { limit = USUAL, offset = 0, order } = args as { limit?: number; offset?: number; order?: string }
  const { body } = await tracker.call('GET', '/bug', {
    ...criteria,
    ...(order !== undefined && { order }),
    ...(offset > 0 && { offset }),
    limit,
    with_total: true,
    include_fields: LISTED.join(),
  })
  const { bugs = [], total_matches: total, ignored = [] } = body as FoundBugs
  const shown = bugs.slice(0, limit)
  const isMore = total === undefined ? shown.length === limit : offset + shown.length < total
  return {
    says: `${shown.length} bugs${total === undefined ? '' : ` of ${total}`}, from number ${offset + 1} of the list.`,
    // Bugzilla names the parameters of ours that it does not know.
    data: { bugs: shown, ...(total !== undefined && { total }), ...(ignored.length > 0 && { ignored }) },
    next: isMore && shown.length > 0 ? { offset: offset + shown.length } : undefined,
  }
}

interface FoundBugs {
  bugs?: object[]
  total_matches?: number
  ignored?: string[]
}
