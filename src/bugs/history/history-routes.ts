import { call } from '../../access/call.ts'
import { MOST_TO_READ, refs, time } from '../../platform/wire/params.ts'
import { Histories } from './history-schema.ts'
import { getHistory } from './read-history.ts'

const getOfBug = call({
  method: 'GET',
  path: '/bug/:ref/history',
  pathParams: { ref: 'Number or alias of a bug.' },
  resource: 'bug',
  summary: 'Get the history of a bug.',
  about:
    'All changes since the bug was filed, oldest first. Changes of hours are returned only to members of the time-tracking group, and those of private comments and attachments only to members of insidergroup. Numbers of bugs that the caller may not see are left out.',
  params: {
    ids: refs('More bugs, by number or alias.', MOST_TO_READ),
    new_since: time('Return only changes later than this time.'),
  },
  answers: Histories,
  scope: 'read',
  run: (context) =>
    getHistory(context, [context.path.ref ?? '', ...(context.params.ids ?? [])], context.params.new_since),
})

export const historyRoutes = [getOfBug] as const
