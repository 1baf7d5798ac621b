import { Type } from '@sinclair/typebox'
import { call } from '../../access/call.ts'
import { errors } from '../../platform/errors.ts'
import { secondsAgo } from '../../platform/time/clock.ts'
import { Created, Deleted, updated } from '../../platform/wire/openapi/schemas.ts'
import { documentedAsRequired, integer, required, text, time } from '../../platform/wire/params.ts'
import { changeQueue, createQueue, removeQueue } from './change-queues.ts'
import { claimBug, decide, MOST_SNOOZE_DAYS, undoDecision } from './decide.ts'
import { queuesOf, readableQueue } from './queue-access.ts'
import { presentClaim, presentListed, presentWhole, withTimeToCount } from './read-queues.ts'
import { getTriageOwners } from './triage-owners.ts'
import { reportOn } from './triage-report.ts'
import { ListedQueue, TriageClaim, TriageReport, WholeQueue } from './triage-schema.ts'

const resource = 'triage'
const pathParams = { queue: 'Name of a queue.' }
const DAY_SECONDS = 86_400
const LONGEST_REPORT = 365

const getQueues = call({
  method: 'GET',
  path: '/triage',
  resource,
  summary: 'List the queues that the caller works in.',
  about: 'By name, for members of the group of each queue; all of them for members of editcomponents.',
  params: {},
  answers: Type.Object({ queues: Type.Array(ListedQueue) }, { additionalProperties: false }),
  selectsFields: true,
  scope: 'read',
  async run(context) {
    const counting = withTimeToCount(context)
    const queues = []
    for (const queue of await queuesOf(context)) queues.push(await presentListed(counting, queue))
    return { queues }
  },
})

const getOneQueue = call({
  method: 'GET',
  path: '/triage/:queue',
  pathParams,
  resource,
  summary: 'Get one queue with its bugs.',
  about: 'Its bugs are found by its search with the rights of the caller.',
  params: { since: time('Since when decisions are returned; for the last day by default.') },
  answers: Type.Object({ queues: Type.Array(WholeQueue) }, { additionalProperties: false }),
  selectsFields: true,
  scope: 'read',
  async run(context) {
    const queue = await readableQueue(context, context.path.queue ?? '')
    return { queues: [await presentWhole(context, queue, context.params.since ?? secondsAgo(DAY_SECONDS))] }
  },
})

const params = {
  name: text('One line of at most 64 characters, unique.'),
  query: text('Parameters of a search in the form of a URL query string.'),
  group: text('Name of the group whose members work in the queue.'),
  rotation: text('Name of the rotation that shows whose turn it is; empty for none.'),
  aim_days: integer('A bug should not wait for more days; 1 to 365, or 0 for no aim.'),
}

const postQueue = call({
  method: 'POST',
  idempotency: 'once',
  path: '/triage',
  resource,
  summary: 'Create a queue.',
  about: 'For members of editcomponents.',
  params: {
    ...params,
    name: documentedAsRequired(params.name),
    query: documentedAsRequired(params.query),
    group: documentedAsRequired(params.group),
  },
  unknownParams: 'refused',
  answers: Created,
  status: 201,
  scope: 'admin',
  run: async (context) => ({ id: await createQueue(context, context.params) }),
})

const putQueue = call({
  method: 'PUT',
  path: '/triage/:queue',
  pathParams,
  resource,
  summary: 'Change a queue.',
  about: 'For members of editcomponents.',
  params,
  unknownParams: 'refused',
  answers: updated('queues'),
  scope: 'admin',
  run: async (context) => ({ queues: [await changeQueue(context, context.path.queue ?? '', context.params)] }),
})

const deleteQueue = call({
  method: 'DELETE',
  path: '/triage/:queue',
  pathParams,
  resource,
  summary: 'Delete a queue, with what was decided in it.',
  about: 'For members of editcomponents. Bugs stay as they are.',
  params: {},
  answers: Deleted,
  scope: 'admin',
  run: (context) => removeQueue(context, context.path.queue ?? ''),
})

const putClaim = call({
  method: 'PUT',
  path: '/triage/:queue/claim',
  pathParams,
  resource,
  summary: 'Show others that the caller triages a bug now.',
  about:
    'For members of the group of the queue. The claim expires after 90 seconds; another claim of the caller in the queue ends. If another user has claimed the bug, their claim is returned and stays.',
  params: { bug: required(text('Number or alias of a bug.')) },
  unknownParams: 'refused',
  answers: TriageClaim,
  scope: 'write',
  run: async (context) => presentClaim(await claimBug(context, context.path.queue ?? '', context.params.bug)),
})

const postDecision = call({
  method: 'POST',
  idempotency: 'once',
  path: '/triage/:queue/decision',
  pathParams,
  resource,
  summary: 'Record what the caller decided about a bug.',
  about:
    'For members of the group of the queue. It changes nothing in the bug; a snoozed bug leaves the queue until its time.',
  params: {
    bug: required(text('Number or alias of a bug.')),
    decision: required(text('accepted, asked, duplicate, declined or snoozed.')),
    until: time(`For snoozed: when the bug comes back; in the future, at most ${MOST_SNOOZE_DAYS} days away.`),
  },
  unknownParams: 'refused',
  answers: Created,
  status: 201,
  scope: 'write',
  async run(context) {
    const { bug, decision, until } = context.params
    return { id: await decide(context, context.path.queue ?? '', { bug, decision, until }) }
  },
})

const deleteDecision = call({
  method: 'DELETE',
  path: '/triage/:queue/decision/:id',
  pathParams: { ...pathParams, id: 'Id of a decision of the caller.' },
  resource,
  summary: 'Take back a decision of the last hour.',
  about: 'Removes the record and ends the snooze. What was changed in the bug stays.',
  params: {},
  answers: Created,
  scope: 'write',
  run: (context) => undoDecision(context, context.path.queue ?? '', context.path.id ?? ''),
})

const getReport = call({
  method: 'GET',
  path: '/triage/:queue/report',
  pathParams,
  resource,
  summary: 'Count what came in, how long it waited, and who decided.',
  about: 'Only of bugs that the caller may see. Decisions before the last 10,000 of the queue are not known.',
  params: { days: integer(`Of how many days, 1 to ${LONGEST_REPORT}; 30 by default.`) },
  answers: TriageReport,
  scope: 'read',
  async run(context) {
    const { days = 30 } = context.params
    if (days < 1 || days > LONGEST_REPORT)
      throw errors.bad_value({ name: 'days', value: days, right: `it must be from 1 to ${LONGEST_REPORT}` })
    return reportOn(context, await readableQueue(context, context.path.queue ?? ''), days)
  },
})

export const triageRoutes = [
  getQueues,
  getOneQueue,
  postQueue,
  putQueue,
  deleteQueue,
  putClaim,
  postDecision,
  deleteDecision,
  getReport,
  getTriageOwners,
] as const
